"""Events over the socket, and the answers to them."""

import json
from dataclasses import dataclass
from typing import Callable

from state import State
from store import new_id


@dataclass(frozen=True)
class Request:
    """An event that was sent. `succeed` takes the data of the answer, `fail` the error's code."""

    succeed: Callable
    fail: Callable


class Exchange:
    """Matches answers by their eventId (CXone reference 4.5), and passes on what the server sends unasked."""

    AWAITED = (
        "AuthorizeCustomer",
        "ReconnectCustomer",
        "RefreshToken",
        "RecoverThread",
        "RecoverLivechat",
        "FetchThreadList",
        "LoadThreadMetadata",
        "ArchiveThread",
        "SendMessage",
    )

    def __init__(self, chat):
        self.chat = chat
        self.pending = {}
        self.pushes = {}
        chat.events.on("frame", self.receive)
        chat.events.on("answer-missing", self.answer_missing)
        chat.events.on("large-event", self.large_event)

    def on_push(self, event_type, handler):
        self.pushes[event_type] = handler

    def ask(self, event_type, data, succeed=None, fail=None, action="chatWindowEvent"):
        event_id = new_id()

        def complain(code):
            self.chat.tell(f"refused: {event_type} {code}")

        self.pending[event_id] = Request(succeed or (lambda data: None), fail or complain)
        if self.chat.platform.reply_limit and event_type in self.AWAITED:
            self.chat.events.after(self.chat.platform.reply_limit, "answer-missing", key=event_id, event_id=event_id)
        self.chat.gateway.send(self.chat.wire.envelope(event_id, event_type, data, action))

    def forget(self):
        for event_id in self.pending:
            self.chat.events.cancel("answer-missing", event_id)
        self.pending.clear()

    def answer_missing(self, event_id):
        """iOS tears the connection down where the chat was not ready yet (CXone reference 9.1)."""
        request = self.pending.pop(event_id, None)
        if not request:
            return  # the answer has come after all, while this event was waiting
        if self.chat.state == State.CONNECTED:
            self.chat.connection.tear_down("unexpected-disconnect")
        else:
            request.fail("timeout")

    def receive(self, text, attempt):
        if attempt != self.chat.gateway.attempt or not self.chat.gateway.socket:
            return
        frame = json.loads(text)
        if frame == "pong":
            self.chat.gateway.hear_pong()
        else:
            self.handle(frame)

    def handle(self, frame):
        if "eventId" not in frame:
            return  # an error of the gateway; it does not say which event it belongs to (CXone reference 6.3)
        if self.chat.wire.is_web and frame.get("authorizationStatus") == "authorized":
            self.chat.gateway.start_heartbeat()
        postback = frame.get("postback") or {}
        data = frame.get("data") or postback.get("data") or {}
        event_type = frame.get("eventType") or postback.get("eventType")
        if event_type == "EventInS3":
            self.fetch(data["s3Object"]["url"], fetches=1)
        elif frame["eventId"] in self.pending:
            self.answer(frame, data)
        elif event_type in self.pushes:
            self.pushes[event_type](data)

    def answer(self, frame, data):
        request = self.pending.pop(frame["eventId"])
        self.chat.events.cancel("answer-missing", frame["eventId"])
        code = frame.get("error", {}).get("errorCode")
        if code == "SendingMessageFailed" and self.chat.platform.name == "ios":
            code = None  # iOS does not know it, and takes the frame for an acknowledgement (CXone reference C14)
        if code:
            request.fail(code)
        else:
            request.succeed(data)

    def fetch(self, url, fetches):
        """The bucket is public: no credentials (Event diagrams, Process Large Events)."""
        headers = self.chat.wire.headers(True)
        if self.chat.habits.has("shows-its-token-to-the-bucket"):
            token = self.chat.store.access_token
            headers["Authorization"] = f"Bearer {token.value if token else self.chat.store.visitor}"
        self.chat.calls.send("large-event", "GET", url, headers=headers, source=url, attempt=self.chat.gateway.attempt, fetches=fetches)

    def large_event(self, status, body, source, attempt, fetches):
        if attempt != self.chat.gateway.attempt or not self.chat.gateway.socket:
            return
        if self.chat.habits.has("fetches-for-ever") and fetches < 30:
            self.fetch(source, fetches + 1)
        elif status == 200 and body:
            if not self.chat.habits.has("ignores-large-events"):
                self.handle(body)
        elif self.chat.variant.fetches_again and fetches == 1:
            self.fetch(source, fetches + 1)
        else:
            self.chat.tell("large-event-missing")
