"""Time, as the client is given it: everything that waits or asks for the time gets a clock."""

import asyncio
import time


class Clock:
    """A clock that goes `1 / scale` times as fast as this machine's. All seconds are the sandbox's."""

    def __init__(self, scale):
        self.scale = scale
        self.began = time.time()
        self.ahead = 0.0

    def now(self):
        """Seconds since 1970."""
        return self.began + (time.time() - self.began) / self.scale + self.ahead

    def set_forward(self, seconds):
        """The sandbox's clock was advanced, and the phone's with it."""
        self.ahead += seconds

    async def sleep(self, seconds):
        await asyncio.sleep(seconds * self.scale)

    def call_later(self, seconds, callback, *arguments):
        """Runs the callback later; returns what cancels it."""
        return asyncio.get_running_loop().call_later(seconds * self.scale, callback, *arguments)

    async def within(self, seconds, awaitable):
        """What the awaitable returns; raises `TimeoutError` after so many seconds."""
        return await asyncio.wait_for(awaitable, seconds * self.scale)
