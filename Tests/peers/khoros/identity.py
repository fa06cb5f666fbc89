"""The brand's side: sign-in at its identity provider, and getJWT of its backend."""

import base64
import hashlib
import json
import secrets
import time
from urllib.parse import parse_qs, urlparse

import requests


class SignInFailed(Exception):
    pass


class Session:
    """A person who has signed in at the brand."""

    def __init__(self, world, hint):
        self.world = world
        self.hint = hint
        self.sign_in()

    def sign_in(self):
        verifier = secrets.token_urlsafe(48) if self.world.variant.pkce else None
        tokens = self.redeem(self.ask_for_code(verifier), verifier)
        claims = json.loads(base64.urlsafe_b64decode(tokens["id_token"].split(".")[1] + "=="))
        self.access_token = tokens["access_token"]
        self.user_id = claims["sub"]
        self.name = claims.get("name", self.hint.capitalize())

    def ask_for_code(self, verifier):
        state = secrets.token_urlsafe(16)
        query = {
            "response_type": "code", "scope": "openid profile", "state": state, "login_hint": self.hint,
            "client_id": self.world.setting("IDENTITY_CLIENT_ID"), "redirect_uri": self.world.setting("IDENTITY_REDIRECT_URI"),
        }
        if verifier:
            digest = hashlib.sha256(verifier.encode()).digest()
            query["code_challenge"] = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            query["code_challenge_method"] = "S256"
        answer = requests.get(self.world.setting("IDENTITY_AUTHORIZATION_ENDPOINT"), params=query, allow_redirects=False, timeout=30)
        back = parse_qs(urlparse(answer.headers.get("Location", "")).query)
        if answer.status_code != 302 or back.get("state") != [state] or "code" not in back:
            raise SignInFailed(f"no code: {answer.status_code} {answer.text}")
        return back["code"][0]

    def redeem(self, code, verifier):
        client = self.world.setting("IDENTITY_CLIENT_ID"), self.world.setting("IDENTITY_CLIENT_SECRET")
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.world.setting("IDENTITY_REDIRECT_URI")}
        if verifier:
            form["code_verifier"] = verifier
        if not self.world.variant.secret_in_header:
            form["client_id"], form["client_secret"] = client
        answer = requests.post(
            self.world.setting("IDENTITY_TOKEN_ENDPOINT"), data=form, auth=client if self.world.variant.secret_in_header else None, timeout=30)
        if answer.status_code != 200:
            raise SignInFailed(f"no tokens: {answer.status_code} {answer.text}")
        return answer.json()

    def get_jwt(self):
        """The company's API getJWT, with userId and name. A session that has ended is restarted, once."""
        answer = self.ask_for_jwt()
        if answer.status_code == 401:
            self.sign_in()
            answer = self.ask_for_jwt()
        if answer.status_code != 200:
            raise SignInFailed(f"no JWT: {answer.status_code} {answer.text}")
        self.jwt_ends = time.monotonic() + self.world.real(answer.json()["expiresIn"])
        return answer.json()["jwt"]

    def ask_for_jwt(self):
        return requests.post(
            self.world.setting("IDENTITY_JWT_URL"), headers={"Authorization": f"Bearer {self.access_token}"},
            json={"userId": self.user_id, "name": self.name, "platform": self.world.variant.platform}, timeout=30)
