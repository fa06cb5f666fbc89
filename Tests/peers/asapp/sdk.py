"""A small reference driver of ASAPP's SDK. It knows the wire and its errors, and asks the app for the context."""

import json
import random
import ssl
import threading
import uuid

import requests
import websockets.exceptions
from websockets.sync.client import connect


class Failed(Exception):
    """An error that the app can see, by the SDK's own name for it."""

    def __init__(self, name, code=None):
        super().__init__(f"{name} ({code})" if code else name)
        self.name, self.code = name, code


class User:
    """Who uses the app. A user without an identifier is anonymous."""

    def __init__(self, identifier, request_context):
        self.identifier, self.request_context = identifier, request_context


class ChatSDK:
    TRIES = 4  # of a call that the server cannot answer now

    def __init__(self, world, platform, base_url, ca_file, disk):
        self.world, self.platform, self.base_url, self.disk = world, platform, base_url, disk
        self.app_id = world.setting("ASAPP_APP_ID")
        self.http = requests.Session()
        self.ca_file = ca_file
        self.user = None
        self.socket = None
        self.lock = threading.RLock()

    # The session is kept on the disk, so that it outlives the process.

    @property
    def session(self):
        return self.disk.get("session")

    def has_session_of(self, user):
        return bool(self.session) and self.session["user"] == user.identifier

    def set_user(self, user, bring=None):
        """Say who the user is. `bring` is the session of an anonymous user who signs in now."""
        self.user = user
        if not self.has_session_of(user):
            self.start_session(bring)

    def clear_session(self):
        self.close_socket()
        self.disk.pop("session", None)
        self.user = None

    def start_session(self, bring=None):
        body = {"userIdentifier": self.user.identifier, "platform": self.platform, "region": "US", "languages": ["en"]}
        answer = self._with_context("POST", "/chat/v1/session", body, bring, self.user.identifier is not None)
        if answer.status_code != 200:
            raise Failed("authenticationFailed", code_of(answer))
        session = answer.json()
        self.disk["session"] = {"token": session["sessionToken"], "customer": session["customerId"],
                                "anonymous": session["anonymous"], "user": self.user.identifier}

    # Pushes

    def enable_push(self, device_token, with_context):
        """Register the device. The app never learns of a failure."""
        body = {"deviceToken": device_token, "platform": self.platform}
        return self._as_user("PUT", "/chat/v1/push-token", body, with_context).status_code == 204

    def disable_push(self, device_token, with_context):
        body = {"deviceToken": device_token} if device_token else {}
        answer = self._as_user("DELETE", "/chat/v1/push-token", body, with_context, tries=1)
        if answer.status_code != 204:
            raise Failed("pushDeregistrationFailed", code_of(answer))

    # The status

    def status(self):
        answer = self._as_user("GET", "/chat/v1/status", tries=1)
        if answer.status_code == 429:
            self._pause(answer, 0)
            answer = self._as_user("GET", "/chat/v1/status", tries=1)
        if answer.status_code != 200:
            raise Failed("getChatStatusFailed", code_of(answer))
        return answer.json()

    # The chat

    def send(self, text):
        """Say something. A repeat has the same id, so that nothing is said twice."""
        body = {"clientMessageId": str(uuid.uuid4()), "text": text}
        answer = self._as_user("POST", "/chat/v1/messages", body)
        if answer.status_code != 201:
            raise Failed("openChannelFailed", code_of(answer))
        return answer.json()["id"]

    def messages(self, after=None):
        answer = self._as_user("GET", "/chat/v1/messages" + (f"?after={after}" if after else ""))
        if answer.status_code != 200:
            raise Failed("openChannelFailed", code_of(answer))
        return answer.json()["messages"]

    def socket_url(self):
        answer = self._as_user("POST", "/chat/v1/socket-url")
        if answer.status_code != 200:
            raise Failed("openChannelFailed", code_of(answer))
        return answer.json()["url"]

    def open_socket(self, on_frame, on_reopened):
        self.socket = Socket(self, on_frame, on_reopened)
        self.socket.open()

    def close_socket(self):
        if self.socket:
            self.socket.close()
            self.socket = None

    # Calls

    def _as_user(self, method, path, body=None, with_context=False, tries=None):
        """Call with the session. If the session is over, start another one and call once more."""
        answer = self._with_context(method, path, body, self.session["token"], with_context, tries)
        if answer.status_code == 401 and code_of(answer) in ("401-03", "401-04"):
            self.recover_session()
            answer = self._with_context(method, path, body, self.session["token"], with_context, tries)
        return answer

    def recover_session(self):
        with self.lock:
            self.disk.pop("session", None)
            self.start_session()

    def _with_context(self, method, path, body, token, with_context, tries=None):
        """Call with the app's context if one is wanted. If its token has expired, ask for a fresh one and call once more."""
        if with_context:
            body = {**body, "context": self.user.request_context(False)}
        answer = self._call(method, path, body, token, tries)
        if with_context and answer.status_code == 401 and code_of(answer) == "401-02":
            answer = self._call(method, path, {**body, "context": self.user.request_context(True)}, token, tries)
        return answer

    def _call(self, method, path, body, token, tries=None):
        """One request; again after a pause if the server is not well or the answer is lost."""
        headers = {"asapp-api-id": self.app_id, "asapp-api-secret": "not-used-today"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        last = (tries or self.TRIES) - 1
        for number in range(last + 1):
            try:
                answer = self.http.request(method, self.base_url + path, json=body, headers=headers,
                                           verify=self.ca_file or True, timeout=max(2, 20 * self.world.scale))
            except (requests.ConnectionError, requests.Timeout) as lost:
                if number == last:
                    raise Failed("openChannelFailed") from lost
                answer = None
            if answer is not None and (answer.status_code < 500 and answer.status_code != 429 or number == last):
                return answer
            self._pause(answer, number)

    def _pause(self, answer, number):
        """As long as the server asks for, else 1, 2, 4 s and a little."""
        asked = answer.headers.get("Retry-After") if answer is not None else None
        self.world.wait(float(asked) if asked else 2 ** number * random.uniform(1, 1.25))


class Socket:
    """The chat's socket. It opens again, with another URL, when it is lost."""

    WAITS = (1, 2, 4, 8)

    def __init__(self, sdk, on_frame, on_reopened):
        self.sdk, self.on_frame, self.on_reopened = sdk, on_frame, on_reopened
        self.wanted = True
        self.connection = None
        self.reader = None

    def open(self):
        self.connection = self.connect(self.sdk.socket_url())
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def connect(self, url):
        context = None
        if url.startswith("wss:"):
            context = ssl.create_default_context(cafile=self.sdk.ca_file)
        return connect(url, ssl=context, open_timeout=10, close_timeout=2, ping_interval=None)

    def _read(self):
        while self.wanted:
            try:
                for frame in self.connection:
                    self.on_frame(json.loads(frame))
            except websockets.exceptions.ConnectionClosed:
                pass
            if self.wanted and not self.reopen():
                return

    def reopen(self):
        for pause in self.WAITS:
            self.sdk.world.wait(pause * random.uniform(1, 1.25))
            if not self.wanted:
                return False
            try:
                self.connection = self.connect(self.sdk.socket_url())
            except (Failed, OSError, websockets.exceptions.WebSocketException):
                continue
            if not self.wanted:
                self.connection.close()
                return False
            self.on_reopened()
            return True
        return False

    def close(self):
        self.wanted = False
        self.connection.close()
        if self.reader is not threading.current_thread():
            self.reader.join(5)


def code_of(answer):
    try:
        return answer.json()["error"].get("code")
    except (ValueError, KeyError, TypeError):
        return str(answer.status_code)
