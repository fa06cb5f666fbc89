"""The consumers of messaging.py, as many as one process plays."""

import asyncio
import gc
import itertools
import json
import time
from collections import Counter, namedtuple

import requests
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

EVENTS = "ms.MessagingEventNotification"
PATIENCE = 30  # seconds for an answer, and for what is still to come after the last message

# How many of each, the rate in messages per second, over how many processes the consumers are spread, and whether an agent echoes.
Plan = namedtuple("Plan", "consumers second_devices rate messages processes echoes")


class Device:
    """One socket of a consumer, following its dialog."""

    def __init__(self, consumer):
        self.consumer = consumer
        self.waiting = {}
        self.ids = (f"ask-{number}" for number in itertools.count(1))
        self.heard = []  # (when, change) in the order of coming
        self.first = asyncio.get_running_loop().create_future()  # what a subscription is told at once

    async def open(self):
        consumer = self.consumer
        # A ping of 20 s keeps the socket from the idle limit.
        self.wire = await connect(
            consumer.load.socket_url, additional_headers={"Authorization": f"jwt {consumer.token}"}, proxy=None, compression=None,
            max_size=None, open_timeout=PATIENCE, ping_interval=20, ping_timeout=PATIENCE)
        self.reader = asyncio.create_task(self.read())

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

    async def read(self):
        try:
            async for text in self.wire:
                self.take(json.loads(text), time.monotonic())
            ended = "in order"
        except ConnectionClosed as closed:
            ended = str(closed)
        if not self.consumer.load.is_over:
            self.consumer.wrong(f"a socket ended: {ended}")

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
    """Talks on its first device and remembers all it sent and was told."""

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
        self.token = await asyncio.to_thread(self.load.sign_up)
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

    def judge(self):
        """After the run: what was answered and what was heard fits what was sent.

        Returns the sequences that were answered by the text, and the latencies of responses, of notifications and of echoes.
        """
        answered, responses, notifications, echoes = {}, [], [], []
        sent_at = {}
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
                responses.append(now - at)
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
                        notifications.append(now - sent_at[text])
            for text in answered.keys() | own.keys():
                if answered.get(text) != own.get(text):
                    self.wrong(f"'{text}' was answered as {answered.get(text)}, device {index} heard it as {own.get(text)}")
            if self.load.plan.echoes:
                echoes += self.judge_agent(index, device, answered, sent_at)
        return answered, responses, notifications, echoes

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
        """A fresh socket is told what the others have heard, and they have nothing more to hear."""
        fresh = Device(self)
        await fresh.open()
        history = await fresh.follow()
        for index, device in enumerate(self.devices):
            heard = [change for _, change in device.heard]
            if history != heard:
                self.wrong(f"the history has {len(history)} events and differs from the {len(heard)} that device {index} heard")


def is_own(change):
    return change["originatorMetadata"]["role"] == "CONSUMER"


def differences(what, expected, seen):
    for key in expected.keys() | seen.keys():
        if expected[key] != seen[key]:
            yield f"{what}: {key} is there {seen[key]} times, not {expected[key]}"


def runs(numbers):
    """0, 1, 2, 5 as 0–2, 5."""
    parts = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(f"{first}–{last}" if first < last else str(first) for first, last in parts) or "none"


class Load:
    """The share of the consumers that this process plays."""

    def __init__(self, plan, share, url, account):
        self.plan = plan
        self.share = share
        self.events_per_message = 4 if plan.echoes else 1  # itself; and that it was accepted, that it was read, and its echo
        self.sign_up_url = f"{url}/api/account/{account}/signup"
        self.socket_url = f"ws://{url.split('://')[1]}/ws_api/account/{account}/messaging/consumer?v=3"
        self.http = requests.Session()
        self.http.trust_env = False
        self.http.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=32))
        self.is_over = False
        self.last = 0  # when something last came
        self.all_came = asyncio.Event()
        mine = range(share, plan.consumers, plan.processes)
        self.consumers = {number: Consumer(self, number, number < plan.second_devices) for number in mine}
        # Those due to this share: messages go round the consumers, evenly spread over time.
        self.turns = [turn for turn in range(plan.messages) if turn % plan.consumers in self.consumers]
        self.left = sum(
            1 + self.events_per_message * (2 if self.consumers[turn % plan.consumers].has_second else 1) for turn in self.turns)

    def sign_up(self):
        answer = self.http.post(self.sign_up_url, timeout=PATIENCE)
        answer.raise_for_status()
        return answer.json()["jwt"]

    def arrived(self, now, count=1):
        self.last = now
        self.left -= count
        if self.left == 0:
            self.all_came.set()

    async def each(self, act):
        """For all consumers, some at a time."""
        permits = asyncio.Semaphore(16)

        async def one(consumer):
            async with permits:
                try:
                    await act(consumer)
                except (OSError, TimeoutError, ConnectionClosed, RuntimeError, requests.RequestException) as error:
                    consumer.wrong(f"{type(error).__name__} {error}")

        await asyncio.gather(*map(one, self.consumers.values()))

    async def play(self, begin):
        """Returns by how much each message was sent later than planned."""
        lateness = []
        for turn in self.turns:
            due = begin + turn / self.plan.rate
            await asyncio.sleep(max(0, due - time.monotonic()))
            lateness.append(time.monotonic() - due)
            await self.consumers[turn % self.plan.consumers].publish()
        return lateness

    async def run(self, channel):
        await self.each(Consumer.open)
        channel.send(self.wrongs)
        begin = await asyncio.to_thread(channel.recv)
        gc.collect()
        gc.disable()  # its pauses would be counted as the server's
        used = time.process_time()
        lateness = await self.play(begin)
        sending = time.monotonic() - begin
        try:
            await asyncio.wait_for(self.all_came.wait(), PATIENCE)
        except TimeoutError:
            pass  # what did not come is told consumer by consumer
        used = time.process_time() - used
        channel.send("played")
        await asyncio.to_thread(channel.recv)

        async def ask_once_more(consumer):  # each socket keeps its order: after the answer, what came twice has come
            for device in consumer.devices:
                await device.ask("GetClock")

        await self.each(ask_once_more)
        result = {"answered": {}, "notified": Counter(), "steps": Counter(), "responses": [], "notifications": [], "echoes": [], "heard": 0}
        for consumer in self.consumers.values():
            answered, responses, notifications, echoes = consumer.judge()
            result["answered"].update(answered)
            for sequence in range(len(answered) * self.events_per_message):
                result["notified"][consumer.dialog, sequence] = len(consumer.devices)
            if self.plan.echoes:  # joins once
                result["steps"].update({(consumer.dialog, 1): 1, **{(consumer.dialog, step): len(answered) for step in (2, 3, 4)}})
            result["responses"] += responses
            result["notifications"] += notifications
            result["echoes"] += echoes
            result["heard"] += sum(len(device.heard) for device in consumer.devices)
        await self.each(Consumer.compare)
        self.is_over = True
        figures = {"lateness": lateness, "sending": sending, "hearing": self.last - begin, "cpu": used}
        channel.send({**result, **figures, "wrongs": self.wrongs})

    @property
    def wrongs(self):
        return [wrong for consumer in self.consumers.values() for wrong in consumer.wrongs]


def work(channel, plan, share, url, account):
    """What one process does; it speaks to the one that started it over the channel."""

    async def begin():
        await Load(plan, share, url, account).run(channel)

    asyncio.run(begin())
