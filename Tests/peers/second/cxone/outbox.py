"""What the customer writes, until it has arrived."""

import re

from content import Content
from state import State
from store import new_id


class Outbox:
    """Sends messages while the chat is ready. One that a lost socket may have swallowed is sent again under its id, if it is not in the history."""

    WELCOME_PAUSE = 1.5  # seconds; Android's (CXone reference 6.2)

    def __init__(self, chat):
        self.chat = chat
        self.content = Content(chat)
        self.messages = []
        self.welcome = None
        chat.events.on("write", self.write)
        chat.events.on("send-after-welcome", self.flush)
        chat.exchange.on_push("FireProactiveAction", self.offered)

    def write(self, message):
        habits = self.chat.habits
        if habits.has("uses-a-message-id-twice") and self.messages:
            message.id = self.messages[0].id
        self.messages.append(message)
        self.flush()

    def flush(self):
        queued = [message for message in self.messages if message.status == "queued"]
        if not queued or self.chat.state not in (State.READY, State.CLOSED) or self.chat.signing.is_refreshing:
            return
        if self.chat.signing.must_refresh():
            self.chat.signing.refresh(self.send_queued)
        else:
            self.send_queued()

    def send_queued(self):
        for message in self.messages:
            if message.status != "queued":
                continue
            if message.thread.is_closed and not self.chat.habits.has("writes-to-what-is-closed"):
                message.status = "failed"
                self.chat.tell("thread-closed")
            elif self.welcomes(message.thread):
                self.chat.events.after(self.WELCOME_PAUSE, "send-after-welcome")
                break
            else:
                self.send(message)

    def offered(self, data):
        """Event diagrams, Chat with an Agent: the welcome message waits for the customer's first one."""
        action = data["proactiveAction"]["action"]
        if action["actionType"] == "WelcomeMessage":
            self.welcome = self.resolve(action["data"]["content"]["bodyText"])

    def resolve(self, text):
        """`{{customer.firstName|customer}}` is the client's to resolve (CXone reference 6.2)."""
        if self.chat.habits.has("says-the-placeholders"):
            return text
        name = self.chat.store.customer.get("firstName")
        return re.sub(r"\{\{[^|}]*\|([^}]*)\}\}", lambda found: name or found[1], text)

    def welcomes(self, thread):
        """Sends the welcome message where it is due; true where the customer's message has to wait for a moment."""
        is_due = self.welcome and not thread.exists and not thread.was_welcomed and not self.chat.wire.is_web
        if not is_due or self.chat.habits.has("keeps-the-welcome-message-to-itself") or self.chat.habits.has("welcomes-after-the-message"):
            return False
        self.say_welcome(thread)
        return self.chat.wire.is_android

    def say_welcome(self, thread):
        thread.was_welcomed = True
        self.chat.exchange.ask("SendOutbound", self.content.welcome(self.welcome, thread))
        self.welcome = None

    def send(self, message):
        message.status = "sending"

        def acknowledged(_):
            if message.status == "sending":
                message.status = "acknowledged"

        def refused(code):
            self.refused(message, code)

        self.chat.exchange.ask("SendMessage", self.content.message(message), acknowledged, refused)
        if self.welcome and self.chat.habits.has("welcomes-after-the-message") and not message.thread.was_welcomed:
            self.say_welcome(message.thread)

    def refused(self, message, code):
        """The app shows that the message was not sent, and leaves it to the customer to write it again."""
        if code == "InconsistentData" and self.chat.configuration.signs_in and self.repairs_token(message):
            return
        message.status = "failed"
        self.chat.tell("message-failed")

    def repairs_token(self, message):
        """The token may have expired; the policy of one variant is to notice it so."""
        if self.chat.habits.has("repeats-an-expired-token"):
            message.status = "queued"
            self.chat.events.after(1, "send-after-welcome")
            return True
        if self.chat.variant.refreshes == "when-refused" and not message.was_repeated:
            message.was_repeated = True
            message.status = "queued"
            self.chat.signing.refresh(self.send_queued)
            return True
        return False

    def arrived(self, message_id):
        for message in self.messages:
            if message.id == message_id:
                message.status = "created"
                message.thread.exists = True

    def doubt(self):
        """The socket is gone: what was sent on it may have arrived or not."""
        self.chat.events.cancel("send-after-welcome")
        for message in self.messages:
            if message.status == "sending":
                message.status = "failed" if self.chat.habits.has("loses-what-was-on-its-way") else "unsure"

    def resume(self):
        """The history is known now: what is not in it goes out again (CXone reference 10: the recover reply is the catch-up)."""
        for message in self.messages:
            if message.status == "unsure":
                message.status = "queued"
                if self.chat.habits.has("sends-again-under-another-id"):
                    message.id = new_id()
        self.flush()

    def unsent_thread(self):
        """The local thread whose first message is still to be sent."""
        for message in self.messages:
            if not message.is_settled and not message.thread.exists:
                return message.thread
        return None
