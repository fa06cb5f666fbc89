"""LivePerson's consumers, for messaging.py."""

import asyncio
import itertools
import json
import re
import time
from collections import Counter

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from load import PATIENCE, differences, read

EVENTS = "ms.MessagingEventNotification"
ECHOED_EVENTS = 4  # of each message: itself; that it was accepted, that it was read, and its echo


def entries(plan):
    """How many entries of the journal a message leads to, at most."""
    return 12 if plan.echoes else 3


def configuration(plan, script):
    """What the account needs for the run."""
    return {"agents": [{"userId": "55", "nickname": "Alex", "script": script}]} if plan.echoes else {}


def check_journal(plan, journal, told):
    """Each answered message is in the journal once, with its sequence; so is each notification, for each of its sockets."""
    published = Counter()
    for entry in journal(operation="liveperson.publishText"):
        answer = json.loads(entry["answer"].get("body", "{}"))  # a fault may have left none
        if answer.get("code") == 200:
            published[json.loads(entry["request"]["body"])["body"]["event"]["message"], answer["body"]["sequence"]] += 1
    yield from differences("the journal's publishes", Counter(told["answered"].items()), published)
    notified = Counter()
    for entry in journal(operation="liveperson.eventsPublished", kind="notification"):
        if entry["causedBy"]["operation"] != "liveperson.subscribeEvents":
            for change in json.loads(entry["answer"]["body"])["body"]["changes"]:
                notified[change["dialogId"], change["sequence"]] += 1
    yield from differences("the journal's notifications", told["notified"], notified)
    if not plan.echoes:
        return
    played = Counter()
    for entry in journal(operation="liveperson.agentStep", kind="due"):
        if step := re.match(r"step (\d+) of Alex's script: ", entry["cause"]):
            played[entry["lane"], int(step[1])] += 1
        else:
            yield f"entry {entry['number']}: {entry['cause']}"
    yield from differences("the journal's steps of conversations", told["steps"], played)


class Device:
    """One socket of a consumer, following its dialog."""

    def __init__(self, consumer):
        self.consumer = consumer
        self.waiting = {}
        self.ids = (f"ask-{number}" for number in itertools.count(1))
        self.heard = []  # (when, change) in the order of coming
        self.first = asyncio.get_running_loop().create_future()  # what a subscription gets at once

    async def open(self):
        consumer = self.consumer
        # A ping of 20 s keeps the socket from the idle limit.
        self.wire = await connect(
            consumer.socket_url, additional_headers={"Authorization": f"jwt {consumer.token}"}, proxy=None, compression=None,
            max_size=None, open_timeout=PATIENCE, ping_interval=20, ping_timeout=PATIENCE)
        self.reader = asyncio.create_task(read(self, self.consumer))

    async def ask(self, kind, body=None):
        number = next(self.ids)
        answered = self.waiting[number] = asyncio.get_running_loop().create_future()
        await self.wire.send(json.dumps({"kind": "req", "id": number, "type": kind, "body": body or {}}))
        answer = await asyncio.wait_for(answered, PATIENCE)
        if answer["code"] != 200:
            raise RuntimeError(f"{self.consumer.name}: {kind} was answered {answer}")
        return answer["body"]

    async def follow(self):
        await self.ask("ms.SubscribeMessagingEvents", {"dialogId": self.consumer.dialog, "fromSeq": 0})
        return await asyncio.wait_for(self.first, PATIENCE)

    def take(self, message, now):
        if message["kind"] == "notification":
            if message["type"] != EVENTS:
                self.consumer.wrong(f"unexpected {message['type']}")
            elif not self.first.done():
                self.first.set_result(message["body"]["changes"])
            else:
                for change in message["body"]["changes"]:
                    self.consumer.hears(self, change, now)
        elif message["reqId"] in self.waiting:
            self.waiting.pop(message["reqId"]).set_result(message)
        else:
            self.consumer.is_answered(message, now)


class Consumer:
    """Talks on its first device and remembers all it sent and received."""

    def __init__(self, load, number, has_second):
        self.load = load
        self.name = f"consumer {number}"
        self.has_second = has_second
        self.sent = {}  # request id: (when, text)
        self.answers = {}  # request id: [(when, code, body)]
        self.sequences = set()
        self.wrongs = []

    def wrong(self, what):
        self.wrongs.append(f"{self.name}: {what}")

    async def open(self):
        account = self.load.tenant["accountId"]
        self.socket_url = f"ws://{self.load.url.split('://')[1]}/ws_api/account/{account}/messaging/consumer?v=3"
        self.token = (await self.load.call("POST", f"/api/account/{account}/signup"))["jwt"]
        self.devices = [Device(self) for _ in range(2 if self.has_second else 1)]
        for device in self.devices:
            await device.open()
        self.dialog = (await self.devices[0].ask("cm.ConsumerRequestConversation", {"ttrDefName": "NORMAL"}))["conversationId"]
        for device in self.devices:
            if past := await device.follow():
                self.wrong(f"a new dialog has a past: {past}")

    async def publish(self):
        number = f"say-{len(self.sent)}"
        text = f"message {len(self.sent)} of {self.name}: äöü 日本 🙂"
        event = {"type": "ContentEvent", "contentType": "text/plain", "message": text}
        body = {"dialogId": self.dialog, "conversationId": self.dialog, "event": event}
        frame = json.dumps({"kind": "req", "id": number, "type": "ms.PublishEvent", "body": body})
        self.sent[number] = time.monotonic(), text
        try:
            await self.devices[0].wire.send(frame)
        except ConnectionClosed:
            pass  # the reader tells

    def is_answered(self, message, now):
        self.answers.setdefault(message["reqId"], []).append((now, message["code"], message["body"]))
        if message["code"] == 200:
            self.sequences.add(message["body"]["sequence"])
            self.load.arrived(now)
        else:
            self.load.arrived(now, 1 + self.load.events_per_message * len(self.devices))  # nobody hears of it

    def hears(self, device, change, now):
        device.heard.append((now, change))
        # Clients rely on it: a response precedes the notifications that its request causes.
        if device is self.devices[0] and is_own(change) and change["sequence"] not in self.sequences:
            self.wrong(f"notification {change['sequence']} came before the response to its publish")
        self.load.arrived(now)

    async def settle(self):
        """Asks once more: each socket keeps its order, so that after the answer what came twice has come."""
        for device in self.devices:
            await device.ask("GetClock")

    def judge(self, result):
        """After the run: what was answered and what was heard fits what was sent; adds what to look for in the journal, and the latencies."""
        answered, sent_at = {}, {}
        for number, (at, text) in self.sent.items():
            answers = self.answers.pop(number, [])
            if len(answers) != 1:
                self.wrong(f"'{text}' was answered {len(answers)} times")
            for now, code, body in answers[:1]:
                if code != 200:
                    self.wrong(f"'{text}' was answered {code} {body}")
                    continue
                answered[text] = body["sequence"]
                sent_at[text] = at
                result["responses"].append(now - at)
        for number, answers in self.answers.items():
            self.wrong(f"{len(answers)} answers to request {number}, which was never sent")
        if (order := list(answered.values())) != sorted(set(order)):
            self.wrong(f"the sequences answered do not rise: {order}")
        for index, device in enumerate(self.devices):
            sequences = [change["sequence"] for _, change in device.heard]
            expected = len(answered) * self.load.events_per_message
            if sequences != list(range(expected)):
                self.wrong(f"device {index} heard the sequences {runs(sequences)}, not {runs(range(expected))}")
            own = {}
            for now, change in device.heard:
                if is_own(change):
                    text = change["event"]["message"]
                    own[text] = change["sequence"]
                    if text in sent_at:
                        result["notifications"].append(now - sent_at[text])
            for text in answered.keys() | own.keys():
                if answered.get(text) != own.get(text):
                    self.wrong(f"'{text}' was answered as {answered.get(text)}, device {index} heard it as {own.get(text)}")
            if self.load.plan.echoes:
                result["echoes"] += self.judge_agent(index, device, answered, sent_at)
        result["answered"].update(answered)
        for sequence in range(len(answered) * self.load.events_per_message):
            result["notified"][self.dialog, sequence] = len(self.devices)
        if self.load.plan.echoes:  # joins once
            result["steps"].update({(self.dialog, 1): 1, **{(self.dialog, step): len(answered) for step in (2, 3, 4)}})

    def judge_agent(self, index, device, answered, sent_at):
        """A device has heard of each message that the agent accepted and read it and said it again: each once, in that order, message by
        message. Returns the latencies of the echoes."""
        latencies, done = [], []
        for now, change in device.heard:
            if is_own(change):
                continue
            if change["originatorMetadata"]["role"] != "ASSIGNED_AGENT":
                self.wrong(f"device {index} heard sequence {change['sequence']} from nobody who was expected: {change}")
            event = change["event"]
            if event["type"] == "AcceptStatusEvent":
                done.append((event["status"], *event["sequenceList"]))
                continue
            text = event.get("message")
            done.append(("echo", text))
            if text in sent_at:
                latencies.append(now - sent_at[text])
        expected = []
        for text, sequence in answered.items():
            expected += [("ACCEPT", sequence), ("READ", sequence), ("echo", text)]
        if done != expected:
            self.wrongs += [f"{self.name}: {line}" for line in differences(f"device {index}: the agent's events", Counter(expected), Counter(done))]
            if Counter(done) == Counter(expected):
                place = next(place for place in range(len(done)) if done[place] != expected[place])
                self.wrong(f"device {index} heard the agent out of order: {done[place]} where {expected[place]} is due")
        return latencies

    async def compare(self):
        """A fresh socket gets what the others have heard, and they have nothing more to hear."""
        fresh = Device(self)
        await fresh.open()
        history = await fresh.follow()
        for index, device in enumerate(self.devices):
            heard = [change for _, change in device.heard]
            if history != heard:
                self.wrong(f"the history has {len(history)} events and differs from the {len(heard)} that device {index} heard")


def is_own(change):
    return change["originatorMetadata"]["role"] == "CONSUMER"


def runs(numbers):
    """0, 1, 2, 5 as 0–2, 5."""
    parts = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(f"{first}–{last}" if first < last else str(first) for first, last in parts) or "none"
