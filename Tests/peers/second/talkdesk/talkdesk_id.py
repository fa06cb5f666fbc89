"""Talkdesk ID, as the brand's backend speaks to it (Talkdesk reference 3.4)."""

import secrets
import uuid
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey

from basic import basic
from shared.pool import NetworkError, Pool
from shared.sandbox import Sandbox

SCOPE = "visual-sessions:execute"


class Refused(Exception):
    """Talkdesk ID answered with an error. `wait` says for how many seconds it wants to be left alone, if it does."""

    def __init__(self, status, error, wait):
        super().__init__(f"{status} {error}")
        self.status = status
        self.error = error
        self.wait = wait


class TalkdeskID:
    """The OAuth client of the brand, who proves itself with its secret or with a signed assertion."""

    def __init__(self, world):
        self.clock = world.clock
        self.habits = world.habits
        self.proof = world.variant.proof
        self.pool = Pool(world.sandbox.authority, 25 * world.clock.scale)  # shorter than the 30 s that the SDK waits
        self.client_id = Sandbox.setting("TALKDESK_CLIENT_ID")
        self.token_url = Sandbox.setting("TALKDESK_TOKEN_URL")
        self.assertion = None

    async def code_for(self, person):
        """A new code, by a new authorization."""
        state = secrets.token_urlsafe(16)
        query = {
            "client_id": self.client_id,
            "redirect_uri": Sandbox.setting("TALKDESK_REDIRECT_URI"),
            "response_type": "code",
            "scope": SCOPE,
            "state": state,
            "nonce": secrets.token_urlsafe(16),
            "login_hint": person,
        }
        answer = await self.pool.call("GET", Sandbox.setting("TALKDESK_AUTHORIZE_URL"), params=query)
        if answer.status_code != 302:
            raise self.refusal(answer)
        given = parse_qs(urlsplit(answer.headers["Location"]).query)
        if given.get("state") != [state] or "code" not in given:
            raise Refused(302, given.get("error", ["no code"])[0], 0)
        return given["code"][0]

    async def redeem(self, code):
        return await self.tokens({"grant_type": "authorization_code", "code": code, "redirect_uri": Sandbox.setting("TALKDESK_REDIRECT_URI")})

    async def refresh(self, refresh_token):
        return await self.tokens({"grant_type": "refresh_token", "refresh_token": refresh_token})

    async def client_credentials(self):
        return await self.tokens({"grant_type": "client_credentials", "scope": SCOPE})

    async def tokens(self, grant):
        """Raises `Refused` and `NetworkError`. A POST is never sent again by itself."""
        if self.proof == "assertion":
            kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
            form = {**grant, "client_id": self.client_id, "client_assertion_type": kind, "client_assertion": self.signed()}
            answer = await self.pool.call("POST", self.token_url, data=form)
        else:
            client = {"Authorization": basic(self.client_id, Sandbox.setting("TALKDESK_CLIENT_SECRET"))}
            answer = await self.pool.call("POST", self.token_url, data=grant, headers=client)
        if answer.status_code != 200:
            raise self.refusal(answer)
        try:
            return answer.json()
        except ValueError as error:
            raise NetworkError("Talkdesk ID sent something that is not JSON") from error

    def signed(self):
        """A new assertion, good for five minutes and for one request."""
        if self.assertion and self.habits.has("one-assertion"):
            return self.assertion
        now = int(self.clock.now())
        claims = {"jti": str(uuid.uuid4()), "sub": self.client_id, "iss": self.client_id, "aud": self.token_url, "iat": now, "exp": now + 300}
        key = ECKey.import_key(Sandbox.setting("TALKDESK_PRIVATE_KEY"))
        self.assertion = jwt.encode({"kid": Sandbox.setting("TALKDESK_KEY_ID"), "alg": "ES256"}, claims, key)
        return self.assertion

    @staticmethod
    def refusal(answer):
        try:
            error = answer.json().get("error", "")
        except ValueError:
            error = ""
        return Refused(answer.status_code, error, int(answer.headers.get("Retry-After", 0)))

    async def close(self):
        await self.pool.close()
