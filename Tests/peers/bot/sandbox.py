"""Where the bot is played, and how fast time runs there."""

import os
import time


class Sandbox:
    """A sandbox of the server: its address, its account, and its time, in which every wait of the bot is measured."""

    def __init__(self):
        self.url = os.environ["SPARRING_URL"].rstrip("/")
        self.account = os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
        self.scale = float(os.environ.get("SPARRING_TIME_SCALE", "1"))
        self.started = time.monotonic()

    def now(self):
        """Seconds of the sandbox's time since the bot was started."""
        return (time.monotonic() - self.started) / self.scale

    def sleep(self, seconds):
        time.sleep(max(0, seconds) * self.scale)

    def timeout(self, seconds):
        """A time-out, for libraries that measure by the wall clock. A busy machine must not turn it into a failure of the network."""
        return max(2, seconds * self.scale)
