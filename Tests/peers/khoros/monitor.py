"""Realtime: Bayeux over a WebSocket. The monitor opens it, subscribes, and opens it again when it is lost."""

import json
import ssl
import threading
from contextlib import suppress
from urllib.parse import urlparse

from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

MOST_REFUSALS = 5
HANDSHAKE = {
    "channel": "/meta/handshake", "version": "1.0", "minimumVersion": "1.0beta",
    "supportedConnectionTypes": ["long-polling", "callback-polling", "iframe", "websocket"],
}


class JWTRefused(Exception):
    pass


class SessionForgotten(Exception):
    """The server asks for a new handshake."""


class PortlessConnection(ClientConnection):
    """The SDK for Android leaves the port out of Host."""

    def handshake(self, *arguments, **options):
        plain = self.protocol.connect

        def portless():
            request = plain()
            host = request.headers["Host"].rsplit(":", 1)[0]
            del request.headers["Host"]
            request.headers["Host"] = host
            return request

        self.protocol.connect = portless
        super().handshake(*arguments, **options)


class Monitor:
    """`events(list)` gets what happens, `subscribed_again()` follows each later subscription, `refused()` gets a new JWT."""

    def __init__(self, messenger, jwt, events, subscribed_again, refused):
        self.messenger = messenger
        self.world = messenger.world
        self.variant = messenger.variant
        self.options = messenger.settings["realtime"]
        self.events, self.subscribed_again, self.refused = events, subscribed_again, refused
        self.first_jwt = jwt
        self.stopped = threading.Event()
        self.settled = threading.Event()  # the subscription was answered, and the SDK leaves it at that
        self.lost = threading.Event()  # the socket was lost at least once
        self.subscriptions = 0
        self.failures = 0
        self.refusals = 0
        self.socket = self.session_id = None
        self.thread = threading.Thread(target=self.run, daemon=True)

    def start(self):
        self.thread.start()

    def stop(self):
        self.stopped.set()
        if self.socket:
            if self.variant.says_goodbye:
                with suppress(WebSocketException):
                    self.say({"channel": "/meta/disconnect", "clientId": self.session_id})
            self.socket.close()
        if threading.current_thread() is not self.thread:
            self.thread.join(2)

    # ---- sockets, one after the other

    def run(self):
        self.stopped.wait(self.world.real(self.options["connectionDelay"]))
        while not self.stopped.is_set() and self.failures <= self.options["maxConnectionAttempts"]:
            at_once = self.run_socket()
            if not self.stopped.is_set() and not at_once:
                self.failures += 1
                self.stopped.wait(self.world.real(self.world.jittered(self.options["retryInterval"])))

    def run_socket(self):
        """Listen until the socket is gone. True if the next one is to be opened at once."""
        try:
            self.listen()
        except SessionForgotten:
            return True
        except JWTRefused:
            return self.renew()
        except InvalidStatus as answer:
            return answer.response.status_code == 401 and self.renew()
        except (OSError, WebSocketException):
            self.lost.set()
        return False

    def renew(self):
        self.refusals += 1
        if self.refusals > MOST_REFUSALS or not self.messenger.wire.jwt:
            self.failures = self.options["maxConnectionAttempts"]
            return False
        self.refused()
        return True

    def listen(self):
        url = self.options["baseUrl"].replace("http", "ws", 1)
        trust = ssl.create_default_context(cafile=self.world.certificates) if url.startswith("wss") else None
        origin = self.options["baseUrl"].replace(f":{urlparse(url).port}", "").removesuffix(urlparse(url).path)
        kind = PortlessConnection if self.variant.escapes else ClientConnection
        with connect(url, ssl=trust, origin=origin, compression=None, user_agent_header=None, proxy=None, ping_interval=None,
                     close_timeout=1, open_timeout=self.world.real(10) + 1, create_connection=kind) as self.socket:
            self.patience = 10
            try:
                self.talk()
            except (SessionForgotten, JWTRefused, OSError):
                self.socket.close()
                raise

    def talk(self):
        self.say(HANDSHAKE)
        while not self.stopped.is_set():
            # A server that is silent for longer than it said is gone.
            frame = self.socket.recv(timeout=self.world.real(self.patience * 1.5) + 2)
            for message in json.loads(frame):
                self.take(message)

    # ---- Bayeux

    def say(self, message):
        text = json.dumps(message)
        self.socket.send(text.replace("/", "\\/") if self.variant.escapes else text)

    def take(self, message):
        channel = message.get("channel")
        if channel == "/meta/handshake":
            self.take_handshake(message)
        elif channel == "/meta/connect":
            self.take_connect(message)
        elif channel == "/meta/subscribe":
            self.take_subscription(message)
        elif "data" in message:
            self.events(message["data"]["events"])

    def take_handshake(self, message):
        if not message["successful"]:
            raise OSError(message["error"])
        self.session_id = message["clientId"]
        # Advice may be missing, as any of its members (Bayeux 1.0).
        self.patience = message.get("advice", {}).get("timeout", 25_000) / 1000
        self.connect()
        self.subscribe()

    def connect(self):
        self.say({"channel": "/meta/connect", "clientId": self.session_id, "connectionType": "websocket"})

    def take_connect(self, message):
        advice = message.get("advice", {})
        if not message["successful"] and advice.get("reconnect") == "none":
            raise OSError(message["error"])
        if not message["successful"] and advice.get("reconnect") == "handshake":
            self.forgotten()
            return
        self.stopped.wait(self.world.real(advice.get("interval", 0) / 1000))
        self.connect()

    def forgotten(self):
        if not self.variant.same_socket:
            raise SessionForgotten()
        self.say(HANDSHAKE)

    def subscribe(self):
        who = {"appId": self.messenger.wire.app_id, "appUserId": self.messenger.app_user_id}
        jwt = self.first_jwt if self.variant.keeps_first_jwt else self.messenger.wire.jwt
        if jwt:
            who["jwt"] = jwt
        else:
            who["sessionToken"] = self.messenger.wire.session[1]
        message = {
            "channel": "/meta/subscribe", "clientId": self.session_id,
            "subscription": f"/sdk/apps/{who['appId']}/appusers/{who['appUserId']}",
        }
        if self.variant.credentials in ("beside", "both"):
            message.update(who)
        if self.variant.credentials in ("ext", "both"):
            message["ext"] = who
        self.say(message)

    def take_subscription(self, message):
        if message["successful"]:
            self.subscriptions += 1
            self.failures = self.refusals = 0
            self.settled.set()
            if self.subscriptions > 1:
                self.subscribed_again()
        elif "Unknown client" in message["error"]:
            self.forgotten()
        elif self.variant.hears_refused_subscription:
            if message["error"].endswith("invalid_auth"):
                raise JWTRefused()
            raise OSError(message["error"])
        else:
            self.settled.set()
