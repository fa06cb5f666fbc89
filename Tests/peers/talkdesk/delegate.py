"""The app's side of an authorization: it fetches a token from the brand's backend and answers the SDK."""

import threading
from urllib.parse import urlsplit, urlunsplit

import requests

import env
from sdk import AccessToken, NotAuthorized

# The limit of URLSession. It is longer than the SDK's.
PATIENCE = 60


class Delegate:
    """Asks once for each question of the SDK. Subclasses know the backend's form.

    An answer that comes after the limit still goes to the SDK, unless the SDK has asked again meanwhile.
    """

    hands_over_late = True

    def __init__(self, sdk, patience=PATIENCE):
        self.sdk = sdk
        self.patience = patience
        self.session = requests.Session()
        self.question = 0

    def should_authorize(self):
        self.question += 1
        threading.Thread(target=self.fetch_and_answer, args=(self.question,), daemon=True).start()

    def fetch_and_answer(self, question):
        answer = self.fetch()
        if question == self.question and (self.sdk.open or self.hands_over_late):
            self.sdk.authorize(answer)

    def fetch(self):
        try:
            return self.read(self.request())
        except requests.RequestException:
            return NotAuthorized("The backend did not answer.")

    def request(self):
        raise NotImplementedError

    def read(self, answer):
        raise NotImplementedError

    def limit(self):
        return env.real(self.patience)


class AccessDelegate(Delegate):
    """The form of the SDK's guide: GET, and the raw token with 200."""

    bearer = None

    def request(self):
        headers = {"Authorization": "Bearer " + self.bearer} if self.bearer else {}
        return self.session.get(env.talkdesk("ACCESS_URL"), headers=headers, timeout=self.limit())

    def read(self, answer):
        if answer.status_code == 200 and answer.text:
            return AccessToken(answer.text)
        return NotAuthorized("Not authorized")


class SignedInDelegate(AccessDelegate):
    """Brings the person's sign-in. It does not hand over an answer that nobody waits for any more."""

    hands_over_late = False


class SamplesDelegate(Delegate):
    """The form of the published samples: POST with Basic, and auth_token with 201."""

    slash = False

    def request(self):
        parts = urlsplit(env.talkdesk("APP_TOKEN_URL"))
        path = parts.path.rstrip("/") + ("/" if self.slash else "")
        return self.session.post(urlunsplit(parts._replace(path=path)), auth=("user", "pwd"),
                                 headers={"Accept": "application/json"}, timeout=self.limit())

    def read(self, answer):
        if answer.status_code != 201:
            return NotAuthorized("Unable to authorize.")
        try:
            return AccessToken(answer.json()["auth_token"])
        except (ValueError, KeyError):
            return NotAuthorized("Unable to parse the response from the server.")


class SlashDelegate(SamplesDelegate):
    slash = True


class BackendDelegate(Delegate):
    """Calls the brand's backend in this process, and tells it which token the gateway refused."""

    backend = None

    def request(self):
        return self.backend.access(refused=self.sdk.refused)

    def read(self, answer):
        status, token = answer
        return AccessToken(token) if status == 201 else NotAuthorized("Unable to authorize.")
