"""What plays the customers of messaging.py, as many as one process has: when each of them speaks, and what is still to come."""

import asyncio
import gc
import importlib
import json
import time
from collections import Counter, namedtuple

import requests
from websockets.exceptions import ConnectionClosed

PATIENCE = 30  # seconds for an answer, and for what is still to come after the last message

# The module that knows the vendor, how many customers and how many with a second device, the rate in messages per second, over how many
# processes the customers are spread, and whether an agent echoes.
Plan = namedtuple("Plan", "vendor consumers second_devices rate messages processes echoes")


def differences(what, expected, seen):
    for key in expected.keys() | seen.keys():
        if expected[key] != seen[key]:
            yield f"{what}: {key} is there {seen[key]} times, not {expected[key]}"


async def read(device, party):
    """Has a device take what comes on its socket, until that ends."""
    try:
        async for text in device.wire:
            device.take(json.loads(text), time.monotonic())
        ended = "in order"
    except ConnectionClosed as closed:
        ended = str(closed)
    if not party.load.is_over:
        party.wrong(f"a socket ended: {ended}")


class Load:
    """The share of the customers that this process plays.

    The vendor's module has a class Consumer(load, number, has_second) with a name, wrongs and devices; open, publish, settle, judge and compare
    are called in this order, and what is heard is reported by `arrived`.
    """

    def __init__(self, plan, share, url, tenant):
        self.plan = plan
        self.url = url
        self.tenant = tenant
        self.vendor = importlib.import_module(plan.vendor)
        self.events_per_message = self.vendor.ECHOED_EVENTS if plan.echoes else 1
        self.http = requests.Session()
        self.http.trust_env = False
        self.http.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=32))
        self.is_over = False
        self.last = 0  # when something last came
        self.all_came = asyncio.Event()
        mine = range(share, plan.consumers, plan.processes)
        self.consumers = {number: self.vendor.Consumer(self, number, number < plan.second_devices) for number in mine}
        # Those due to this share: messages go round the customers, evenly spread over time.
        self.turns = [turn for turn in range(plan.messages) if turn % plan.consumers in self.consumers]
        self.left = sum(
            1 + self.events_per_message * (2 if self.consumers[turn % plan.consumers].has_second else 1) for turn in self.turns)

    def call(self, method, path, **more):
        """Makes a call that must succeed, in a thread; its body."""

        def send():
            answer = self.http.request(method, f"{self.url}{path}", timeout=PATIENCE, **more)
            answer.raise_for_status()
            return answer.json() if answer.content else None

        return asyncio.to_thread(send)

    def arrived(self, now, count=1):
        self.last = now
        self.left -= count
        if self.left == 0:
            self.all_came.set()

    async def each(self, act):
        """For all customers, some at a time."""
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
        await self.each(self.vendor.Consumer.open)
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
            pass  # what did not come is reported customer by customer
        used = time.process_time() - used
        channel.send("played")
        await asyncio.to_thread(channel.recv)

        await self.each(self.vendor.Consumer.settle)
        result = {"answered": {}, "notified": Counter(), "steps": Counter(), "responses": [], "notifications": [], "echoes": [], "heard": 0}
        for consumer in self.consumers.values():
            consumer.judge(result)
            result["heard"] += sum(len(device.heard) for device in consumer.devices)
        await self.each(self.vendor.Consumer.compare)
        self.is_over = True
        figures = {"lateness": lateness, "sending": sending, "hearing": self.last - begin, "cpu": used}
        channel.send({**result, **figures, "wrongs": self.wrongs})

    @property
    def wrongs(self):
        return [wrong for consumer in self.consumers.values() for wrong in consumer.wrongs]


def work(channel, plan, share, url, tenant):
    """What one process does; it speaks to the one that started it over the channel."""

    async def begin():
        await Load(plan, share, url, tenant).run(channel)

    asyncio.run(begin())
