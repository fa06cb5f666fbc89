"""The heart of the SDK: one queue, and one event at a time."""

import asyncio


class Machine:
    """Takes events in the order in which they come; each is a handler and what it is given. No handler waits for anything."""

    def __init__(self, clock):
        self.clock = clock
        self.events = asyncio.Queue()
        self.tasks = set()
        self.timers = set()

    def post(self, handler, *details):
        self.events.put_nowait((handler, details))

    def start(self, work, handler=None, *details):
        """Does something that takes time; its result is an event, after the given details, if anybody wants it."""

        async def perform():
            try:
                result = await work
            except Exception as error:
                self.post(self.fail, error)
            else:
                if handler:
                    self.post(handler, *details, result)

        task = asyncio.get_running_loop().create_task(perform())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def after(self, seconds, handler, *details):
        """An event that comes later."""

        def due():
            self.timers.discard(timer)
            self.post(handler, *details)

        timer = self.clock.call_later(seconds, due)
        self.timers.add(timer)

    @staticmethod
    def fail(error):
        raise error

    async def run(self):
        while True:
            handler, details = await self.events.get()
            handler(*details)

    def stop(self):
        """The process dies: whatever was under way is lost."""
        for timer in self.timers:
            timer.cancel()
        for task in self.tasks:
            task.cancel()
