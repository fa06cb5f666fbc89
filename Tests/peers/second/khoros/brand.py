"""The brand's sign-in and the API behind its app (End User Authentication, Using an identity provider)."""

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlsplit

import habits
from joserfc import jwt
from joserfc.jwk import OctKey
from shared.pool import NetworkError, Pool
from shared.sandbox import Sandbox


class BrandFailed(Exception):
    """The user is not signed in, or the brand's backend gives no JWT."""


@dataclass(frozen=True)
class Person:
    """Who the identity provider says it is."""

    user_id: str
    name: str


class Brand:
    """The brand as one device knows it: who is signed in, and where their JWTs come from. The secret stays on the server."""

    def __init__(self, platform, clock, authority):
        self.platform = platform
        self.clock = clock
        self.pool = Pool(authority, 30 * clock.scale)
        self.person = None
        self.tokens = None
        self.expires = 0

    async def sign_in(self, user):
        """Authorization code flow with PKCE (RFC 6749 4.1, RFC 7636)."""
        verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
        redirect_uri = Sandbox.setting("IDENTITY_REDIRECT_URI")
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        question = {
            "response_type": "code",
            "client_id": Sandbox.setting("IDENTITY_CLIENT_ID"),
            "redirect_uri": redirect_uri,
            "scope": "openid profile",
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "login_hint": user,
        }
        answer = await self.call("GET", Sandbox.setting("IDENTITY_AUTHORIZATION_ENDPOINT"), params=question)
        given = parse_qs(urlsplit(answer.headers.get("Location", "")).query)
        if given.get("state") != [state] or "code" not in given:
            raise BrandFailed(f"sign-in: {answer.status_code}")
        await self.redeem(grant_type="authorization_code", code=given["code"][0], redirect_uri=redirect_uri, code_verifier=verifier)
        claims = self.claims(self.tokens["id_token"])
        self.person = Person(claims["sub"], claims.get("given_name", claims["sub"]))

    async def redeem(self, **grant):
        client = f"{quote(Sandbox.setting('IDENTITY_CLIENT_ID'))}:{quote(Sandbox.setting('IDENTITY_CLIENT_SECRET'))}"
        basic = {"Authorization": f"Basic {base64.b64encode(client.encode()).decode()}"}
        answer = await self.call("POST", Sandbox.setting("IDENTITY_TOKEN_ENDPOINT"), data=grant, headers=basic)
        if answer.status_code != 200:
            raise BrandFailed(f"token: {answer.status_code}")
        self.tokens = answer.json()

    async def get_jwt(self):
        """A new JWT for the user who is signed in."""
        if habits.has("signs-jwts-itself"):
            return self.signed_by_the_app()
        answer = await self.ask_for_jwt()
        if answer.status_code == 401:
            await self.redeem(grant_type="refresh_token", refresh_token=self.tokens["refresh_token"])
            answer = await self.ask_for_jwt()
        if answer.status_code != 200:
            raise BrandFailed(f"JWT: {answer.status_code}")
        issued = answer.json()
        self.expires = self.clock.now() + issued["expiresIn"]
        return issued["jwt"]

    async def ask_for_jwt(self):
        question = {"userId": self.person.user_id, "name": self.person.name, "platform": self.platform}
        bearer = {"Authorization": f"Bearer {self.tokens['access_token']}"}
        return await self.call("POST", Sandbox.setting("IDENTITY_JWT_URL"), json=question, headers=bearer)

    def signed_by_the_app(self):
        """As the sample of End User Authentication does, on the device."""
        now = int(self.clock.now())
        self.expires = now + 3600
        header = {"alg": "HS256", "typ": "JWT", "kid": Sandbox.setting("KHOROS_KEY_ID")}
        claims = {"userId": self.person.user_id, "scope": "appUser", "platform": self.platform, "givenName": self.person.name}
        secret = OctKey.import_key(Sandbox.setting("KHOROS_KEY_SECRET"))
        return jwt.encode(header, {**claims, "iat": now, "exp": now + 3600}, secret)

    async def call(self, method, url, **options):
        try:
            return await self.pool.call(method, url, **options)
        except NetworkError as error:
            raise BrandFailed(str(error)) from error

    def sign_out(self):
        self.person = self.tokens = None

    @staticmethod
    def claims(token):
        """The token came from the provider itself, so its signature is not checked (OpenID Connect Core 3.1.3.7, number 6)."""
        payload = token.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
