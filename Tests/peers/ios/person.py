"""The user of an app, and the agent at the other end: the steps of which stories are made."""
from app import App
from habits import has, stay


class StoryFailed(Exception):
    """The story cannot be played: something happened that no scenario accounts for."""


class Ended(Exception):
    """The app has given up, as the document says, and told its user: the story is over."""


class Person:
    """Somebody with a device in the hand."""

    def __init__(self, play, user, device):
        self.play, self.user, self.device = play, user, device
        self.clock, self.impatient = play.clock, play.variant == "impatient-user"
        self.app = None
        self.start()

    def start(self):
        self.app = App(self.device, self.play.settings, self.play.options, self.clock, self.play.control.mark)

    # -- coming and going --------------------------------------------------

    def arrive(self):
        """Logs in, and goes on when the app is ready; an impatient user does not wait for that."""
        self.app.log_in(self.user)
        if not self.impatient:
            self.app.settled()
        self.unless_given_up("initialize", "sign-in")

    def leave_app(self):
        """Logs out. The app says so when it cannot; then the user stays logged in."""
        self.clock.wait(stay("account"))
        if not self.app.log_out():
            raise Ended()

    def restart(self):
        """The system kills the app, and the user starts it again, still logged in at the brand."""
        self.app.kill()
        self.start()
        self.arrive()

    def enter(self, place="Parcels"):
        """Goes somewhere in the app and taps the messaging button there."""
        if self.app.navigate(place) is None:
            raise Ended()
        self.tap()

    def tap(self):
        self.app.open_window()
        if self.impatient:
            self.fidget()
        self.app.wait_for(lambda: self.app.window.loaded or self.app.window.failure, 600)
        if not self.app.window.loaded:
            raise Ended() if self.app.window.failure else StoryFailed("the window does not open")

    def tap_banner(self):
        """Taps the last push that was shown, if there is one, or the messaging button."""
        if self.device.banners:
            push = self.device.banners[-1]
            self.app.mark("push-opened", dialog=push["dialogId"], sequence=push["sequence"])
            if has("opens-nothing-from-a-push"):
                self.clock.wait(40)
        self.tap()

    def fidget(self):
        """Taps again, closes the window, looks elsewhere and comes back."""
        self.clock.wait(0.5)
        self.app.open_window()
        self.app.close_window()
        self.app.navigate("Offers")
        self.app.navigate("Parcels")
        self.app.open_window()
        self.clock.wait(0.3)
        self.app.open_window()

    # -- talking -----------------------------------------------------------

    def say(self, *texts, photo=None):
        """Sends messages one after the other, and sees them delivered."""
        events = [{"type": "ContentEvent", "contentType": "text/plain", "message": text} for text in texts]
        if photo:
            events = [{"type": "ContentEvent", "contentType": "hosted/file",
                       "message": {"caption": texts[0], "fileType": "PNG", "preview": "data:image/png;base64,iVBORw0KGgo="}}]
        items = [self.app.say(event, photo) for event in events]
        self.app.wait_for(lambda: self.app.window.failure or all(item.done or item.failed for item in items), 600)
        if any(item.failed for item in items) or self.app.window.failure:
            raise Ended()
        if not all(item.done for item in items):
            raise StoryFailed(f"not delivered: {texts}")

    def hear(self, *texts):
        """The agent says something while the window is open; the user sees it."""
        for text in texts:
            self.agent_says(text)
        self.see(*texts)

    def see(self, *texts):
        seen = lambda: all(text in self.device.texts_shown for text in texts)
        if self.app.wait_for(lambda: self.app.window.failure or seen(), 90):
            if not seen():
                raise Ended()
            return
        # A notification can be held back with nothing after it that would show so: look again.
        self.app.close_window()
        self.tap()
        if not self.app.wait_for(seen, 30):
            raise StoryFailed(f"never shown: {texts}")

    def agent_says(self, text):
        self.play.control.agent_says(text, conversation=self.app.memory.conversation)

    def converse(self, mine, theirs):
        self.say(mine)
        self.hear(theirs)

    # -- waiting -----------------------------------------------------------

    def until(self, seconds):
        """Waits until so long after the beginning."""
        self.clock.wait(max(0, seconds - self.clock.elapsed()))

    def push_comes(self, count, seconds):
        """Waits for pushes; False if they do not come."""
        return self.app.wait_for(lambda: len(self.device.pushes) >= count, seconds)

    def is_logged_out(self):
        """Waits until the app has logged the user out by itself."""
        self.app.wait_for(lambda: self.app.memory is None or "sign-out" in self.app.given_up, 240)
        self.unless_given_up("sign-out")
        if self.app.memory:
            raise StoryFailed("still logged in")

    def unless_given_up(self, *what):
        if any(each in self.app.given_up for each in what):
            raise Ended()
