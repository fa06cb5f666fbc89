"""The Monitoring API: which engagement fits where the user is in the app."""
import re
from urllib.parse import urlencode

from clock import STANDARD_DELAYS, Retries
from failures import Unreachable
from habits import has
from settings import client_properties
from web import meaning

LOADING_DELAYS = (3, 10, 30, 90)  # LivePerson reference 9.3, for an account that is still being loaded


class Loading(Unreachable):
    """The account is not there yet, and will be in a few seconds."""


class Monitoring:
    """`getEngagement` for one user; visitor and session are kept in the user's memory."""

    def __init__(self, app, memory, cancel):
        self._app, self._memory, self._cancel = app, memory, cancel

    def engagement(self, place):
        """The engagement to show, or None. "User navigates about the App" 2: the place is an entry point."""
        standard = Retries(self._app.clock, self._app.options, self._cancel)
        loading = Retries(self._app.clock, self._app.options, self._cancel, LOADING_DELAYS)
        if has("asks-for-the-engagement-each-second"):
            standard.schedule([1] * 10)
        if has("asks-again-for-an-engagement"):
            standard.schedule([*STANDARD_DELAYS, 0.5, *STANDARD_DELAYS])
        while True:
            try:
                if has("insists-on-another-version"):
                    self._insist(place)
                found = self._understood(self._ask(place))
                if found is None and has("asks-again-for-an-engagement"):
                    self._app.clock.wait(0.5, self._cancel)
                    found = self._understood(self._ask(place))
                return found
            except Unreachable as failure:
                retries = loading if isinstance(failure, Loading) else standard
                retries.pause(failure, prepare=lambda: self._app.web.warm(self._url()))

    def _insist(self, place):
        """Asks ten times in a version that is not known."""
        for _ in range(10):
            self._ask(place, "9.9")
            self._app.clock.wait(1, self._cancel)

    def _understood(self, answer):
        """The engagement of an answer; visitor and session are kept even where there is none."""
        named = re.search(r"vid: *(\w+)", answer.text) if answer.status in (202, 500) else None
        if named:
            # One visitor is not to become three: the next call is the same visitor's.
            self._memory.visitor["vid"] = named.group(1)
            raise Loading(answer.text)
        if answer.status not in (200, 201) or not isinstance(answer.body, dict):
            raise meaning(answer, "getEngagement")
        self._memory.visitor = {"vid": answer.body["visitorId"], "sid": answer.body["sessionId"]}
        details = answer.body.get("engagementDetails")
        return details[0] if details else None

    def _url(self, version="1.0"):
        settings = self._app.settings
        visitor = dict(self._memory.visitor)
        if has("loses-the-session", "is-a-new-visitor-each-time"):
            visitor.pop("sid", None)
        if has("loses-the-visitor") and "sid" not in visitor or has("is-a-new-visitor-each-time"):
            visitor.pop("vid", None)
        query = urlencode({"v": version, **visitor, "obh": "false"})
        return (f"https://{self._app.services['smt']}/api/account/{settings.account}"
                f"/app/{settings.app_installation}/engagement?{query}")

    def _ask(self, place, version="1.0"):
        properties = client_properties(None)
        body = {
            "clientProperties": {name: properties[name] for name in ("appVersion", "deviceFamily", "os", "osName", "osVersion")},
            "entryPoints": [f"sec://{place}", "lang://English"],
        }
        if has("names-no-entry-points"):
            del body["entryPoints"]
        if self._memory.user:
            body["identities"] = [{"iss": self._app.settings.issuer, "acr": "loa1", "sub": self._memory.user}]
        return self._app.web.call("POST", self._url(version), body=body)
