"""The queue of events that drives the SDK of one device."""

import asyncio
from dataclasses import dataclass


class Timer:
    """Something that is due later, unless it is cancelled before."""

    def __init__(self, action):
        self.action = action
        self.handle = None
        self.live = True

    def cancel(self):
        self.live = False
        self.handle.cancel()


@dataclass(frozen=True)
class Rang:
    """A timer is over."""

    timer: Timer


class Machine:
    """Handles one event after another. A handler never waits: it starts what will post the next event."""

    def __init__(self, clock, failed):
        self.clock = clock
        self.failed = failed
        self.queue = asyncio.Queue()
        self.handlers = {Rang: self.on_rang}
        self.tasks = set()
        self.start(self.run())

    def on(self, kind, handler):
        self.handlers[kind] = handler

    def post(self, event):
        self.queue.put_nowait(event)

    def later(self, seconds, action):
        """Runs the action as an event of its own, when its time has come."""
        timer = Timer(action)
        timer.handle = self.clock.call_later(seconds, lambda: self.post(Rang(timer)))
        return timer

    def perform(self, coroutine, event):
        """Runs a coroutine beside the machine, and posts the event that is made of what it returns."""

        async def perform():
            self.post(event(await coroutine))

        self.start(perform())

    def start(self, coroutine):
        task = asyncio.get_running_loop().create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.ended)

    def ended(self, task):
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() and not self.failed.done():
            self.failed.set_exception(task.exception())

    async def run(self):
        while True:
            event = await self.queue.get()
            self.handlers[type(event)](event)

    def on_rang(self, event):
        if event.timer.live:
            event.timer.live = False
            event.timer.action()

    def stop(self):
        """The process ends: nothing more is handled, and nothing that was begun goes on."""
        for task in list(self.tasks):
            task.cancel()
