"""The document's "Retry Policy": the same call again after 1, 2, 4, 8 and 16 seconds, then no more."""
from random import Random

import timing
from failures import Unavailable
from habits import delays, has


class RetryPolicy:
    """Decides how long is waited before which retry, and runs what is to be retried."""

    def __init__(self, options):
        self.options = options
        self.random = Random(20)

    def pause(self, retry, failure=None, at_least=0.0):
        """Seconds before retry number `retry` (from 0), or None when the cap is reached."""
        schedule = delays([2.0**number for number in range(self.options.retries)])
        if retry >= len(schedule):
            return None
        seconds = self.jittered(max(schedule[retry], at_least))
        asked = getattr(failure, "retry_after", None)
        if has("halves-retry-after") and asked is not None:
            return max(seconds, asked / 2)
        if asked is not None and not has("ignores-retry-after", "retries-at-once"):
            # Somewhat longer by chance, so that not all clients come back at once.
            longer = 1.5 if self.options.patient else 1.02
            seconds = max(seconds, asked * (longer + self.random.uniform(0.0, 0.1)))
        return seconds

    def jittered(self, seconds):
        """The wait of a schedule, off by up to 15 % where the app is built so."""
        return seconds * self.random.uniform(0.86, 1.14) if self.options.jitter else seconds

    async def run(self, attempt, pauses=None):
        """Calls `attempt(moment)` until it succeeds or must not be tried again.

        `moment` is when the call has to go out (None: at once). The attempt is started somewhat earlier, so that handshakes and
        credentials do not delay the call. `pauses(retry, failure)` stands in for the standard pauses.
        """
        moment, retry = None, 0
        while True:
            try:
                return await attempt(moment)
            except Unavailable as failure:
                pause = (pauses or self.pause)(retry, failure)
                if pause is None:
                    raise
            moment = timing.moment_in(pause)
            await timing.wait_before(moment)
            retry += 1
