"""A customer of CXone's in a multi-thread channel, for fault_sockets.py: speaks as the SDK for iOS does."""

import json
import ssl
import uuid

from websockets.sync.client import connect

from consumer import plain
from peer import admin, check, http

OPEN, SAY, TOLD, ALL = "cxone.openGateway", "cxone.sendMessage", "cxone.messageCreated", "cxone.Messaging.*"
WORDS, TOLD_WORDS = "/payload/data/messageContent/payload/text", "/data/message/messageContent/payload/text"
REFUSAL = "sending-message-failed"
CHANNEL = "chat_multi"


class Talk:
    """One socket, and the thread that is talked in on it."""

    def __init__(self, party, host, scheme, sock):
        self.party = party
        query = f"brandId={party.tenant}&channelId={CHANNEL}&visitorId={party.visitor}&sdkPlatform=ios&sdkVersion=3.3.1"
        trust = {"ssl": ssl.create_default_context(cafile=http.verify)} if scheme == "wss" else {}
        self.wire = connect(
            f"{scheme}://{host or plain}/?{query}", sock=sock, proxy=None, max_size=None, open_timeout=60, ping_interval=None, **trust)
        self.thread, self.posted, self.is_in = str(uuid.uuid4()), [], False

    def send(self, event, data=None, action="chatWindowEvent", number=None):
        payload = {
            "brand": {"id": int(self.party.tenant)}, "channel": {"id": CHANNEL}, "customerIdentity": {"idOnExternalPlatform": "ada"},
            "eventType": event, "visitor": {"id": self.party.visitor}, **({"data": data} if data else {})}
        number = number or str(uuid.uuid4())
        self.wire.send(json.dumps({"action": action, "eventId": number, "payload": payload}))
        return number

    def ask(self, event, data=None, action="chatWindowEvent"):
        number = self.send(event, data, action)
        while (answer := json.loads(self.wire.recv(timeout=60))).get("eventId") != number:
            pass
        check(f"{event} is answered", "error" not in answer, answer)
        return answer

    def sign_in(self):
        if not self.is_in:
            self.ask("AuthorizeCustomer", {"disableChannelInfo": True, "sdkPlatform": "ios", "sdkVersion": "3.3.1"}, "register")
            self.is_in = True

    def begin(self):
        """Makes a thread of the first message, and hears of it."""
        self.sign_in()
        self.post("begun")
        while json.loads(self.wire.recv(timeout=60)).get("eventType") != "MessageCreated":
            pass
        self.posted = []

    def post(self, words, number=None):
        """Says something, and waits for nothing."""
        self.posted.append(str(uuid.uuid4()))
        data = {
            "thread": {"idOnExternalPlatform": self.thread}, "messageContent": {"type": "TEXT", "payload": {"text": words}},
            "idOnExternalPlatform": self.posted[-1], "customer": {"customFields": []}, "contact": {"customFields": []}, "attachments": [],
            "deviceFingerprint": {"os": "iOS"}}
        self.send("SendMessage", data)

    def read(self, frame):
        """'resp', or which messages were received."""
        return [self.posted.index(frame["data"]["message"]["idOnExternalPlatform"])] if "eventType" in frame else "resp"

    def asks(self):
        """Whether a heartbeat is answered."""
        self.wire.send('{"action":"heartbeat"}')
        return self.wire.recv(timeout=60) == '"pong"'


class Party:
    """Who talks."""

    def __init__(self, sandbox, made):
        self.tenant = made["tenants"]["cxone"]["brandId"]
        self.lane = self.visitor = str(uuid.uuid4())
        channels = {"channels": [{"channelId": CHANNEL, "mode": "multi"}], "historyPage": 50}
        admin("PATCH", f"sandboxes/{sandbox}/tenants/cxone", channels)
        http.get(f"http://{plain}/chat/1.0/brand/{self.tenant}/channel/{CHANNEL}", timeout=60)
        body = {"customerIdentity": {"idOnExternalPlatform": "ada"}, "browserFingerprint": {"os": "iOS"}}
        http.put(f"http://{plain}/web-analytics/1.0/tenants/{self.tenant}/visitors/{self.visitor}", json=body, timeout=60)

    def talk(self, host, scheme, sock):
        return Talk(self, host, scheme, sock)

    def said(self, talk, fresh):
        """The history that a fresh socket loads, without the message that began the thread."""
        fresh.sign_in()
        data = fresh.ask("RecoverThread", {"thread": {"idOnExternalPlatform": talk.thread}})["postback"]["data"]
        return [message["messageContent"]["payload"]["text"] for message in reversed(data["messages"])][1:]

    def close(self, talk, fresh):
        """Nothing: the next talk has a thread of its own."""
