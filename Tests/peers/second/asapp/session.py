"""Who the user is to ASAPP."""

import random
from dataclasses import dataclass
from typing import Awaitable, Callable

import habits


def pause(attempt):
    """Seconds before the next attempt: longer each time, and not the same for every client."""
    return min(2.0**attempt, 30.0) * random.uniform(1.0, 1.25)


@dataclass(frozen=True)
class User:
    """As the app gives it to the SDK; without an identifier they are anonymous (ASAPP reference 2.2)."""

    identifier: str | None
    context: Callable[[bool], Awaitable[dict | None]]


class Session:
    """A session token, and how it is got. States: idle, asking (the app), starting, pausing, open, refused, ended."""

    PATIENCE = 6

    def __init__(self, machine, wire, platform, user, token=None, carried=None):
        self.machine = machine
        self.wire = wire
        self.platform = platform
        self.user = user
        self.token = token
        self.carried = carried
        self.customer = None
        self.state = "open" if token else "idle"
        self.attempts = 0
        self.refreshes = 0
        self.context = None
        self.on_open = self.on_refused = None

    def need(self):
        """Somebody waits for the session."""
        if self.state in ("idle", "refused"):
            self.attempts = self.refreshes = 0
            self.ask(False)

    def ask(self, needs_refresh):
        self.state = "asking"
        self.refreshes += needs_refresh
        self.machine.start(self.user.context(needs_refresh), self.context_given)

    def context_given(self, context):
        if self.state != "asking":
            return
        if context is None:
            self.refuse()
            return
        self.context = context
        self.request()

    def request(self):
        if self.state == "ended":
            return
        self.state = "starting"
        body = {
            "userIdentifier": self.user.identifier,
            "context": self.context,
            "platform": self.platform,
            "region": "US",
            "languages": ["en"],
        }
        self.machine.start(self.wire.call("POST", "/session", self.carried, body), self.answered)

    def answered(self, answer):
        if self.state != "starting":
            return
        if answer.ok:
            self.state = "open"
            self.token = answer.body["sessionToken"]
            self.customer = answer.body["customerId"]
            self.carried = None
            self.on_open(self)
        elif answer.context_expired and self.may_refresh():
            self.ask(True)
        elif answer.passing and self.attempts < self.PATIENCE:
            self.state = "pausing"
            self.machine.after(answer.retry_after or pause(self.attempts), self.request)
            self.attempts += 1
        else:
            # A second 401-02 ends in authenticationFailed (ASAPP reference 2.6, ASP-06).
            self.refuse()

    def may_refresh(self):
        if habits.has("asks-again-and-again"):
            return self.refreshes < 12
        return not self.refreshes and not habits.has("gives-up-at-the-first-expiry")

    def refuse(self):
        self.state = "refused"
        self.on_refused(self)

    def lost(self, token):
        """The server no longer takes this token; another call may have seen that before."""
        if self.state == "open" and token == self.token:
            self.token = None
            self.state = "idle"

    def end(self):
        self.state = "ended"
