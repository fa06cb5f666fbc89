"""The brand's own sign-in, from which the app gets a code or a JWT for LivePerson (LivePerson reference 3.2)."""

import base64
import hashlib
import secrets
from urllib.parse import parse_qsl, urlsplit

from answers import claims
from retry import Refused, Unavailable, available, standard

EXPIRY_MARGIN = 5  # seconds before its end from which a JWT is not used any more


class Brand:
    """The brand's account of one user."""

    def __init__(self, world):
        self.world = world
        self.redirect_uri = world.sandbox.setting("IDENTITY_REDIRECT_URI")
        self.given = None  # the last credential
        self.given_at = 0

    async def credential(self, fresh):
        """The body of a sign-in at LivePerson: a new code, or a JWT, which may be used until it expires. Raises `GaveUp` or `Refused`."""
        if self.given and self.holds(fresh):
            return self.given
        if self.world.variant.flow == "code":
            self.given = await standard(self.world, self.code)
        else:
            self.given = {"id_token": await standard(self.world, self.jwt)}
        self.given_at = self.world.clock.now()
        return self.given

    def holds(self, fresh):
        """Whether the last credential may be used again."""
        if self.world.variant.flow == "code":
            return self.world.habits.has("reuses-the-code")
        said = claims(self.given["id_token"])
        now = self.world.clock.now()
        if self.world.variant.ios:
            lives = now < said["exp"] - EXPIRY_MARGIN
        else:  # the phone's clock may differ from the brand's (RFC 7519 §4.1.4), so only the time since the JWT came counts
            lives = now - self.given_at < said["exp"] - said["iat"] - EXPIRY_MARGIN
        return lives and (not fresh or self.world.habits.has("keeps-the-refused-jwt"))

    async def code(self):
        """A code for a new challenge, and what redeems it (SDK flows, Authorization with PKCE; RFC 7636 §4)."""
        verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(verifier.encode()).digest()
        challenge = {"code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), "code_challenge_method": "S256"}
        if self.world.habits.has("no-pkce"):
            challenge = {}
        given = await self.authorize(response_type="code", **challenge)
        credential = {"code": given["code"], "redirect_uri": self.redirect_uri}
        if challenge and not self.world.habits.has("loses-the-verifier"):
            credential["code_verifier"] = verifier
        return credential

    async def jwt(self):
        return (await self.authorize(response_type="id_token", nonce=secrets.token_urlsafe(8)))["id_token"]

    async def authorize(self, **parameters):
        """What the brand's page brings back in its redirect."""
        state = secrets.token_urlsafe(8)
        parameters |= {
            "client_id": self.world.sandbox.setting("IDENTITY_CLIENT_ID"),
            "redirect_uri": self.redirect_uri,
            "scope": "openid",
            "state": state,
            "login_hint": self.world.person,
        }
        endpoint = self.world.sandbox.setting("IDENTITY_AUTHORIZATION_ENDPOINT")
        answer = available(await self.world.pool.call("GET", endpoint, params=parameters))
        place = urlsplit(answer.headers.get("location", ""))
        given = dict(parse_qsl(place.query or place.fragment))
        error = given.get("error")
        if given.get("state") != state or error in ("temporarily_unavailable", "server_error"):
            raise Unavailable(f"the brand's sign-in: {answer.status_code} {error}")
        if error:  # RFC 6749 §4.1.2.1: the others do not pass
            raise Refused(f"the brand's sign-in: {error}")
        return given
