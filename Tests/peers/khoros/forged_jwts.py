"""JWTs that an app signs itself, as only the brand's server should."""

import os
import time

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey


def forge(session, algorithm="HS256", milliseconds=False, ahead=0, without=(), platform=None):
    claims = {
        "scope": "appUser", "userId": session.user_id, "platform": platform or session.world.variant.platform, "givenName": session.name,
        "iat": int(time.time() * 1000) if milliseconds else int(time.time()) + ahead,
    }
    for name in without:
        del claims[name]
    secret = os.environ["SPARRING_KHOROS_KEY_SECRET"]
    key = RSAKey.generate_key(2048) if algorithm.startswith("RS") else OctKey.import_key(secret.encode())
    header = {"alg": algorithm, "typ": "JWT", "kid": os.environ["SPARRING_KHOROS_KEY_ID"]}
    return jwt.encode(header, claims, key, algorithms=[algorithm])
