"""CXone's customers, for messaging.py: each has a channel of its own kind, single-thread, multi-thread and live chat in turn."""

import asyncio
import json
import time
import uuid
from collections import Counter

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from load import PATIENCE, differences, read

MODES = ("single", "multi", "live")
LOADING = {"single": "RecoverThread", "multi": "FetchThreadList", "live": "RecoverLivechat"}
ECHOED_EVENTS = 0  # no agent echoes


def entries(plan):
    """How many entries of the journal a message leads to, at most."""
    return 4


def configuration(plan, script):
    """What the brand needs for the run."""
    return {"historyPage": 50, "channels": [{"channelId": f"chat_{mode}", "mode": mode} for mode in MODES]}


def check_journal(plan, journal, told):
    """Each acknowledged message is in the journal once, and once for each socket that heard of it."""
    said = Counter()
    for entry in journal(operation="cxone.sendMessage"):
        if entry["answer"].get("name") == "acknowledged":
            data = json.loads(entry["request"]["body"])["payload"]["data"]
            said[data["messageContent"]["payload"]["text"], data["idOnExternalPlatform"]] += 1
    yield from differences("the journal's messages", Counter(told["answered"].items()), said)
    notified = Counter()
    for entry in journal(operation="cxone.messageCreated", kind="notification"):
        notified[json.loads(entry["answer"]["body"])["data"]["message"]["idOnExternalPlatform"]] += 1
    yield from differences("the journal's notifications", told["notified"], notified)


class Device:
    """One socket of a customer."""

    def __init__(self, customer):
        self.customer = customer
        self.visitor = str(uuid.uuid4())
        self.waiting = {}
        self.heard = []  # (when, message) in the order of coming

    async def open(self):
        customer = self.customer
        await customer.load.call("GET", f"/chat/1.0/brand/{customer.brand}/channel/{customer.channel}")
        body = {"customerIdentity": customer.identity, "browserFingerprint": {"os": "iOS"}}
        await customer.load.call("PUT", f"/web-analytics/1.0/tenants/{customer.brand}/visitors/{self.visitor}", json=body)
        query = f"brandId={customer.brand}&channelId={customer.channel}&visitorId={self.visitor}&sdkPlatform=ios&sdkVersion=3.3.1"
        self.wire = await connect(
            f"ws://{customer.load.url.split('://')[1]}/?{query}", proxy=None, compression=None, max_size=None, open_timeout=PATIENCE,
            ping_interval=20, ping_timeout=PATIENCE)
        self.reader = asyncio.create_task(read(self, self.customer))
        await self.ask("AuthorizeCustomer", {"disableChannelInfo": True, "sdkPlatform": "ios", "sdkVersion": "3.3.1"}, "register")

    def frame(self, number, event, data=None, action="chatWindowEvent"):
        customer = self.customer
        payload = {
            "brand": {"id": int(customer.brand)}, "channel": {"id": customer.channel}, "customerIdentity": customer.identity,
            "visitor": {"id": self.visitor}, "eventType": event}
        if data is not None:
            payload["data"] = data
        return json.dumps({"action": action, "eventId": number, "payload": payload})

    async def ask(self, event, data=None, action="chatWindowEvent"):
        """The data of the answer; None where there is nothing to load yet."""
        number = str(uuid.uuid4())
        answered = self.waiting[number] = asyncio.get_running_loop().create_future()
        await self.wire.send(self.frame(number, event, data, action))
        answer = await asyncio.wait_for(answered, PATIENCE)
        code = (answer.get("error") or {}).get("errorCode", "")
        if code.startswith("Recovering"):
            return None
        if code:
            raise RuntimeError(f"{self.customer.name}: {event} was answered {answer}")
        return (answer.get("postback") or {}).get("data") or {}

    async def load(self):
        return await self.ask(LOADING[self.customer.mode])

    async def history(self):
        """All messages of the thread, oldest first."""
        event = "RecoverLivechat" if self.customer.mode == "live" else "RecoverThread"
        data = await self.ask(event, {"thread": self.customer.thread}) or {}
        messages, token = data.get("messages", []), data.get("messagesScrollToken")
        while token:
            oldest = messages[-1]["createdAt"]
            more = await self.ask(
                "LoadMoreMessages", {"scrollToken": token, "oldestMessageDatetime": oldest, "thread": self.customer.thread})
            messages, token = messages + more["messages"], more["scrollToken"]
        return messages[::-1]

    def take(self, frame, now):
        kind = frame.get("eventType")
        if kind == "MessageCreated":
            self.heard.append((now, frame["data"]["message"]))
            self.customer.load.arrived(now)
        elif kind in ("CaseCreated", "CaseStatusChanged", "SetPositionInQueue"):
            pass  # come with the first message
        elif frame.get("eventId") in self.waiting:
            self.waiting.pop(frame["eventId"]).set_result(frame)
        elif "eventId" in frame and kind is None:
            self.customer.is_answered(frame, now)
        else:
            self.customer.wrong(f"unexpected {frame}")


class Consumer:
    """Writes on its first device and remembers all it sent and received."""

    def __init__(self, load, number, has_second):
        self.load = load
        self.name = f"customer {number}"
        self.has_second = has_second
        self.mode = MODES[number % len(MODES)]
        self.channel = f"chat_{self.mode}"
        self.brand = load.tenant["brandId"]
        self.identity = {"idOnExternalPlatform": str(uuid.uuid4())}
        self.thread = {"idOnExternalPlatform": str(uuid.uuid4())}
        self.sent = {}  # event id: (when, message id, text)
        self.answers = {}  # event id: [(when, frame)]
        self.wrongs = []

    def wrong(self, what):
        self.wrongs.append(f"{self.name} ({self.mode}): {what}")

    async def open(self):
        self.devices = [Device(self) for _ in range(2 if self.has_second else 1)]
        for device in self.devices:
            await device.open()
            if past := await device.load():
                if past.get("messages") or past.get("threads"):
                    self.wrong(f"a new customer has a past: {past}")

    async def publish(self):
        number, message = str(uuid.uuid4()), str(uuid.uuid4())
        text = f"message {len(self.sent)} of {self.name}: äöü 日本 🙂"
        data = {
            "thread": self.thread, "idOnExternalPlatform": message, "messageContent": {"type": "TEXT", "payload": {"text": text}, "parameters": {}},
            "customer": {"customFields": []}, "contact": {"customFields": []}, "attachments": [], "deviceFingerprint": {"os": "iOS"}}
        device = self.devices[0]
        self.sent[number] = time.monotonic(), message, text
        try:
            await device.wire.send(device.frame(number, "SendMessage", data))
        except ConnectionClosed:
            pass  # the reader tells

    def is_answered(self, frame, now):
        self.answers.setdefault(frame["eventId"], []).append((now, frame))
        refused = "error" in frame
        self.load.arrived(now, 1 + len(self.devices) if refused else 1)  # nobody hears of what was refused

    async def settle(self):
        """Asks once more: each socket keeps its order, so that after the answer what came twice has come."""
        for device in self.devices:
            await device.load()

    def judge(self, result):
        """After the run: what was acknowledged and what was heard fits what was sent; adds what to look for in the journal, and the latencies."""
        accepted = {}  # message id: (when it was sent, text), in the order of sending
        for number, (at, message, text) in self.sent.items():
            answers = self.answers.pop(number, [])
            if len(answers) != 1:
                self.wrong(f"'{text}' was answered {len(answers)} times")
            for now, frame in answers[:1]:
                if "error" in frame:
                    self.wrong(f"'{text}' was answered {frame}")
                    continue
                accepted[message] = at, text
                result["answered"][text] = message
                result["notified"][message] = len(self.devices)
                result["responses"].append(now - at)
        for number, answers in self.answers.items():
            self.wrong(f"{len(answers)} answers to event {number}, which was never sent")
        for index, device in enumerate(self.devices):
            heard = [message["idOnExternalPlatform"] for _, message in device.heard]
            if heard != list(accepted):
                lines = list(differences(f"device {index}: messages", Counter(accepted.keys()), Counter(heard)))
                self.wrongs += [f"{self.name}: {line}" for line in lines or [f"device {index} heard the messages out of order"]]
            for now, message in device.heard:
                at, text = accepted.get(message["idOnExternalPlatform"], (now, None))
                if message["messageContent"]["payload"].get("text") != text:
                    self.wrong(f"device {index} heard {message['messageContent']} instead of '{text}'")
                result["notifications"].append(now - at)

    async def compare(self):
        """A fresh socket gets what the others have heard."""
        fresh = Device(self)
        await fresh.open()
        history = [(message["idOnExternalPlatform"], message["messageContent"]["payload"].get("text")) for message in await fresh.history()]
        for index, device in enumerate(self.devices):
            heard = [(message["idOnExternalPlatform"], message["messageContent"]["payload"].get("text")) for _, message in device.heard]
            if history != heard:
                self.wrong(f"the history has {len(history)} messages and differs from the {len(heard)} that device {index} heard")
