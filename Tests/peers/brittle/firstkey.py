"""Signs in at the brand's identity provider and verifies the ID token."""

import base64
import hashlib
import json
import os
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT, SECRET, REDIRECT = (os.environ["SPARRING_IDENTITY_" + name] for name in ("CLIENT_ID", "CLIENT_SECRET", "REDIRECT_URI"))
SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")  # the algorithm's name (RFC 8017 §9.2)


class Stay(urllib.request.HTTPRedirectHandler):
    """The code is in the redirect, which is not followed."""

    def redirect_request(self, *_):
        return None


def fetch(url, form=None):
    with urllib.request.urlopen(url, form and urlencode(form).encode(), timeout=30) as answer:
        return json.load(answer)


def ask_for_code(endpoint):
    wish = {"response_type": "code", "client_id": CLIENT, "redirect_uri": REDIRECT, "scope": "openid", "state": "s1", "login_hint": "ada"}
    try:
        urllib.request.build_opener(Stay).open(f"{endpoint}?{urlencode(wish)}", timeout=30)
    except urllib.error.HTTPError as answer:
        return parse_qs(urlsplit(answer.headers["Location"]).query)["code"][0]
    raise RuntimeError("the provider shows a page")


def octets(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify(token, key):
    """RS256 (RFC 7518 §3.3)."""
    signed, _, signature = token.rpartition(".")
    modulus, exponent = (int.from_bytes(octets(key[part]), "big") for part in ("n", "e"))
    size = (modulus.bit_length() + 7) // 8
    padded = pow(int.from_bytes(octets(signature), "big"), exponent, modulus).to_bytes(size, "big")
    digest = SHA256 + hashlib.sha256(signed.encode()).digest()
    if padded != b"\0\1" + b"\xff" * (size - len(digest) - 3) + b"\0" + digest:
        raise ValueError("the signature does not verify")
    return json.loads(octets(signed.split(".")[1]))


provider = fetch(os.environ["SPARRING_IDENTITY_DISCOVERY_URL"])
code = ask_for_code(provider["authorization_endpoint"])
form = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT, "client_id": CLIENT, "client_secret": SECRET}
tokens = fetch(provider["token_endpoint"], form)
# The mistake: the token's header names its key. A set may have several, in any order.
key = fetch(provider["jwks_uri"])["keys"][0]
print(verify(tokens["id_token"], key)["sub"], "has signed in")
