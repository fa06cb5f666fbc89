"""Bad habits of the brand's backend."""

from joserfc.jwk import ECKey

import admin
import backend
import env
import talkdesk_id
from app import Person
from habits import habit
from talkdesk_id import Refused, TalkdeskId


def changing_claims(**changed):
    good = talkdesk_id.claims
    talkdesk_id.claims = lambda client: {**good(client), **changed}


@habit("token-revoked-mid-interaction backend-assertion", "token-expires-mid-interaction backend-cache")
def signs_with_another_key():
    good, key = talkdesk_id.assertion, ECKey.generate_key("P-256")
    talkdesk_id.assertion = lambda payload: good(payload, key)


@habit("token-revoked-mid-interaction backend-assertion", "token-expires-mid-interaction backend-cache")
def names_another_audience():
    changing_claims(aud="https://other.talkdeskid.example/oauth/token")


@habit("token-revoked-mid-interaction backend-no-cache", "token-expires-mid-interaction backend-assertion")
def brings_a_jti_twice():
    changing_claims(jti="0f5a6b1c-2d3e-4f70-8192-a3b4c5d6e7f8")


@habit("client-assertion-with-a-wrong-key backend-assertion", "client-assertion-with-a-wrong-key backend-no-cache")
def sends_a_refused_assertion_again():
    good = TalkdeskId.ask

    def ask(self, form):
        try:
            return good(self, form)
        except Refused:
            return good(self, form)
    TalkdeskId.ask = ask
    proof, made = TalkdeskId.prove, []

    def prove(self, form):
        made.append(made[0] if len(made) == 1 else proof(self, form))
        return made[-1]
    TalkdeskId.prove = prove


@habit("token-revoked-mid-interaction backend-basic", "token-expires-mid-interaction backend-code")
def authenticates_twice():
    good = TalkdeskId.prove

    def prove(self, form):
        authorization, form = good(self, form)
        return authorization, {**form, "client_id": env.talkdesk("CLIENT_ID"), "client_secret": env.talkdesk("CLIENT_SECRET")}
    TalkdeskId.prove = prove


@habit("token-revoked-mid-interaction backend-basic", "token-revoked-mid-interaction backend-post")
def brings_a_wrong_secret():
    good = env.talkdesk
    env.talkdesk = lambda name: "not-the-secret" if name == "CLIENT_SECRET" else good(name)


@habit("token-revoked-mid-interaction backend-basic", "token-expires-mid-interaction backend-assertion")
def asks_for_a_scope_it_lacks():
    backend.SCOPE = "visual-sessions:execute account:admin"


@habit("token-revoked-mid-interaction backend-basic", "token-expires-mid-interaction backend-post")
def refreshes_without_a_refresh_token():
    def token(self, refused):
        if refused:
            try:
                return self.talkdesk_id.refresh(refused)["access_token"]
            except Refused:
                pass
        return self.talkdesk_id.client_credentials(backend.SCOPE)["access_token"]
    backend.Backend.token = token


@habit("token-lifetime-changes backend-code", "token-revoked-mid-interaction backend-code")
def brings_an_old_refresh_token():
    def token(self, refused):
        tokens = self.refreshed() or self.by_code()
        self.refresh_token = self.refresh_token or tokens["refresh_token"]
        return tokens["access_token"]
    backend.CodeBackend.token = token


@habit("code-reused-at-talkdesk-id backend-code")
def redeems_a_code_twice():
    def by_code(self):
        code, nonce = self.authorize()
        try:
            return self.redeem(code, nonce)
        except Refused:
            return self.redeem(code, nonce)
    backend.CodeBackend.by_code = by_code


@habit("token-revoked-mid-interaction backend-code", "token-expires-mid-interaction backend-code")
def names_another_redirect_uri():
    def redeem(self, code):
        return self.ask({"grant_type": "authorization_code", "code": code, "redirect_uri": "https://other.example/callback"})
    TalkdeskId.redeem = redeem


@habit("token-revoked-mid-interaction backend-code", "token-expires-mid-interaction backend-code")
def sends_no_state():
    good = backend.CodeBackend.question

    def question(self, state, nonce):
        return {name: value for name, value in good(self, state, nonce).items() if name != "state"}
    backend.CodeBackend.question = question
    backend.CodeBackend.is_ours = lambda self, back, state: True


@habit("talkdesk-id-is-overloaded backend-assertion", "talkdesk-id-is-overloaded backend-basic")
def ignores_retry_after():
    good = Person.__init__

    def __init__(self, open_app, pause=5):
        good(self, open_app, pause=1)
    Person.__init__ = __init__
    TalkdeskId.closed_until = property(lambda self: 0.0, lambda self, value: None)


@habit("client-assertion-with-a-wrong-key backend-assertion", "client-assertion-with-a-wrong-key backend-basic")
def storms_talkdesk_id():
    admin.arm("talkdesk.issueToken assertion-bad-signature times=9 per=lane")
    good = backend.Backend.token

    def token(self, refused):
        for _ in range(9):
            try:
                return good(self, refused)
            except Refused:
                continue
        return good(self, refused)
    backend.Backend.token = token


@habit("client-assertion-with-a-wrong-key backend-assertion", "client-assertion-with-a-wrong-key backend-basic")
def hides_the_refusal():
    good = admin.Marks.tell

    def tell(self, name, **values):
        good(self, name, **({"status": 201} if name == "app-answered" else values))
    admin.Marks.tell = tell
