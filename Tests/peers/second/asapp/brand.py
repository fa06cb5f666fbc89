"""The brand's identity provider, as the brand's app uses it."""

import base64
import hashlib
import secrets
from urllib.parse import parse_qs, quote_plus, urlsplit


class BrandError(Exception):
    """The provider said no."""


class Brand:
    """Code flow with PKCE, and refresh tokens (RFC 6749 4.1 and 6, RFC 7636)."""

    def __init__(self, pool, setting):
        self.pool = pool
        self.authorize = setting("IDENTITY_AUTHORIZATION_ENDPOINT")
        self.token = setting("IDENTITY_TOKEN_ENDPOINT")
        self.redirect = setting("IDENTITY_REDIRECT_URI")
        self.client_id = setting("IDENTITY_CLIENT_ID")
        # Each form-encoded first (RFC 6749 2.3.1).
        pair = f"{quote_plus(self.client_id)}:{quote_plus(setting('IDENTITY_CLIENT_SECRET'))}"
        self.proof = {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}

    async def sign_in(self, name):
        """The tokens of somebody who signs in on the provider's page."""
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        state = secrets.token_urlsafe(16)
        question = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "scope": "openid offline_access",
            "state": state,
            "login_hint": name,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        response = await self.pool.call("GET", self.authorize, params=question)
        found = parse_qs(urlsplit(response.headers.get("Location", "")).query)
        if found.get("state") != [state] or "code" not in found:
            raise BrandError(f"no code: {response.status_code} {found}")
        return await self.redeem(grant_type="authorization_code", code=found["code"][0], redirect_uri=self.redirect, code_verifier=verifier)

    async def renew(self, refresh_token):
        return await self.redeem(grant_type="refresh_token", refresh_token=refresh_token)

    async def redeem(self, **form):
        response = await self.pool.call("POST", self.token, data=form, headers=self.proof)
        if response.status_code != 200:
            raise BrandError(f"no tokens: {response.status_code} {response.text[:200]}")
        return response.json()
