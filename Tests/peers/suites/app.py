"""A brand's app as its tests drive it: signs in at the brand and at LivePerson, and registers its device for pushes."""

import os
import secrets
import time
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests

SECOND = float(os.environ.get("APP_SECOND", "1"))  # what a second of the app's timers takes; the tests shorten it


class SignInFailed(Exception):
    """The user learns that they cannot be signed in."""


class SignOutFailed(Exception):
    """The user learns that they are still signed in."""


class Unavailable(Exception):
    """Nobody sensible answered: worth another try later."""


class Refused(Exception):
    """The credential was not accepted: another one may be."""


class App:
    """One user on one device.

    `settings` are what the app is configured with, `tell` is called with what the network does not show. A `habit` makes it a bad client: "hurries"
    retries at once, "signs-in-with-the-old-token" and "registers-with-the-old-token" bring a token again that was refused."""

    def __init__(self, settings, tell, flow="implicit", habit=None, user="alice"):
        self._settings, self._tell, self._flow, self._habit, self._user = settings, tell, flow, habit, user
        self._http = requests.Session()
        self._hosts, self._credential, self._token = {}, None, None

    def start(self):
        """Looks up where LivePerson's services are."""
        for service in ("idp", "pusher"):
            where = self._ask("GET", self._settings["lookup"] + self._account(f"/service/{service}/baseURI.json?version=1.0"))
            self._hosts[service] = "https://" + where["baseURI"]

    def sign_in(self):
        """Three refusals in a row, each of another credential, and the user learns of it."""
        for _ in range(3):
            try:
                self._token = self._patiently(self._exchange)
                return
            except Refused:
                if self._habit != "signs-in-with-the-old-token":
                    self._credential = None
        self._tell("gave-up")
        raise SignInFailed

    def register(self):
        self._pusher("PUT", self._registration(), {"deviceToken": "ab" * 32, "pushType": "APNS", "lang": "en-US"})

    def unread(self):
        return self._pusher("GET", f"/unread?appId={self._settings['app']}")["total"]

    def sign_out(self):
        """The device is unregistered first, so that the next user does not get this one's pushes."""
        try:
            self._pusher("DELETE", self._registration() + "?type=ALL")
        except Unavailable:
            self._tell("gave-up")
            raise SignOutFailed from None
        self._credential = self._token = None
        self._tell("signed-out")

    def _registration(self):
        return f"/registrations/{self._settings['app']}"

    def _account(self, path):
        return f"/api/account/{self._settings['account']}{path}"

    def _exchange(self):
        """The brand's credential for LivePerson's token. A code may have been spent even where no answer came, so each attempt brings another."""
        if self._credential is None or self._flow == "code":
            self._credential = self._ask_brand()
        return self._ask("POST", self._hosts["idp"] + self._account("/app/default/authenticate?v=2.0"), self._credential)["jwt"]

    def _ask_brand(self):
        implicit = self._flow == "implicit"
        wish = {"response_type": "id_token" if implicit else "code", "client_id": self._settings["client"], "redirect_uri": self._settings["redirect"],
                "scope": "openid", "state": secrets.token_urlsafe(12), "nonce": secrets.token_urlsafe(12), "login_hint": self._user}
        answer = self._http.get(f"{self._settings['authorize']}?{urlencode(wish)}", allow_redirects=False, timeout=30)
        if answer.status_code != 302:
            raise Unavailable(f"the brand answered {answer.status_code}")
        place = urlsplit(answer.headers["Location"])
        given = dict(parse_qsl(place.fragment or place.query))
        return {"id_token": given["id_token"]} if implicit else {"code": given["code"], "redirect_uri": self._settings["redirect"]}

    def _pusher(self, method, path, body=None):
        """With the standard retries, and once with a fresh token where the one that there is was refused."""
        def call():
            return self._ask(method, f"{self._hosts['pusher']}/mock/pusher/account/{self._settings['account']}{path}", body, self._token)

        try:
            return self._patiently(call)
        except Refused:
            if self._habit != "registers-with-the-old-token":
                self._credential = None
                self.sign_in()
            return self._patiently(call)

    def _patiently(self, call):
        """LivePerson's advice: what fails because the server is down is tried again after 1, 2, 4, 8 and 16 seconds."""
        for delay in (1, 2, 4, 8, 16):
            try:
                return call()
            except Unavailable:
                time.sleep(0 if self._habit == "hurries" else delay * SECOND)
        return call()

    def _ask(self, method, url, body=None, token=None):
        try:
            answer = self._http.request(method, url, json=body, headers={"Authorization": f"Bearer {token}"} if token else {}, timeout=30)
        except requests.exceptions.SSLError:
            raise  # no retry mends a certificate
        except requests.RequestException as error:
            raise Unavailable from error
        if answer.ok:
            return answer.json() if answer.content else None
        # LivePerson's own refusal of a sign-in has status 500 and this member.
        if answer.status_code == 401 or "internalErrorCode" in answer.text:
            raise Refused(answer.text)
        raise Unavailable(f"{answer.status_code} {answer.text}")
