"""The app's clock. Every wait and every time-out of the program is counted here, in seconds of the sandbox."""
import asyncio
import os
import time

SCALE = float(os.environ.get("SPARRING_TIME_SCALE", "1"))
PREPARATION = 0.15  # real seconds: a TLS handshake and the fetch of a code take so long at most, on any clock
STARTED = time.monotonic()
DAY_STARTED = time.time()


def real(seconds):
    """So many seconds, in seconds of this machine."""
    return seconds * SCALE


def age():
    """How many seconds the program has run."""
    return (time.monotonic() - STARTED) / SCALE


def has_passed(time_of_day):
    """Whether the phone's clock, which goes as fast as the sandbox's, has come to a time in seconds since 1970."""
    return DAY_STARTED + age() >= time_of_day


def moment_in(seconds):
    """The moment that comes after so many seconds; moments are compared with `wait_until` only."""
    return time.monotonic() + real(seconds)


def left_until(moment):
    """How many seconds there are until a moment; none if it has gone by."""
    return max(0.0, moment - time.monotonic()) / SCALE


async def wait_until(moment):
    """Waits for a moment."""
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


async def wait(seconds):
    """Waits for so many seconds."""
    await wait_until(moment_in(seconds))


async def wait_before(moment):
    """Waits until there is just time left for what has to be prepared for a moment."""
    await wait_until(moment - PREPARATION)


def block_until(moment):
    """Waits for a moment in a thread of its own."""
    time.sleep(max(0.0, moment - time.monotonic()))
