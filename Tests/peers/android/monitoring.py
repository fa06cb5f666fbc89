"""LivePerson's Monitoring API: which engagement fits where the user is in the app."""
import json
import re

import timing
from failures import Refused, Unavailable
from habits import has

LOADING_PAUSES = (3.0, 10.0, 30.0, 90.0)  # the Monitoring API's own, while it loads an account
APP_INSTALLATION = "7c1e2b9a-5d40-4f66-9b7e-30d8a1c4f205"
CLIENT = {"appVersion": "4.2.0", "deviceFamily": "MOBILE", "os": "ANDROID", "osName": "Android", "osVersion": "14"}


class AccountLoading(Unavailable):
    """The account is not loaded yet; the visitor is known already."""


class Monitoring:
    """The calls of the service `smt`, in one session of one visitor."""

    def __init__(self, web, policy, account, hosts, issuer, user, disk):
        self.web, self.policy, self.account, self.hosts, self.disk = web, policy, account, hosts, disk
        self.identities = [{"iss": issuer, "acr": "loa1", "sub": user}] if user else []

    async def engagement(self, entry_points, superseded=lambda: False):
        """The engagement for these entry points, or None where there is nothing to show."""
        answer = await self.retried("POST", "engagement", {"entryPoints": entry_points}, superseded)
        for _ in range(3 if has("asks-again-for-an-engagement") and not answer.get("engagementDetails") else 0):
            await timing.wait(0.5)
            answer = await self.retried("POST", "engagement", {"entryPoints": entry_points}, superseded)
        details = answer.get("engagementDetails") or [None]
        return details[0]

    async def report(self, attributes):
        """Reports attributes of the user in the session that there is."""
        await self.retried("PUT", "report", {"engagementAttributes": attributes}, lambda: False)

    async def retried(self, method, name, body, superseded):
        """A call with its retries; no more of them once the user has gone on to another screen."""

        def pauses(retry, failure):
            if superseded():
                return None
            if has("asks-for-the-engagement-each-second", "insists-on-another-version"):
                return 1.0 if retry < 10 else None
            if has("asks-again-for-an-engagement") and retry >= 5:
                return 0.5 if retry == 5 else self.policy.pause(retry - 6, failure)
            if isinstance(failure, AccountLoading):
                return self.policy.jittered(LOADING_PAUSES[retry]) if retry < len(LOADING_PAUSES) else None
            return self.policy.pause(retry, failure)

        async def attempt(moment):
            if superseded():
                raise Refused("the user has gone on")
            return await self.send(method, name, body, moment)

        return await self.policy.run(attempt, pauses)

    async def send(self, method, name, body, moment):
        """One request; the session that is answered is kept for the next."""
        session = {key: self.disk[key] for key in ("vid", "sid") if key in self.disk}
        if has("loses-the-session", "is-a-new-visitor-each-time"):
            session.pop("sid", None)
        if has("loses-the-visitor") and "sid" not in session or has("is-a-new-visitor-each-time"):
            session.pop("vid", None)
        version = "v=9.9" if has("insists-on-another-version") and name == "engagement" else "v=1.0"
        query = "&".join([version, *(f"{key}={value}" for key, value in session.items()), "obh=false"])
        url = f"https://{self.hosts['smt']}/api/account/{self.account}/app/{APP_INSTALLATION}/{name}?{query}"
        body = {"identities": self.identities, "clientProperties": CLIENT} | body
        answer = await self.web.call(method, url, body=body, moment=moment)
        self.check_loading(answer)
        try:
            told = answer.check().object()
        except Refused as refusal:
            if has("insists-on-another-version"):
                raise Unavailable("the version is not known") from refusal
            if refusal.status == 404 and session:
                # The session is not known any more: the next call begins another.
                self.disk.pop("vid", None), self.disk.pop("sid", None)
                raise Unavailable("the session is not known any more") from refusal
            raise
        self.disk.update(vid=told["visitorId"], sid=told["sessionId"])
        return told

    def check_loading(self, answer):
        """Whether the account is still being loaded: then the visitor that the text names is kept."""
        if answer.status not in (202, 500):
            return
        try:
            message = json.loads(answer.body).get("message", "")
        except (ValueError, AttributeError):
            return
        loading = re.match(r"Loading account: .*vid: (\w+)", message)
        if loading:
            self.disk["vid"] = loading[1]
            raise AccountLoading(message)
