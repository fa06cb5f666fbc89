"""What the user of the app sees."""

import asyncio


class NeverSeen(Exception):
    """The user waited for something that did not come."""


class Screen:
    """The chat screen."""

    def __init__(self, clock):
        self.clock = clock
        self.state = "closed"  # then opening, open, and in the end ended or failed
        self.notice = ""
        self.sent = []
        self.unsent = []
        self.received = []
        self.changed = asyncio.Event()

    def show(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)
        self.changed.set()
        self.changed = asyncio.Event()

    async def until(self, what, words, seconds):
        """Waits until `what` holds of the screen. Raises `NeverSeen` with the words otherwise."""

        async def wait():
            while not what(self):
                await self.changed.wait()

        try:
            await self.clock.within(seconds, wait())
        except TimeoutError:
            raise NeverSeen(f"{words} within {seconds} s; the screen is {self.state} ({self.notice})") from None
