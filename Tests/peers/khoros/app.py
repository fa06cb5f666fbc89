"""The brand's app on one device: it joins the brand's sign-in and Brand Messenger, and has a conversation screen."""

import secrets
import threading
import time
from contextlib import suppress

from identity import Session
from monitor import Monitor
from sdk import Inactive, Messenger
from wire import Refused
from world import StoryFailed


class App:
    def __init__(self, world, hint, device="phone", push_token=None, anonymous=False):
        self.world = world
        self.variant = world.variant
        self.hint = hint
        self.anonymous = anonymous
        self.device = device
        self.session = None
        self.monitor = None
        self.renewals_seen = 0
        self.shown = False
        self.unread = False
        self.seen = {}
        self.news = threading.Condition()
        platform = self.variant.platform
        service = world.setting("KHOROS_SERVICE_BASE_URL")
        if self.variant.tls:
            service = world.setting("TLS_URL").replace("localhost", "127.0.0.1")
        self.messenger = Messenger(world, world.setting(f"KHOROS_{platform.upper()}_INTEGRATION_ID"), service)
        self.messenger.wire.on_invalid_token = self.on_invalid_token
        if push_token and self.variant.pushes:
            self.take_push_token(push_token)

    def mark(self, name, **values):
        self.world.mark(name, self.messenger.wire.client_id, **values)

    # ---- start, login, logout

    def start(self):
        """The app starts. False if the configuration lets it go no further."""
        self.mark("started")
        try:
            self.messenger.configure()
        except (Inactive, Refused):
            self.mark("gave-up")
            return False
        return True

    def restart(self):
        """The app is started again. The SDK has its user's id and JWT stored, and logs in by itself."""
        self.close()
        self.start()
        self.log_in_with(self.messenger.wire.jwt)

    def sign_in(self):
        self.session = Session(self.world, self.hint)

    def log_in(self):
        """Sign in at the brand, if need be, get a JWT, log in. False if no JWT is taken."""
        self.anonymous = False
        if not self.session or self.session.hint != self.hint:
            self.sign_in()
        return self.log_in_with(self.session.get_jwt())

    def log_in_with(self, jwt):
        try:
            self.messenger.log_in(self.session.user_id, jwt)
        except Refused:
            self.mark("gave-up")
            return False
        self.renewals_seen = self.messenger.renewals
        self.messenger.tell_push_token()
        return True

    def on_invalid_token(self):
        """The SDK's delegate: a new JWT of the same user."""
        return self.session.get_jwt()

    def log_out(self):
        """The conversation screen is closed first: while it is shown, the SDK does not log out."""
        self.close()
        with suppress(*self.world.shrugged):
            self.messenger.log_out()

    def close(self):
        """Leave the conversation, and end realtime."""
        self.shown = False
        if self.monitor:
            self.monitor.stop()
            self.monitor = None

    # ---- the conversation screen

    def open(self, first_jwt=None):
        """Show the conversation, if there is one, with realtime open."""
        there = self.messenger.conversation_id or self.variant.always_connected
        if not self.monitor and there and self.messenger.app_user_id:
            self.monitor = Monitor(
                self.messenger, first_jwt or self.messenger.wire.jwt, self.take_events, self.catch_up, self.renew_for_realtime)
            self.monitor.start()
            self.monitor.settled.wait(self.world.real(30) + 2)
        if self.messenger.conversation_id:
            self.shown = True
            with suppress(*self.world.shrugged):
                self.read()

    def read(self):
        """Read the messages, show them, and say that they were read."""
        for message in self.messenger.fetch_messages():
            self.take_message(message)
        self.mark("conversation-shown", conversation=self.messenger.conversation_id)
        self.report_read()

    def report_read(self):
        if self.shown and (self.unread or self.variant.always_reports_read):
            self.unread = False
            self.messenger.report("conversation:read")

    def catch_up(self):
        """Realtime was away and is back: what came meanwhile must be read."""
        if self.shown:
            self.read()

    def renew_for_realtime(self):
        self.messenger.wire.jwt = self.on_invalid_token()
        self.messenger.take_new_jwt("")
        # The connection is recreated anyway.
        self.renewals_seen = self.messenger.renewals

    def care_for_new_jwt(self):
        """After a re-authentication connections and the conversation screen are recreated."""
        if self.messenger.renewals == self.renewals_seen:
            return
        self.renewals_seen = self.messenger.renewals
        if self.monitor:
            first_jwt = self.monitor.first_jwt
            self.close()
            self.messenger.read_user()
            self.open(first_jwt)

    def renew_early(self):
        """An app that knows when its JWT ends. The screen is closed first: while it is shown, the SDK does not log in."""
        if self.variant.renews_early and self.session and time.monotonic() > self.session.jwt_ends:
            self.close()
            self.log_in()
            self.open()

    # ---- messages

    def say(self, text):
        self.world.think()
        self.renew_early()
        with suppress(*self.world.shrugged):
            if self.messenger.conversation_id and self.variant.tells_typing:
                self.messenger.report("typing:start")
            self.deliver({"text": text, "role": "appUser", "type": "text"})

    def deliver(self, message):
        for kept in self.messenger.send_message(message, self.session and self.session.name) or []:
            self.take_message(kept)
        self.care_for_new_jwt()
        if not self.shown:
            self.open()

    def send_picture(self):
        self.messenger.send_file("parcel.png", "image/png", bytes.fromhex("89504e470d0a1a0a") + secrets.token_bytes(60))
        self.care_for_new_jwt()

    def take_events(self, events):
        for event in events:
            if event["type"] == "message":
                self.take_message(event["message"])
            if event["type"] == "conversation:added" and not self.messenger.conversation_id:
                self.messenger.conversation_id = event["conversation"]["_id"]

    def take_message(self, message):
        with self.news:
            if message["_id"] not in self.seen:
                self.seen[message["_id"]] = message
                self.unread = self.unread or message["role"] == "appMaker"
                self.news.notify_all()

    def has(self, text):
        return any(message.get("text") == text for message in self.seen.values())

    def hears(self, text, seconds=10):
        """Whether a message is on the screen within a time."""
        with self.news:
            heard = self.news.wait_for(lambda: self.has(text), self.world.real(seconds) + 0.5)
        if heard:
            self.world.think()
            self.report_read()
        return heard

    def must_hear(self, text, seconds=10):
        """A message that does not come by itself is there when the user leaves the app and comes back."""
        if not self.hears(text, seconds) and not self.world.shrugged:
            self.background()
            self.foreground()
            if not self.hears(text, 1):
                raise StoryFailed(f"{self.hint} on the {self.device} never got {text!r}")

    # ---- the device

    def background(self):
        self.mark("backgrounded")
        self.close()

    def foreground(self):
        self.mark("foregrounded")
        self.open()
        self.care_for_new_jwt()

    def take_push_token(self, token):
        self.messenger.push_token = token
        self.messenger.wire.push_enabled = True

    def tell_push_token(self):
        told = self.messenger.tell_push_token()
        self.care_for_new_jwt()
        return told

    def open_notification(self, notification):
        """The user taps a notification. The vendor's mark says whether it is Brand Messenger's."""
        payload = notification["payload"]
        if self.variant.platform == "ios":
            ours, data = "SmoochNotification" in payload, payload
        else:
            data = payload.get("data", payload)
            ours = data.get("smoochNotification") == "true"
        self.mark("foregrounded")
        if not ours:
            self.mark("push-shown")
            return False
        self.messenger.conversation_id = data["conversationId"]
        self.mark("push-shown", conversation=data["conversationId"])
        self.open()
        self.care_for_new_jwt()
        return True
