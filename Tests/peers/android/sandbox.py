"""The mock's control API: the agents, the device's inbox, and the marks."""
import asyncio
import json
import os
from urllib.parse import quote

import timing
from web import THREADS, exchange

BASE = f"{os.environ.get('SPARRING_URL', '')}/__admin/sandboxes/{os.environ.get('SPARRING_SANDBOX', '')}"
TOKEN_LOOKS = 3  # seconds from one look at the device's token to the next


class StoryFailed(Exception):
    """The story cannot be played."""


async def control(method, path, body=None, idle=None):
    """One call of the control API; anything but a success, or the status `idle`, ends the story."""
    data = None if body is None else json.dumps(body).encode()
    work = lambda: exchange(method, BASE + path, {"content-type": "application/json"}, data, 30.0, None)
    answer = await asyncio.get_running_loop().run_in_executor(THREADS, work)
    if answer.status == idle:
        return None
    if not answer.ok:
        raise StoryFailed(f"{method} {path}: {answer.status} {answer.body.decode()}")
    return json.loads(answer.body) if answer.body else None


async def agent_says(aim, text):
    """An agent's message; returns its dialog and number."""
    deed = await control("POST", "/liveperson/agent/say", aim | {"text": text})
    return deed["conversation"], deed["sequence"]


class Inbox:
    """What push services deliver to one device."""

    def __init__(self, device_token):
        self.token = device_token
        self.since, self.count = 0, 0
        self.arrived = asyncio.Event()

    async def watch(self, on_push, on_new_token):
        """Hands each push to the app, and each new token, for ever."""
        while True:
            taking = asyncio.create_task(self.take(on_push))
            self.token = await self.next_token()
            taking.cancel()
            on_new_token(self.token)

    async def next_token(self):
        """Waits until the push service gives the device another token."""
        while True:
            await timing.wait(TOKEN_LOOKS)
            for device in (await control("GET", "/devices"))["devices"]:
                if device["token"] == self.token and "renewed" in device:
                    return device["renewed"]

    async def take(self, on_push):
        """Takes what comes with the token that there is."""
        path = f"/devices/{quote(self.token, safe='')}/notifications/wait"
        while True:
            got = await control("GET", f"{path}?since={self.since}&timeout=20s", idle=408)
            if got:
                self.since = got["next"]
            for notification in got["notifications"] if got else []:
                on_push(notification["payload"])
                self.count += 1
                self.arrived.set()

    async def wait_for(self, count, seconds):
        """Waits until so many pushes have come; returns whether they have."""
        end = timing.moment_in(seconds)
        while self.count < count and timing.left_until(end) > 0:
            self.arrived.clear()
            try:
                await asyncio.wait_for(self.arrived.wait(), timing.real(timing.left_until(end)))
            except asyncio.TimeoutError:
                break
        return self.count >= count


class Marks:
    """Tells what is not on the network, in order."""

    def __init__(self, options, device):
        self.told = options.marks
        self.device = {"device": device} if options.two_devices else {}
        self.queue = asyncio.Queue()
        self.lane = "ada"
        self.teller = asyncio.create_task(self.tell_all())

    def tell(self, mark, **members):
        """Has a mark told, after those before."""
        if self.told:
            self.queue.put_nowait({"mark": mark, "lane": self.lane, **self.device, **members})

    async def tell_all(self):
        while True:
            await control("POST", "/journal/marks", await self.queue.get())
            self.queue.task_done()

    async def flush(self):
        """Waits until all have been sent."""
        told = asyncio.create_task(self.queue.join())
        await asyncio.wait({told, self.teller}, return_when=asyncio.FIRST_COMPLETED)
        if self.teller.done():
            self.teller.result()
