"""The brand's own backend. Its app calls `access`; it answers with a status and a token."""

import secrets
import threading
import time
from urllib.parse import parse_qs, urlsplit

import requests

import env
from signin import payload
from talkdesk_id import Refused, TalkdeskId

SCOPE = "visual-sessions:execute"


class Backend:
    """Asks Talkdesk ID once for each request of the app, as the sample server does."""

    def __init__(self, marks, proof="assertion"):
        self.marks = marks
        self.talkdesk_id = TalkdeskId(proof)
        self.lock = threading.Lock()

    def access(self, refused=None):
        """`refused` is the token that the gateway did not take. Returns status and token."""
        with self.lock:
            try:
                status, token = 201, self.token(refused)
            except Refused as refusal:
                status, token = status_for(refusal), None
        self.marks.tell("app-answered", status=status)
        return status, token

    def token(self, refused):
        return self.talkdesk_id.client_credentials(SCOPE)["access_token"]


def status_for(refusal):
    """The app learns no more than that. A refusal is 500, as in the sample server."""
    if refusal.status is None:
        return 502
    return 503 if refusal.status in (429, 503) else 500


class CachingBackend(Backend):
    """Keeps a token until a minute before its end, or until the gateway refuses it."""

    kept, good_until = None, 0.0

    def token(self, refused):
        if self.kept and self.kept != refused and time.monotonic() < self.good_until:
            return self.kept
        self.kept = None
        tokens = self.talkdesk_id.client_credentials(SCOPE)
        self.kept = tokens["access_token"]
        self.good_until = time.monotonic() + env.real(tokens["expires_in"] - 60)
        return self.kept


class CodeBackend(Backend):
    """Gets a token for the person: a code first, then refresh tokens."""

    person = "ada"
    refresh_token = None

    def token(self, refused):
        tokens = self.refreshed() or self.by_code()
        self.refresh_token = tokens.get("refresh_token", self.refresh_token)
        return tokens["access_token"]

    def refreshed(self):
        """None if there is no refresh token, or if it may be used up."""
        if self.refresh_token is None:
            return None
        try:
            return self.talkdesk_id.refresh(self.refresh_token)
        except Refused as refusal:
            if refusal.status is not None and refusal.error != "invalid_grant":
                raise
            self.refresh_token = None
            return None

    def by_code(self):
        """A code whose answer was lost is used up, so the person is asked once more."""
        try:
            return self.redeem(*self.authorize())
        except Refused as refusal:
            if refusal.status is not None:
                raise
            return self.redeem(*self.authorize())

    def authorize(self):
        """Returns a code and the nonce that its ID token must have."""
        state, nonce = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        try:
            answer = requests.get(env.talkdesk("AUTHORIZE_URL"), params=self.question(state, nonce),
                                  allow_redirects=False, timeout=30)
        except requests.RequestException as error:
            raise Refused(None, "no answer") from error
        back = parse_qs(urlsplit(answer.headers.get("Location", "")).query)
        if "code" not in back or not self.is_ours(back, state):
            raise Refused(answer.status_code, back.get("error", ["no code"])[0])
        return back["code"][0], nonce

    def is_ours(self, back, state):
        return back.get("state") == [state]

    def question(self, state, nonce):
        return {"client_id": env.talkdesk("CLIENT_ID"), "redirect_uri": env.talkdesk("REDIRECT_URI"),
                "response_type": "code", "scope": "openid " + SCOPE, "state": state, "nonce": nonce,
                "login_hint": self.person}

    def redeem(self, code, nonce):
        tokens = self.talkdesk_id.redeem(code)
        if payload(tokens["id_token"]).get("nonce") != nonce:
            raise Refused(200, "the ID token is not of this sign-in")
        return tokens
