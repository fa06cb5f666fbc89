"""The brand's backend as a client of Talkdesk ID: three grants, and three ways to prove who it is."""

import json
import time
import uuid
from urllib.parse import quote

import requests
from joserfc import jws
from joserfc.jwk import ECKey

import env

ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


class Refused(Exception):
    """Talkdesk ID gave no token. `status` is None if no answer came."""

    def __init__(self, status, error):
        super().__init__("%s %s" % (status, error))
        self.status = status
        self.error = error


class TalkdeskId:
    def __init__(self, proof):
        self.proof = proof
        self.closed_until = 0.0

    def client_credentials(self, scope):
        return self.ask({"grant_type": "client_credentials", "scope": scope})

    def redeem(self, code):
        return self.ask({"grant_type": "authorization_code", "code": code, "redirect_uri": env.talkdesk("REDIRECT_URI")})

    def refresh(self, refresh_token):
        return self.ask({"grant_type": "refresh_token", "refresh_token": refresh_token})

    def ask(self, form):
        """One token request. While Talkdesk ID has asked to wait, none is made."""
        if time.monotonic() < self.closed_until:
            raise Refused(429, "not asked yet")
        authorization, form = self.prove(form)
        try:
            answer = requests.post(env.talkdesk("TOKEN_URL"), data=form, auth=authorization, timeout=30)
        except requests.RequestException as error:
            raise Refused(None, "no answer") from error
        if answer.status_code in (429, 503):
            self.closed_until = time.monotonic() + env.real(float(answer.headers.get("Retry-After", "1")))
        if answer.status_code != 200:
            raise Refused(answer.status_code, error_of(answer))
        return answer.json()

    def prove(self, form):
        """Returns what goes to `Authorization`, and the form."""
        client, secret = env.talkdesk("CLIENT_ID"), env.talkdesk("CLIENT_SECRET")
        if self.proof == "basic":
            return (quote(client, safe=""), quote(secret, safe="")), form
        if self.proof == "post":
            return None, {**form, "client_id": client, "client_secret": secret}
        return None, {**form, "client_id": client, "client_assertion_type": ASSERTION_TYPE,
                      "client_assertion": assertion(claims(client))}


def claims(client):
    issued = int(env.now())
    return {"jti": str(uuid.uuid4()), "sub": client, "iss": client, "aud": env.talkdesk("TOKEN_URL"),
            "iat": issued, "exp": issued + 300}


def assertion(payload, key=None):
    """Signs as the Ruby sample does: the header has no `typ`."""
    key = key or ECKey.import_key(env.talkdesk("PRIVATE_KEY"))
    header = {"kid": env.talkdesk("KEY_ID"), "alg": "ES256"}
    return jws.serialize_compact(header, json.dumps(payload).encode(), key)


def error_of(answer):
    try:
        return answer.json()["error"]
    except (ValueError, KeyError):
        return "unreadable"
