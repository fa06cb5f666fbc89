"""The order of the messages of a dialog at LivePerson."""
import asyncio


class Dialog:
    def __init__(self, id):
        self.id, self.last, self.early = id, -1, {}  # the sequence that was shown last, and what came before its turn
        self.caught_up = asyncio.Event()  # nothing is asked for at the moment

    @property
    def has_gap(self):
        """Something was lost, or comes late."""
        return bool(self.early) and self.caught_up.is_set()

    def take(self, changes):
        """What is to be shown now: in the order of the sequence, and each once, whatever order they came in and how often."""
        numbered = {change["sequence"]: change for change in changes if "sequence" in change and change["dialogId"] == self.id}
        self.early.update({number: change for number, change in numbered.items() if number > self.last})
        # The answer to a subscription has all that there is from `last` on: what it lacks is not for this user.
        is_whole = not self.caught_up.is_set() and (self.last < 0 or self.last in numbered)
        if is_whole:
            self.caught_up.set()
        shown = []
        while self.early and (is_whole or self.last + 1 in self.early):
            self.last = min(self.early)
            shown.append(self.early.pop(self.last))
        return shown
