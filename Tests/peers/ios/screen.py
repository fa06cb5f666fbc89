"""What the user of the app sees, told by marks where it is not on the network."""
import sys
import threading

from habits import has


class Screen:
    """Messages, the badge, and what the app says when it gives something up."""

    def __init__(self, device, clock, tell):
        self.device, self.clock, self._tell = device, clock, tell
        self.memory, self.badge, self.given_up = device.memory, None, []
        self._change = threading.Condition()

    def window_ready(self):
        """"User clicks messaging button" 4: all unread messages have been downloaded."""
        self.set_badge(0)

    def show_message(self, dialog, sequence, text):
        """A message appears in the window."""
        self.mark("message-shown", dialog=dialog, sequence=sequence)
        self.device.texts_shown.append(text)
        self.changed()

    def set_badge(self, value):
        self.badge = value
        self.mark("badge", value=value)
        self.changed()

    def give_up(self, what, failure):
        """Tells the user that something does not work now, and the log why."""
        print(f"{what}: {failure}", file=sys.stderr)
        self.given_up.append(what)
        if not has("never-tells-the-user"):
            self.mark("gave-up", what=what)
        self.changed()

    def mark(self, name, lane=None, **further):
        """Tells something that is not on the network; whose it is, unless said, is the user who is logged in."""
        self._tell(name, self.device, lane or (self.memory.lane if self.memory else None), further)

    def changed(self):
        with self._change:
            self._change.notify_all()

    def wait_for(self, reached, seconds):
        """Waits until something is so, as the user sees it."""
        with self._change:
            return self._change.wait_for(reached, self.clock.real(seconds))
