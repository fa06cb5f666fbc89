"""The story's clock: the server's time, and waits in seconds of the story."""

import asyncio
import datetime
import time

UTC = datetime.timezone.utc


def parse_time(text):
    """A time as servers write it."""
    text = text.strip().replace("Z", "+00:00").replace("z", "+00:00")
    return datetime.datetime.fromisoformat(text)


class StoryClock:
    """Runs as the sandbox's clock does; `look` brings it up to date."""

    def __init__(self, settings, calls):
        self.settings = settings
        self.calls = calls
        self.scale = settings.scale
        self.base = datetime.datetime.now(UTC)
        self.read_at = time.monotonic()
        self.rate = 1 / self.scale

    def now(self):
        """What time it is in the story."""
        passed = (time.monotonic() - self.read_at) * self.rate
        return self.base + datetime.timedelta(seconds=passed)

    async def look(self):
        """Reads the server's clock; if that fails the old reckoning goes on."""
        try:
            answer = await self.calls.send("GET", f"{self.settings.admin}/clock", {}, seconds=5)
            told = answer.json()
            base = parse_time(told["now"])
        except Exception:  # the device's own clock goes on, whatever the server's does
            return self.now()
        self.base, self.read_at = base, time.monotonic()
        self.rate = float(told.get("rate", 1)) if told.get("mode") != "frozen" else 0.0
        return self.now()

    async def sleep(self, seconds):
        """Waits so many seconds of the story."""
        await asyncio.sleep(max(0, seconds) * self.scale)

    def real(self, seconds):
        """So many seconds of the story in seconds of the machine."""
        return seconds * self.scale


async def until(clock, condition, seconds, step=0.2):
    """Waits until something holds, for so many seconds of the story at most."""
    waited = 0
    while not condition():
        if waited >= seconds:
            return False
        await clock.sleep(step)
        waited += step
    return True
