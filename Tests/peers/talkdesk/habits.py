"""Bad habits of the app and its SDK. Each patches the good client in one way."""

import threading
import time

import admin
import delegate
import env
import gateway
import sdk
from app import Person
from sdk import AccessToken, Failed, NotAuthorized

HABITS = {}


def habit(*shown_in):
    """Registers a habit by its function's name, with the plays in which it shows."""
    def register(function):
        HABITS[function.__name__.replace("_", "-")] = function, shown_in
        return function
    return register


def plays():
    for name, (_, shown_in) in HABITS.items():
        for play in shown_in:
            yield (*play.split(), name)


def take_on(name):
    HABITS[name][0]()


def refusing(repeat):
    """An SDK whose answer to a refused call is `repeat(sdk, answer, operation, arguments)`."""
    def call(self, operation, *arguments):
        answer = self.attempt(operation, self.current_token(), *arguments)
        if answer.status_code == 401:
            answer = repeat(self, answer, operation, arguments)
        if not answer.ok:
            raise Failed("the gateway answered %d" % answer.status_code)
        return answer
    sdk.Sdk.call = call


@habit("token-revoked-mid-interaction app-access", "token-expires-mid-interaction app-signed-in")
def brings_no_token():
    def call(self, method, path, token, body=None):
        return self.session.request(method, self.base + path, json=body, timeout=60)
    gateway.Gateway.call = call


@habit("backend-answers-late-enough app-access", "backend-answers-late-enough app-samples")
def asks_twice_at_once():
    good = delegate.Delegate.should_authorize

    def should_authorize(self):
        threading.Thread(target=self.request, daemon=True).start()
        good(self)
    delegate.Delegate.should_authorize = should_authorize


@habit("backend-denies app-access", "token-revoked-mid-interaction app-signed-in")
def asks_for_each_call():
    def current_token(self):
        self.ask()
        return self.token
    sdk.Sdk.current_token = current_token


@habit("token-revoked-mid-interaction app-access", "backend-denies app-samples")
def asks_unasked():
    good = Person.say

    def say(self, text):
        self.app.sdk.authorize(self.app.sdk.delegate.fetch())
        return good(self, text)
    Person.say = say


@habit("token-revoked-mid-interaction app-access", "token-expires-mid-interaction app-signed-in")
def brings_the_dead_token_again():
    def repeat(self, answer, operation, arguments):
        dead = self.token
        self.ask()
        answer = self.attempt(operation, dead, *arguments)
        if answer.status_code == 401:
            answer = self.attempt(operation, self.token, *arguments)
        return answer
    refusing(repeat)


@habit("token-expires-mid-interaction app-access", "token-expires-mid-interaction app-signed-in")
def never_recovers():
    def do(self, action, *arguments):
        try:
            action(*arguments)
            return True
        except Failed:
            return False
    Person.do = do
    refusing(lambda self, answer, operation, arguments: answer)


@habit("token-expires-mid-interaction app-access", "token-expires-mid-interaction app-signed-in")
def starts_a_second_interaction():
    def say(self, text):
        app = self.app.sdk
        answer = app.attempt(app.gateway.send, app.current_token(), self.interaction, text)
        if answer.status_code == 401:
            app.drop()
            self.interaction = app.start("support")
            answer = app.attempt(app.gateway.send, app.token, self.interaction, text)
        return answer.ok
    Person.say = say


@habit("token-revoked-mid-interaction app-access", "backend-denies app-signed-in")
def repeats_for_ever():
    admin.arm("talkdesk.sendToInteraction token-expired")

    def repeat(self, answer, operation, arguments):
        for _ in range(12):
            self.drop()
            self.ask()
            answer = self.attempt(operation, self.token, *arguments)
        return answer
    refusing(repeat)


@habit("backend-denies app-access", "backend-denies app-signed-in")
def asks_in_a_storm():
    admin.arm("talkdesk.Backend.* access-denied times=9 per=lane")
    good = sdk.Sdk.ask

    def ask(self):
        for _ in range(9):
            try:
                return good(self)
            except Failed:
                continue
        return good(self)
    sdk.Sdk.ask = ask


@habit("backend-answers-after-the-limit app-access", "backend-answers-after-the-limit app-samples")
def starts_from_a_late_answer():
    good = Person.do

    def do(self, action, *arguments):
        try:
            action(*arguments)
            return True
        except Failed as failure:
            if str(failure) != "timeout":
                return good(self, action, *arguments)
        while self.app.sdk.token is None:
            time.sleep(env.real(0.1))
        return good(self, action, *arguments)
    Person.do = do


@habit("backend-denies app-access", "token-expires-mid-interaction app-signed-in")
def goes_on_after_a_denial():
    admin.arm("talkdesk.Backend.* access-denied skip=1 times=1 per=lane")
    good = sdk.Sdk.ask

    def ask(self):
        try:
            good(self)
        except Failed:
            self.token = self.refused or "bWFkZS11cA"
    sdk.Sdk.ask = ask


@habit("backend-denies app-access", "client-assertion-with-a-wrong-key app-samples")
def stays_silent():
    def fetch_and_answer(self, question):
        answer = self.fetch()
        if isinstance(answer, AccessToken):
            self.sdk.authorize(answer)
    delegate.Delegate.fetch_and_answer = fetch_and_answer


@habit("backend-denies app-access", "backend-denies app-signed-in")
def takes_a_denial_for_a_token():
    delegate.AccessDelegate.read = lambda self, answer: AccessToken(answer.text)


@habit("token-revoked-mid-interaction app-access", "backend-denies app-samples")
def answers_twice():
    good = sdk.Sdk.authorize

    def authorize(self, answer):
        good(self, answer)
        good(self, answer)
    sdk.Sdk.authorize = authorize


@habit("backend-answers-after-the-limit app-access", "backend-answers-after-the-limit app-samples")
def answers_too_late():
    good = sdk.Sdk.__init__

    def __init__(self, *arguments):
        good(self, *arguments)
        self.authorization_timeout_seconds = 300
    sdk.Sdk.__init__ = __init__


@habit("token-revoked-mid-interaction app-access", "backend-denies app-access")
def sends_the_client_secret():
    def request(self):
        return self.session.get(env.talkdesk("ACCESS_URL"), timeout=self.limit(),
                                auth=(env.talkdesk("CLIENT_ID"), env.talkdesk("CLIENT_SECRET")))
    delegate.AccessDelegate.request = request


@habit("token-in-a-foreign-push app-access", "token-in-a-foreign-push app-samples")
def takes_a_foreign_token():
    def fetch(self):
        for push in admin.notifications("brand-app-phone"):
            if "auth_token" in push["payload"]:
                return AccessToken(push["payload"]["auth_token"])
        return NotAuthorized("There was no push.")
    delegate.Delegate.fetch = fetch
