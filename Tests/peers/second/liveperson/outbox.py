"""What the user has typed and LivePerson does not have yet."""

from collections import deque


class Message:
    """One event on its way: waiting, flying, unknown (the socket was lost meanwhile), sent or failed."""

    def __init__(self, event):
        self.event = event
        self.state = "waiting"
        self.since = None  # the dialog's next sequence when it was first sent
        self.refusals = 0

    @classmethod
    def text(cls, words):
        return cls({"type": "ContentEvent", "contentType": "text/plain", "message": words})

    @property
    def done(self):
        return self.state in ("sent", "failed")


class Outbox:
    """The messages in the order in which they were typed; one at a time is on its way."""

    def __init__(self):
        self.messages = deque()
        self.busy = False

    def add(self, message):
        self.messages.append(message)

    @property
    def first(self):
        return self.messages[0] if self.messages and not self.busy else None

    def end(self, state):
        """The first message has left the box."""
        self.messages.popleft().state = state
        self.busy = False

    def disconnected(self):
        self.busy = False
        if self.messages and self.messages[0].state == "flying":
            self.messages[0].state = "unknown"
