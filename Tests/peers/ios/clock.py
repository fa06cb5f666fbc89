"""Time, and the retry policy."""
import random
import threading
import time

from failures import Cancelled, GivenUp
from habits import delays, has

STANDARD_DELAYS = (1, 2, 4, 8, 16)  # "Retry Policy": 5 retries over 31 seconds
LEAD = 1.0  # seconds before the end of a wait in which the next call is made ready


class Clock:
    """All waits go through here, so that one factor makes them faster."""

    def __init__(self, scale, jitter):
        self.scale = scale
        self.started, self._day_started = time.monotonic(), time.time()
        self._spread = 0.15 if jitter else 0
        self._random = random.Random(20)

    def real(self, seconds):
        """Seconds of the app's time in seconds of this machine's."""
        return seconds * self.scale

    def elapsed(self):
        """Seconds since the program began, in the app's time."""
        return (time.monotonic() - self.started) / self.scale

    def has_passed(self, time_of_day):
        """Whether the phone's clock, which goes as fast as the sandbox's, has come to a time in seconds since 1970."""
        return self._day_started + self.elapsed() >= time_of_day

    def wait(self, seconds, cancel=None, prepare=None):
        """Waits exactly so long. What the next call needs is prepared shortly before the end, not after it."""
        cancel = cancel or threading.Event()
        end = time.monotonic() + self.real(seconds)
        if prepare:
            self.sleep(end - self.real(min(LEAD, seconds / 2)), cancel)
            prepare()
        self.sleep(end, cancel)

    @staticmethod
    def sleep(until, cancel):
        """Sleeps until a point of this machine's time."""
        if cancel.wait(max(0, until - time.monotonic())):
            raise Cancelled()

    def varied(self, seconds):
        """A wait of a schedule, slightly off in the variant `jitter`."""
        return seconds * self._random.uniform(1 - self._spread, 1 + self._spread)

    def by_chance(self, seconds):
        """Up to so many seconds."""
        return self._random.uniform(0, seconds)


class Retries:
    """The standard retry policy for one kind of call: exponential back-off, a given number of times ("Retry Policy")."""

    def __init__(self, clock, options, cancel=None, schedule=STANDARD_DELAYS):
        self._clock, self._patient, self._cancel = clock, options.patient, cancel
        self._delays = delays(schedule[:options.retries])
        self._used, self._due = 0, 0

    def schedule(self, delays):
        """Other waits than those of the policy."""
        self._delays = delays

    def begin(self, cancel):
        """A new call. A wait that was broken off is waited out first: opening and closing a window hurries nothing."""
        self._cancel = cancel
        self._clock.sleep(self._due, cancel)

    def reset(self):
        """It has worked, or has been given up: the next failure is a first one again."""
        self._used, self._due = 0, 0

    def pause(self, failure, prepare=None, at_least=0):
        """Waits until it is time for the next attempt; gives up where there is none."""
        if self._used == len(self._delays):
            self.reset()
            raise GivenUp(f"given up after {len(self._delays)} retries: {failure}") from failure
        delay = max(self._clock.varied(self._delays[self._used]), at_least)
        self._used += 1
        if has("halves-retry-after") and failure.retry_after is not None:
            delay = max(delay, failure.retry_after / 2)
        elif failure.retry_after is not None and not has("ignores-retry-after", "retries-at-once"):
            # Never sooner than asked, and somewhat later by chance, so that not all apps come back at once.
            asked = failure.retry_after * (1.5 if self._patient else 1)
            delay = max(delay, asked + 0.5 + self._clock.by_chance(max(1, asked * 0.1)))
        self.wait(delay, prepare)

    def wait(self, seconds, prepare=None):
        """Waits without counting it as a retry."""
        self._due = time.monotonic() + self._clock.real(seconds)
        self._clock.wait(seconds, self._cancel, prepare)
        self._due = 0
