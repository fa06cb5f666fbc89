"""Before the chat can be opened: the channel's configuration, and who visits."""

from configuration import Configuration, is_unsupported
from state import State
from store import new_id


class Preparation:
    """From initial to prepared (Event diagrams, Application Becomes Active). What an abandoned attempt brings is not looked at."""

    def __init__(self, chat):
        self.chat = chat
        self.attempt = 0
        self.tries = 0
        self.gave_up = False
        self.was_abandoned = False
        self.call = None
        chat.events.on("prepare", self.prepare)
        chat.events.on("configuration", self.configuration)
        chat.events.on("read-configuration", self.read_configuration)
        chat.events.on("visitor", self.visitor)
        chat.events.on("put-visitor", self.put_visitor)

    def prepare(self):
        habits = self.chat.habits
        if self.chat.state not in (State.INITIAL, State.PREPARED, State.OFFLINE):
            return
        if self.gave_up:
            self.chat.tell("configuration-failed")
            return
        if self.chat.unsupported and not habits.has("goes-on-with-an-old-sdk"):
            self.chat.tell("sdk-version")
            return
        self.chat.state = State.PREPARING
        self.attempt += 1
        self.tries = 0
        self.read_configuration(self.attempt)

    def is_current(self, attempt):
        if self.chat.habits.has("prepares-on-in-the-background"):
            return True
        return attempt == self.attempt and self.chat.state == State.PREPARING

    def abandon(self):
        """The app goes to the background meanwhile."""
        if self.chat.wire.is_web:
            self.call.cancel()
        self.was_abandoned = True
        if not self.chat.habits.has("prepares-on-in-the-background"):
            self.chat.state = State.INITIAL

    def fail(self, why):
        self.chat.state = State.INITIAL
        self.gave_up = self.chat.habits.has("never-prepares-again")
        self.chat.tell(why)

    def read_configuration(self, attempt):
        if self.is_current(attempt):
            self.call = self.chat.calls.send("configuration", "GET", self.chat.wire.channel_url, attempt=attempt)

    def configuration(self, status, body, attempt):
        if not self.is_current(attempt):
            return
        if is_unsupported(body):
            self.too_old()
            return
        is_ios = self.chat.platform.name == "ios"  # which looks at the body only (CXone reference 3.1)
        found = Configuration.read(body, self.chat.platform, self.chat.settings.channel) if is_ios or status == 200 else None
        if found:
            self.chat.configuration = found
            self.make_ids()
            self.tries = 0
            self.put_visitor(attempt)
        else:
            self.configuration_failed(status, attempt)

    def configuration_failed(self, status, attempt):
        habits = self.chat.habits
        if habits.has("sends-a-visitor-without-a-configuration"):
            self.chat.calls.send("ignored", "PUT", self.chat.wire.visitor_url(), self.chat.wire.visitor())
        self.tries += 1
        only_lost_calls = self.chat.wire.is_web  # CXone reference 3.0, Retries
        may_retry = self.tries < self.chat.platform.configuration_attempts and not (only_lost_calls and status)
        if may_retry and not habits.has("never-prepares-again"):
            pause = 0.2 * 2**self.tries if self.chat.wire.is_web else 0
            self.chat.events.after(pause, "read-configuration", attempt=attempt)
        else:
            self.fail("configuration-failed")

    def make_ids(self):
        """The visitor and the customer stay who they are; only the destination is new."""
        store = self.chat.store
        if self.chat.habits.has("takes-another-visitor-id"):
            store.visitor = new_id()
        if self.chat.habits.has("takes-another-customer-id"):
            store.customer = {"idOnExternalPlatform": new_id()}
        store.destination = new_id()

    def put_visitor(self, attempt):
        if not self.is_current(attempt):
            return
        if self.chat.platform.reports_visitors:
            self.call = self.chat.calls.send("visitor", "PUT", self.chat.wire.visitor_url(), self.chat.wire.visitor(), attempt=attempt)
        else:
            self.prepared()

    def visitor(self, status, body, attempt):
        """Any answer will do for iOS, any but 5xx for Android (CXone reference 3.3)."""
        if not self.is_current(attempt):
            return
        if is_unsupported(body):
            self.too_old()
        elif status is None or (self.chat.wire.is_android and status >= 500):
            self.visitor_failed(attempt)
        else:
            self.prepared()

    def visitor_failed(self, attempt):
        self.tries += 1
        if self.chat.habits.has("goes-on-without-a-visitor"):
            self.prepared()
        elif self.tries < self.chat.platform.visitor_attempts:
            self.chat.events.after(self.chat.platform.visitor_pause, "put-visitor", attempt=attempt)
        else:
            self.fail("visitor-failed")

    def prepared(self):
        self.chat.state = State.PREPARED
        if self.was_abandoned and self.chat.habits.has("prepares-on-in-the-background"):
            self.chat.connection.connect()

    def too_old(self):
        self.chat.state = State.INITIAL
        self.chat.unsupported = True
        self.chat.tell("sdk-version")
