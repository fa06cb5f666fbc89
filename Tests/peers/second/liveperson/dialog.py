"""One dialog as the device sees it."""

TEXTS = ("ContentEvent", "RichContentEvent")


class Dialog:
    """Its events in the order of their sequence, each once (LivePerson reference 5.11 and 5.12)."""

    def __init__(self, name, conversation):
        self.name = name
        self.conversation = conversation
        self.next = 0  # the sequence from which on events are missing
        self.early = {}  # events that came before their turn
        self.own = {}  # the consumer's events by their sequence
        self.subscribed = False
        self.up_to_date = False
        self.asks_again = False

    def disconnected(self):
        self.subscribed = self.up_to_date = self.asks_again = False

    def take(self, change):
        sequence = change.get("sequence")  # a chat state has none (LivePerson reference 5.11)
        if sequence is not None and sequence >= self.next:
            self.early[sequence] = change

    def in_order(self, over_gaps=False):
        """Those events that have their turn now."""
        while self.early:
            if self.next not in self.early:
                if not over_gaps:
                    return
                self.next = min(self.early)
            yield self.early.pop(self.next)
            self.next += 1

    def holds(self, event, since):
        """Whether the consumer's event has been published from this sequence on."""
        return any(sequence >= since and published.get("message") == event["message"] for sequence, published in self.own.items())
