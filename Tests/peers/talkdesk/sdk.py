"""A small stand-in for the Talkdesk SDK. It asks its delegate for an authorization and runs interactions."""

import threading
import time

import requests

import env
from signin import payload

APP = "example-app-ios"


class Failed(Exception):
    """The interaction failed. The text is the reason."""


class AccessToken:
    def __init__(self, token):
        self.token = token


class NotAuthorized:
    def __init__(self, reason):
        self.reason = reason


class Sdk:
    def __init__(self, gateway, marks, limit=30, early=False):
        self.gateway = gateway
        self.marks = marks
        self.authorization_timeout_seconds = limit
        self.early = early
        self.delegate = None
        self.state = "idle"
        self.token = None
        self.due = None
        self.refused = None
        self.answer = None
        self.open = False
        self.changed = threading.Condition()

    # The app answers here.

    def authorize(self, answer):
        """Takes the delegate's answer. A late token is kept for the next interaction."""
        self.marks.tell("authorized" if isinstance(answer, AccessToken) else "not-authorized")
        with self.changed:
            if self.open:
                self.answer, self.open = answer, False
                self.changed.notify_all()
            elif isinstance(answer, AccessToken):
                self.keep(answer.token)

    def keep(self, token):
        self.token = token
        self.due = time.monotonic() + env.real(seconds_left(token) - 60) if self.early else None

    # The SDK asks here.

    def ask(self):
        """Asks the delegate and waits for its answer, but no longer than the limit."""
        self.state = "authorizing"
        with self.changed:
            self.answer, self.open = None, True
        self.marks.tell("asked")
        self.delegate.should_authorize()
        with self.changed:
            self.changed.wait_for(lambda: not self.open, env.real(self.authorization_timeout_seconds))
            answer, timed_out, self.open = self.answer, self.open, False
            if isinstance(answer, AccessToken):
                self.keep(answer.token)
        if timed_out:
            self.state = "failed"
            self.marks.tell("timed-out")
            raise Failed("timeout")
        if isinstance(answer, NotAuthorized):
            self.state = "failed"
            raise Failed("not_authorized: " + answer.reason)

    def current_token(self):
        if self.token is None or (self.due is not None and time.monotonic() >= self.due):
            self.ask()
        return self.token

    def call(self, operation, *arguments):
        """Makes one call. A refused token is dropped, and the call is repeated once with a new one."""
        answer = self.attempt(operation, self.current_token(), *arguments)
        if answer.status_code == 401:
            self.drop()
            self.ask()
            answer = self.attempt(operation, self.token, *arguments)
        if answer.status_code == 401:
            self.drop()
        if not answer.ok:
            self.state = "failed"
            raise Failed("the gateway answered %d" % answer.status_code)
        return answer

    def attempt(self, operation, token, *arguments):
        try:
            return operation(token, *arguments)
        except requests.RequestException as error:
            self.state = "failed"
            raise Failed("the gateway is out of reach") from error

    def drop(self):
        self.refused, self.token, self.due = self.token, None, None

    # Interactions.

    def start(self, intention):
        interaction = self.call(self.gateway.start, APP, intention).json()["id"]
        self.state = "started"
        return interaction

    def read(self, interaction):
        return self.call(self.gateway.read, interaction).json()

    def send(self, interaction, text):
        return self.call(self.gateway.send, interaction, text).json()["id"]

    def end(self, interaction):
        self.call(self.gateway.end, interaction)
        self.state = "idle"


def seconds_left(token):
    """By the times in the token, or 599 s if it does not tell."""
    try:
        claims = payload(token)
        return claims["exp"] - claims["iat"]
    except (IndexError, ValueError, KeyError, TypeError):
        return 599
