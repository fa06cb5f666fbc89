"""The brand, at which the customer signs in."""

import base64
import hashlib
import secrets
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

from shared.pool import Pool
from shared.sandbox import Sandbox
from store import new_id


@dataclass(frozen=True)
class Code:
    """An authorization code, and what proves that it is ours (RFC 7636)."""

    value: str
    verifier: str | None


class Brand:
    """The app's way through the brand's identity provider: a browser view that ends at the redirect URI."""

    def __init__(self, uses_verifier):
        self.uses_verifier = uses_verifier
        self.pool = Pool(None, 20)

    async def sign_in(self, login):
        """The Web SDK takes no verifier (CXone reference 3.6)."""
        query = {
            "response_type": "code",
            "client_id": Sandbox.setting("IDENTITY_CLIENT_ID"),
            "redirect_uri": Sandbox.setting("IDENTITY_REDIRECT_URI"),
            "scope": "openid profile",
            "state": new_id(),
            "nonce": new_id(),
            "login_hint": login,
        }
        verifier = None
        if self.uses_verifier:
            verifier = secrets.token_urlsafe(32)
            digest = hashlib.sha256(verifier.encode()).digest()
            query |= {"code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), "code_challenge_method": "S256"}
        answer = await self.pool.call("GET", f"{Sandbox.setting('IDENTITY_AUTHORIZATION_ENDPOINT')}?{urlencode(query)}")
        back = parse_qs(urlsplit(answer.headers["Location"]).query)
        if back["state"] != [query["state"]]:
            raise RuntimeError("the answer of the sign-in is not ours")
        return Code(back["code"][0], verifier)
