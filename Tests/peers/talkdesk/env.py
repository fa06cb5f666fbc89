"""What the runner tells this process, and the clock that it lives on."""

import os
import time

import requests

SCALE = float(os.environ.get("SPARRING_TIME_SCALE", "1"))


def talkdesk(name):
    """A value that the Talkdesk account is configured with."""
    return os.environ["SPARRING_TALKDESK_" + name]


def identity(name):
    """A value of the brand's own identity provider."""
    return os.environ["SPARRING_IDENTITY_" + name]


def real(seconds):
    """How long this many seconds of the story take on the machine."""
    return seconds * SCALE


def wait(seconds):
    time.sleep(real(seconds))


def sandbox_url(path=""):
    return "%s/__admin/sandboxes/%s%s" % (os.environ["SPARRING_URL"], os.environ["SPARRING_SANDBOX"], path)


def now():
    """The time of day in the story. A backend's machine shows the same time as Talkdesk ID's."""
    from datetime import datetime
    shown = requests.get(sandbox_url("/clock"), timeout=10).json()["now"]
    return datetime.fromisoformat(shown.replace("Z", "+00:00")).timestamp()


class StopWatch:
    """Seconds of the story since it was made."""

    def __init__(self):
        self.begin = time.monotonic()

    def elapsed(self):
        return (time.monotonic() - self.begin) / SCALE

    def wait_until(self, seconds):
        wait(max(0.0, seconds - self.elapsed()))
