"""What happens to the SDK, one event after another."""

import asyncio


class Events:
    """A queue of events with a handler for each, and timers that put events into it."""

    def __init__(self, clock):
        self.clock = clock
        self.queue = asyncio.Queue()
        self.handlers = {}
        self.timers = {}
        self.waiting = []
        self.failure = None
        self.task = asyncio.create_task(self.run())

    def on(self, event, handler):
        self.handlers[event] = handler

    def post(self, event, **facts):
        self.queue.put_nowait((event, facts))

    def after(self, seconds, event, key=None, **facts):
        """Posts the event later. A timer of the same event and key is replaced."""
        self.cancel(event, key)
        self.timers[event, key] = self.clock.call_later(seconds, self.ring, event, key, facts)

    def ring(self, event, key, facts):
        del self.timers[event, key]
        self.post(event, **facts)

    def cancel(self, event, key=None):
        timer = self.timers.pop((event, key), None)
        if timer:
            timer.cancel()

    def cancel_all(self):
        for event, key in list(self.timers):
            self.cancel(event, key)

    async def run(self):
        while True:
            event, facts = await self.queue.get()
            try:
                self.handlers[event](**facts)
            except Exception as error:
                self.failure = self.failure or error
            self.look()

    def look(self):
        """Tells those whose condition holds now."""
        for condition, future in self.waiting:
            if future.done():
                continue
            if self.failure:
                future.set_exception(self.failure)
            elif condition():
                future.set_result(True)

    async def happens(self, condition, seconds):
        """Whether the condition holds in time. It is looked at after each event."""
        entry = (condition, asyncio.get_running_loop().create_future())
        self.waiting.append(entry)
        self.look()
        try:
            return await self.clock.within(seconds, entry[1])
        except TimeoutError:
            return False
        finally:
            self.waiting.remove(entry)

    async def until(self, condition, seconds, what):
        if not await self.happens(condition, seconds):
            raise TimeoutError(f"not within {seconds} s: {what}")

    def stop(self):
        """The process has died: nothing happens any more."""
        self.cancel_all()
        self.task.cancel()
