"""The sign-in at the brand's identity provider."""

import base64
import hashlib
import os
import secrets
import urllib.parse

from calls import TransportFailure
from errors import ServerError, SignInNeeded

REDIRECT = os.environ.get("SPARRING_IDENTITY_REDIRECT_URI", "")


async def sign_in(settings, calls, with_verifier, who="ada"):
    """Signs somebody in; returns a fresh code and its verifier (None where the SDK has no place for one)."""
    state = secrets.token_urlsafe(12)
    query = {"response_type": "code", "client_id": settings.need("SPARRING_IDENTITY_CLIENT_ID"), "redirect_uri": REDIRECT,
             "scope": "openid profile", "state": state, "login_hint": who}
    verifier = None
    if with_verifier:
        verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(verifier.encode()).digest()
        query["code_challenge"] = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        query["code_challenge_method"] = "S256"
    endpoint = settings.need("SPARRING_IDENTITY_AUTHORIZATION_ENDPOINT")
    try:
        answer = await calls.send("GET", f"{endpoint}?{urllib.parse.urlencode(query)}", {"Accept": "text/html"}, seconds=10)
    except TransportFailure:
        raise ServerError("the brand's sign-in") from None
    if answer.status != 302:
        raise ServerError("the brand's sign-in", answer.status, answer.retry_after)
    told = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.headers["Location"]).query))
    if told.get("state") != state or not told.get("code"):
        raise SignInNeeded(f"the brand's sign-in failed: {told.get('error', 'another state')}")
    return told["code"], verifier
