"""The person signs in at the brand's own identity provider: authorization code with PKCE."""

import base64
import hashlib
import json
import secrets
from urllib.parse import parse_qs, quote, urlsplit

import requests

import env


def sign_in(person):
    """Returns the access token that the brand's backend knows the person by."""
    state, verifier = secrets.token_urlsafe(16), secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    answer = requests.get(env.identity("AUTHORIZATION_ENDPOINT"), allow_redirects=False, timeout=30, params={
        "response_type": "code", "client_id": env.identity("CLIENT_ID"), "scope": "openid profile",
        "redirect_uri": env.identity("REDIRECT_URI"), "state": state, "login_hint": person,
        "code_challenge": challenge, "code_challenge_method": "S256"})
    back = parse_qs(urlsplit(answer.headers["Location"]).query)
    if back.get("state") != [state] or "code" not in back:
        raise RuntimeError("the sign-in was refused: %s" % back.get("error"))
    answer = requests.post(env.identity("TOKEN_ENDPOINT"), timeout=30, data={
        "grant_type": "authorization_code", "code": back["code"][0], "code_verifier": verifier,
        "redirect_uri": env.identity("REDIRECT_URI")},
        auth=(quote(env.identity("CLIENT_ID"), safe=""), quote(env.identity("CLIENT_SECRET"), safe="")))
    answer.raise_for_status()
    return answer.json()["access_token"]


def payload(token):
    """The claims of a JWT that came straight from its issuer."""
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
