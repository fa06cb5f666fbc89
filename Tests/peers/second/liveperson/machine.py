"""A state machine that a queue of events feeds."""

import asyncio


class Machine:
    """Handles one event after another. What belongs to an earlier epoch, such as a timer of a socket that is gone, does not count any more."""

    def __init__(self, clock):
        self.clock = clock
        self.events = asyncio.Queue()
        self.epoch = 0
        self.timers = []
        self.tasks = set()
        self.state = "idle"
        self.changed = asyncio.Event()
        self.broken = None

    def ask(self, handler, *arguments):
        """What the app wants: it counts in every epoch."""
        self.events.put_nowait((None, handler, arguments))

    def post_in(self, epoch, handler, *arguments):
        self.events.put_nowait((epoch, handler, arguments))

    def after(self, seconds, handler, *arguments):
        self.timers.append(self.clock.call_later(seconds, self.post_in, self.epoch, handler, *arguments))

    def start(self, coroutine, succeeded, failed):
        """Runs a coroutine beside the machine, and posts what it returns or raises."""
        epoch = self.epoch

        async def finish():
            try:
                handler, outcome = succeeded, await coroutine
            except Exception as error:
                handler, outcome = failed, error
            self.post_in(epoch, handler, outcome)

        task = asyncio.ensure_future(finish())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def next_epoch(self):
        self.epoch += 1
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()

    def enter(self, state):
        self.state = state
        self.notify()

    def notify(self):
        """Wakes those who wait for a change."""
        self.changed.set()
        self.changed = asyncio.Event()

    async def until(self, holds, seconds):
        """Waits until a condition holds; raises `TimeoutError`, or what broke the machine."""

        async def wait():
            while not self.broken and not holds():
                await self.changed.wait()

        await self.clock.within(seconds, wait())
        if self.broken:
            raise self.broken

    async def run(self):
        try:
            while True:
                epoch, handler, arguments = await self.events.get()
                if epoch in (None, self.epoch):
                    await handler(*arguments)
        except Exception as error:
            self.broken = error
            self.notify()
