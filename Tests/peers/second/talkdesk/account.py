"""The brand's sign-in: authorization code with PKCE at the brand's identity provider (identity.openapi.yaml)."""

import base64
import hashlib
import secrets
from urllib.parse import parse_qs, urlsplit

from basic import basic
from shared.sandbox import Sandbox


class SignInFailed(Exception):
    """The identity provider signed nobody in."""


class Account:
    """The person who is signed in to the app; the store keeps the session while the process is dead."""

    def __init__(self, pool, store, person):
        self.pool = pool
        self.store = store
        self.person = person

    @property
    def session(self):
        """The tokens of the identity provider, if somebody is signed in."""
        return self.store.get("session")

    async def sign_in(self):
        if self.session:
            return
        verifier = secrets.token_urlsafe(48)
        state = secrets.token_urlsafe(16)
        redirect_uri = Sandbox.setting("IDENTITY_REDIRECT_URI")
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": Sandbox.setting("IDENTITY_CLIENT_ID"),
            "redirect_uri": redirect_uri,
            "scope": "openid profile",
            "state": state,
            "nonce": secrets.token_urlsafe(16),
            "login_hint": self.person,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        answer = await self.pool.call("GET", Sandbox.setting("IDENTITY_AUTHORIZATION_ENDPOINT"), params=query)
        given = parse_qs(urlsplit(answer.headers.get("Location", "")).query)
        if "code" not in given or given.get("state") != [state]:
            raise SignInFailed(f"no code: {answer.status_code} {given}")
        form = {"grant_type": "authorization_code", "code": given["code"][0], "redirect_uri": redirect_uri, "code_verifier": verifier}
        client = {"Authorization": basic(Sandbox.setting("IDENTITY_CLIENT_ID"), Sandbox.setting("IDENTITY_CLIENT_SECRET"))}
        answer = await self.pool.call("POST", Sandbox.setting("IDENTITY_TOKEN_ENDPOINT"), data=form, headers=client)
        if answer.status_code != 200:
            raise SignInFailed(f"no tokens: {answer.status_code}")
        self.store["session"] = answer.json()
