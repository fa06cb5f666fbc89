"""What is said: sending and reading, over HTTP and over the socket."""

import habits
from conversation import Conversation
from stage import Stage

# How often, in seconds, the conversation is read while the app is open and nothing comes over a socket.
POLL = 15


class Talk:
    """The user's conversation with the business."""

    def __init__(self, owner):
        self.owner = owner
        self.store = owner.store
        self.conversation = None
        self.polling = None

    def conversation_path(self):
        return f"{self.owner.session.app_path()}/conversations/{self.conversation.id}"

    def forget(self):
        self.conversation = None

    def take_conversation(self, description):
        if self.conversation and self.conversation.id == description["_id"]:
            self.conversation.update(description)
        else:
            self.conversation = Conversation(description, self.store.app_user_id)
        self.take_messages(description.get("messages", []))

    # Sending.

    def send(self, promise, text):
        message = {"text": text, "role": "appUser", "type": "text"}
        if not self.store.app_user_id:
            self.create_user(promise, [message])
        elif not self.conversation:
            self.create_conversation(promise, message)
        else:
            body = {"message": message, "author": self.owner.wire.author()}
            self.owner.calls.make("POST", f"{self.conversation_path()}/messages", body, lambda answer: self.on_sent(promise, answer))

    def on_sent(self, promise, answer):
        if answer.good:
            self.take_messages(answer.body["messages"])
            self.owner.session.open_realtime()
        self.owner.settle(promise, "message", answer)

    def create_user(self, promise, messages):
        """The first message creates the user: an anonymous one, or one whose login had an empty answer."""
        body = {
            "client": self.owner.wire.client(self.owner.registration.token),
            "intent": "conversation:start",
            "conversation": {"type": "personal", "messages": messages},
        }
        if self.store.user_id:
            body["userId"] = self.store.user_id
        self.owner.enter(Stage.CREATING)
        self.owner.calls.make("POST", f"{self.owner.session.app_path()}/appusers", body, lambda answer: self.on_user_created(promise, answer))

    def on_user_created(self, promise, answer):
        if answer.good:
            self.owner.registration.on_carried()
            self.owner.session.take_user(answer.body)
            if not self.conversation:
                self.list_conversations(promise)
                return
        self.owner.enter(Stage.READY)
        self.owner.settle(promise, "user", answer)

    def list_conversations(self, promise):
        path = f"{self.owner.session.user_path()}/conversations"
        self.owner.calls.make("GET", path, None, lambda answer: self.on_listed(promise, answer))

    def on_listed(self, promise, answer):
        if answer.good and answer.body["conversations"]:
            self.take_conversation(answer.body["conversations"][0])
            self.owner.session.open_realtime()
        self.owner.enter(Stage.READY)
        self.owner.settle(promise, "conversations", answer)

    def create_conversation(self, promise, message):
        body = {"type": "personal", "messages": [message], "client": self.owner.wire.client(self.owner.registration.token)}
        self.owner.enter(Stage.CREATING)
        path = f"{self.owner.session.user_path()}/conversations"
        self.owner.calls.make("POST", path, body, lambda answer: self.on_conversation_created(promise, answer))

    def on_conversation_created(self, promise, answer):
        if answer.good:
            self.take_conversation(answer.body["conversation"])
            self.take_messages(answer.body["messages"])
            self.owner.session.open_realtime()
        self.owner.enter(Stage.READY)
        self.owner.settle(promise, "conversation", answer)

    def report_activity(self, promise, kind):
        if not self.conversation:
            promise.set_result(None)
            return
        body = {"activity": {"type": kind}, "author": self.owner.wire.author()}
        if kind == "conversation:read":
            self.conversation.unread = 0
        # An activity that gets lost is no loss to the user.
        self.owner.calls.make("POST", f"{self.conversation_path()}/activity", body, lambda answer: promise.set_result(None))

    # Reading.

    def read_messages(self, promise):
        knows_enough = habits.has("does-not-catch-up") and self.conversation and self.conversation.messages
        if not self.conversation or knows_enough:
            promise.set_result(None)
            return
        path = f"{self.conversation_path()}/messages"
        self.owner.calls.make("GET", path, None, lambda answer: self.on_read(promise, answer))

    def on_read(self, promise, answer):
        if answer.good:
            self.take_conversation(answer.body["conversation"])
            self.take_messages(answer.body["messages"])
        promise.set_result(None)

    def take_messages(self, messages):
        for message in self.conversation.take(messages):
            self.owner.app.on_message(message)

    # What the socket says.

    def on_subscribed(self):
        """What was said while there was no subscription is read, after it, so that nothing falls between (KBM-13)."""
        self.stop_polling()
        self.owner.read_messages()

    def on_deaf(self):
        if not self.polling and self.owner.in_foreground:
            self.polling = self.owner.machine.later(POLL, self.poll)

    def poll(self):
        self.polling = None
        if self.owner.in_foreground and not self.owner.realtime.subscribed:
            self.owner.read_messages()
            self.on_deaf()

    def stop_polling(self):
        if self.polling:
            self.polling.cancel()
            self.polling = None

    def on_reauthenticated(self):
        self.owner.session.recreate()

    def on_event(self, event):
        known = self.conversation and event["conversation"]["_id"] == self.conversation.id
        if event["type"] == "message" and known:
            self.take_messages([event["message"]])
        elif event["type"] in ("message", "conversation:added") and not self.conversation:
            self.take_conversation(event["conversation"])
            self.owner.read_messages()
        elif event["type"] == "conversation:removed" and known:
            self.forget()
