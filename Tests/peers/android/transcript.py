"""What a device has of one dialog: each event once, in the order of the sequence numbers."""
from habits import has


class Transcript:
    """Takes events as they come, and gives out for the screen what is next."""

    def __init__(self):
        self.events = {}
        self.next = 0  # everything before has been shown, or is not for this consumer
        self.unread = set()  # agents' messages that were shown and not yet told to be read
        self.claimed = set()  # own messages that are known to have been sent by this device

    def take(self, change, own_id):
        """Takes an event, and returns what can be shown now, in order."""
        sequence = change.get("sequence")
        if has("shows-messages-twice") and sequence in self.events and sequence < self.next:
            return self.shown([change], own_id)
        if has("shows-as-they-come") and isinstance(sequence, int) and sequence not in self.events:
            self.events[sequence], self.next = change, max(self.next, sequence + 1)
            return self.shown([change], own_id)
        if not isinstance(sequence, int) or sequence in self.events:
            return []  # a chat state, which has no number, or one that came before
        self.events[sequence] = change
        late = [change] if sequence < self.next else []
        return self.shown(late + self.in_order(), own_id)

    def skip_gap(self, own_id):
        """Goes on behind numbers that nobody has: they are not for this consumer."""
        self.next = min((number for number in self.events if number >= self.next), default=self.next)
        return self.shown(self.in_order(), own_id)

    def in_order(self):
        """The events that follow without a gap."""
        following = []
        while self.next in self.events:
            following.append(self.events[self.next])
            self.next += 1
        return following

    def shown(self, changes, own_id):
        """The messages among events that are about to be shown."""
        messages = [change for change in changes if change["event"].get("type") in ("ContentEvent", "RichContentEvent")]
        self.unread.update(change["sequence"] for change in messages if change.get("originatorId") != own_id)
        return messages

    def has_gap(self):
        """Whether something came that leaves something out."""
        return any(number > self.next for number in self.events)

    def newest(self):
        """The highest number that is known, or -1."""
        return max(self.events, default=-1)

    def find_own(self, event, after, own_id):
        """The number under which an own message is found that was published after a number; None where it is not there."""
        for number, change in sorted(self.events.items()):
            same = all(change["event"].get(name) == event[name] for name in ("contentType", "message"))
            if number > after and number not in self.claimed and change.get("originatorId") == own_id and same:
                return number
        return None
