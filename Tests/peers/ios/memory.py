"""What the SDK keeps on the device about one user; `logout` wipes it."""
from dataclasses import dataclass, field

from habits import has
from web import claims

SHOWN_TYPES = ("ContentEvent", "RichContentEvent")


class Transcript:
    """One dialog: its events in order, each once."""

    def __init__(self):
        self.next = 0  # the first sequence that has not been passed on
        self.highest = -1  # the last one that is known of
        self._waiting = {}
        self._again, self._seen = [], set()  # of those who show what is not due

    def take(self, event):
        """Keeps an event that is new; what is known already, or has no number (chat states), is left."""
        number = event.get("sequence")
        if number is not None and has("shows-as-they-come", "shows-messages-twice"):
            return self._take_badly(number, event)
        if number is None or number < self.next:
            return False
        new = number not in self._waiting
        self._waiting[number] = event
        self.highest = max(self.highest, number)
        return new

    def _take_badly(self, number, event):
        """Puts an event out of turn where the next are taken from."""
        if has("shows-messages-twice") and (number < self.next or number in self._waiting):
            self._again.append(event)
            return False
        new = number not in self._seen and number not in self._waiting
        self.highest = max(self.highest, number)
        if has("shows-messages-twice") or not new:
            self._waiting |= {number: event} if new else {}
            return new
        self._seen.add(number)
        self.next = max(self.next, number + 1)
        self._again.append(event)
        return True

    def in_order(self):
        """The events whose turn it is."""
        while self._again:
            yield self._again.pop(0)
        while self.next in self._waiting:
            event = self._waiting.pop(self.next)
            self.next += 1
            yield event

    @property
    def gap(self):
        """Whether something is there that cannot be shown, because what comes before it is missing."""
        return bool(self._waiting)

    def settle(self):
        """What was asked for and did not come is not for this consumer."""
        if self._waiting and self.next not in self._waiting:
            self.next = min(self._waiting)


@dataclass
class Outgoing:
    """Something the user has sent."""

    event: dict
    photo: bytes = None
    tried: bool = False
    known: int = -1  # the highest sequence that was known when it was tried
    done: bool = False
    failed: bool = False

    def is_in(self, event):
        """Whether this event of the conversation is what was sent."""
        return (self.tried and not self.done and event["sequence"] > self.known
                and event["event"].get("contentType") == self.event["contentType"]
                and event["event"].get("message") == self.event["message"])


@dataclass
class Memory:
    """Of one user."""

    user: str
    anonymous_token: str = None
    visitor: dict = field(default_factory=dict)
    engagement: dict = None
    conversation: str = None
    dialog: str = None
    transcripts: dict = field(default_factory=dict)
    outbox: list = field(default_factory=list)
    pushes_shown: set = field(default_factory=set)
    token_tried: str = None  # the device's, with which registering was tried last
    registration_deferred: bool = False

    @property
    def lane(self):
        """By what name this user goes."""
        return self.user or (claims(self.anonymous_token) or {}).get("sub")

    def transcript(self, dialog):
        return self.transcripts.setdefault(dialog, Transcript())

    def pending(self):
        """What has not been delivered, the oldest first."""
        return [item for item in self.outbox if not item.done and not item.failed]
