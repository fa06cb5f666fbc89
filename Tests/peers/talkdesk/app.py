"""The brand's app on one device, and the person who uses it."""

import env
from gateway import Gateway
from sdk import Failed, Sdk

TRIES = 3


class App:
    """One process of the app. When it ends, its token is forgotten."""

    def __init__(self, marks, make_delegate, limit=30, early=False):
        self.marks = marks
        self.gateway = Gateway()
        self.sdk = Sdk(self.gateway, marks, limit, early)
        self.sdk.delegate = make_delegate(self.sdk)
        self.marks.tell("started")

    def quit(self):
        self.gateway.close()
        self.marks.tell("process-ended")


class Person:
    """Uses the app. After a failure the person waits a little and tries again, a few times."""

    def __init__(self, open_app, pause=5, puts_away=False):
        self.open_app = open_app
        self.pause = pause
        self.puts_away = puts_away
        self.app = open_app()
        self.interaction = None
        self.failures = []

    def restart(self):
        self.app.quit()
        self.app = self.open_app()

    def begin(self, intention="support"):
        """Starts an interaction. Says whether there is one in the end."""
        for attempt in range(TRIES):
            if attempt:
                env.wait(self.pause)
            if self.do(self.start, intention):
                return True
        return False

    def start(self, intention):
        self.interaction = self.app.sdk.start(intention)

    def say(self, text):
        return self.do(self.app.sdk.send, self.interaction, text)

    def think(self, seconds):
        """Takes time. Some people put the device away meanwhile."""
        if self.puts_away and seconds:
            self.app.marks.tell("backgrounded")
        env.wait(seconds)

    def look(self):
        """Reads what the agent said."""
        return self.do(self.read)

    def read(self):
        self.conversation = self.app.sdk.read(self.interaction)

    def leave(self):
        return self.do(self.app.sdk.end, self.interaction)

    def do(self, action, *arguments):
        try:
            action(*arguments)
            return True
        except Failed as failure:
            self.failures.append(str(failure))
            self.app.marks.tell("gave-up")
            return False
