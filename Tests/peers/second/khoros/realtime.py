"""The subscription to the user's events (Khoros reference 1.7)."""

import habits
from bayeux import Closed, Heard, Link, Opened

# How much later than announced the answer to a held connect may come before the socket counts as dead.
GRACE = 15


class Realtime:
    """Keeps one subscription open between `connect` and `disconnect`. The listener hears `on_subscribed`, `on_deaf` and `on_event`."""

    def __init__(self, machine, calls, store, variant, listener, authority):
        self.machine = machine
        self.calls = calls
        self.wire = calls.wire
        self.store = store
        self.variant = variant
        self.listener = listener
        self.authority = authority
        self.settings = None
        self.link = None
        self.client_id = None
        self.subscribed = False
        self.subscriptions = 0
        self.attempts = 0
        self.renewals = 0
        self.timeout = 45
        self.reopening = None
        self.silence = None
        machine.on(Opened, self.on_opened)
        machine.on(Heard, self.on_heard)
        machine.on(Closed, self.on_closed)

    def connect(self):
        if self.settings["enabled"] and not self.link and not self.reopening:
            self.attempts = 0
            self.open()

    def disconnect(self):
        self.stop_waiting()
        if self.link:
            if self.client_id:
                self.link.send({"channel": "/meta/disconnect", "clientId": self.client_id})
            self.link.close()
        self.link = self.client_id = None
        self.subscribed = False

    def stop_waiting(self):
        for timer in (self.reopening, self.silence):
            if timer:
                timer.cancel()
        self.reopening = self.silence = None

    def open(self):
        self.reopening = None
        self.link = Link(self.machine, self.settings["baseUrl"], self.authority)

    def reopen(self):
        """Waits and tries again, as often as the settings say."""
        self.disconnect()
        if habits.has("never-reconnects"):
            self.settings = {**self.settings, "enabled": False}
        elif self.attempts < self.settings["maxConnectionAttempts"]:
            self.attempts += 1
            pause = 0 if habits.has("reconnects-without-a-pause") else self.settings["retryInterval"]
            self.reopening = self.machine.later(pause, self.open)
        self.listener.on_deaf()

    def on_opened(self, event):
        if event.link is self.link:
            self.shake_hands()

    def on_closed(self, event):
        if event.link is not self.link:
            return
        self.link = self.client_id = None
        # Khoros reference 1.7: after an upgrade that is refused with 401 the app is asked for another JWT.
        if event.status == 401 and self.renewals < self.variant.renewals:
            self.renew()
        else:
            self.reopen()

    def shake_hands(self):
        self.subscribed = False
        self.client_id = None
        self.link.send({
            "channel": "/meta/handshake",
            "version": "1.0",
            "minimumVersion": "1.0beta",
            "supportedConnectionTypes": ["long-polling", "callback-polling", "iframe", "websocket"],
        })
        self.expect_a_word()

    def send_connect(self):
        if self.client_id:
            self.link.send({"channel": "/meta/connect", "clientId": self.client_id, "connectionType": "websocket"})
            self.expect_a_word()
            if habits.has("connects-without-waiting"):
                self.connect_after(1000)

    def subscribe(self):
        credentials = {"appId": self.wire.app_id, "appUserId": self.store.app_user_id}
        if self.store.jwt:
            credentials["jwt"] = self.store.jwt
        else:
            credentials["sessionToken"] = self.store.session_token
        message = {"channel": "/meta/subscribe", "clientId": self.client_id, "subscription": self.channel(), "ext": credentials}
        # iOS has them in `ext` only.
        self.link.send(message if self.variant.platform == "ios" else {**message, **credentials})

    def channel(self):
        return f"/sdk/apps/{self.wire.app_id}/appusers/{self.store.app_user_id}"

    def expect_a_word(self):
        """A server that has not answered a held connect long after its time is gone."""
        if self.silence:
            self.silence.cancel()
        self.silence = self.machine.later(self.timeout + GRACE, self.reopen)

    def on_heard(self, event):
        if event.link is not self.link:
            return
        message = event.message
        channel = message.get("channel")
        if channel == "/meta/handshake":
            self.on_handshake(message)
        elif message.get("clientId") not in (None, self.client_id):
            return
        elif channel == "/meta/connect":
            self.on_connect(message)
        elif channel == "/meta/subscribe":
            self.on_subscription(message)
        elif channel == self.channel():
            for happened in message["data"]["events"]:
                self.listener.on_event(happened)

    def on_handshake(self, message):
        if message["successful"]:
            self.client_id = message["clientId"]
            self.timeout = message["advice"].get("timeout", 45000) / 1000
            self.send_connect()
            if self.subscriptions == 0 or not habits.has("forgets-to-subscribe-again"):
                self.subscribe()
        else:
            self.follow(message)

    def on_connect(self, message):
        if not message["successful"]:
            self.follow(message)
        elif not habits.has("connects-without-waiting"):
            self.connect_after(message.get("advice", {}).get("interval", 0))

    def on_subscription(self, message):
        error = message.get("error", "")
        if message["successful"]:
            self.subscribed = True
            self.subscriptions += 1
            self.attempts = self.renewals = 0
            self.listener.on_subscribed()
        elif error.endswith("Unknown client"):
            self.follow(message)
        elif error == "401::invalid_auth" and self.variant.renews_subscriptions and self.renewals < self.variant.renewals:
            self.renew()
        else:
            # Android stays connected and says nothing; the messages are read instead.
            self.listener.on_deaf()

    def follow(self, message):
        """Does what the server advises after a failure (Bayeux 1.0 section 5)."""
        advice = message.get("advice", {})
        if habits.has("clings-to-the-dead-session"):
            self.connect_after(1000)
        elif advice.get("reconnect") == "handshake":
            if self.variant.shakes_hands_again_on_the_same_socket:
                self.shake_hands()
            else:
                self.client_id = None
                self.disconnect()
                self.open()
        elif advice.get("reconnect") == "none":
            self.disconnect()
            self.listener.on_deaf()
        else:
            self.connect_after(advice.get("interval", 1000))

    def connect_after(self, milliseconds):
        session = self.client_id
        self.machine.later(milliseconds / 1000, lambda: self.send_connect() if session == self.client_id else None)

    def renew(self):
        self.renewals += 1
        self.calls.renew(self.on_renewed)

    def on_renewed(self, jwt):
        if jwt:
            self.listener.on_reauthenticated()
        else:
            self.disconnect()
            self.listener.on_deaf()
