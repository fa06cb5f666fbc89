"""The brand's identity provider, as the app uses it: authorization code flow, with PKCE."""

import base64
import hashlib
import secrets
from urllib.parse import parse_qs, urlsplit

import requests


class Credentials:
    """What the brand gave for one person, and until when it is good."""

    def __init__(self, tokens, until):
        self.id_token = tokens["id_token"]
        self.access_token = tokens["access_token"]
        self.refresh_token = tokens.get("refresh_token")
        self.until = until


class Brand:
    def __init__(self, world):
        self.world = world

    def sign_in(self, person):
        """Sign a person in. The hint stands for the password that they would type."""
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        state = secrets.token_urlsafe(12)
        redirect = self.world.setting("IDENTITY_REDIRECT_URI")
        answer = requests.get(self.world.setting("IDENTITY_AUTHORIZATION_ENDPOINT"), allow_redirects=False, timeout=30, params={
            "response_type": "code", "client_id": self.world.setting("IDENTITY_CLIENT_ID"), "redirect_uri": redirect,
            "scope": "openid", "state": state, "nonce": secrets.token_urlsafe(12), "login_hint": person,
            "code_challenge": challenge, "code_challenge_method": "S256"})
        if answer.status_code != 302:
            raise RuntimeError(f"the sign-in was answered {answer.status_code}")
        parameters = parse_qs(urlsplit(answer.headers["Location"]).query)
        if parameters.get("state") != [state] or "code" not in parameters:
            raise RuntimeError(f"the sign-in came back with {parameters}")
        return self._tokens({"grant_type": "authorization_code", "code": parameters["code"][0],
                             "redirect_uri": redirect, "code_verifier": verifier})

    def refresh(self, credentials):
        return self._tokens({"grant_type": "refresh_token", "refresh_token": credentials.refresh_token, "scope": "openid"})

    def _tokens(self, form):
        asked = self.world.now()
        answer = requests.post(self.world.setting("IDENTITY_TOKEN_ENDPOINT"), data=form, timeout=30, auth=(
            self.world.setting("IDENTITY_CLIENT_ID"), self.world.setting("IDENTITY_CLIENT_SECRET")))
        if answer.status_code != 200:
            raise RuntimeError(f"the token endpoint answered {answer.status_code} {answer.text[:200]}")
        tokens = answer.json()
        return Credentials(tokens, asked + tokens["expires_in"])
