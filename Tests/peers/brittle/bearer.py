"""Gets a token for the brand's own server from its identity provider."""

import json
import os
import urllib.request
from urllib.parse import urlencode


def setting(name):
    return os.environ["SPARRING_IDENTITY_" + name]


form = {"grant_type": "client_credentials", "client_id": setting("CLIENT_ID"), "client_secret": setting("CLIENT_SECRET")}
with urllib.request.urlopen(setting("TOKEN_ENDPOINT"), urlencode(form).encode(), timeout=30) as answer:
    token = json.load(answer)
# The mistake: RFC 6749 §5.1 says that the case of the type does not matter.
if token["token_type"] != "Bearer":
    raise ValueError(f"cannot use a token of type {token['token_type']}")
print(f"has a token for {token.get('expires_in', 'some')} s")
