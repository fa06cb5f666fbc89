"""The standard retry policy of the page, and how a call fails."""

from answers import retry_after
from shared.pool import NetworkError

SCHEDULE = (1, 2, 4, 8, 16)  # SDK flows, Retry Policy: 5 retries over 31 seconds
MONITORING = (3, 10, 30, 90)  # LivePerson reference 9.3


class Unavailable(Exception):
    """The service cannot answer now; `wait` is what it asked for, in seconds."""

    def __init__(self, words, wait=0):
        super().__init__(words)
        self.wait = wait


class Refused(Exception):
    """A credential, or the client itself, is not accepted. Another try would not help."""


class GaveUp(Exception):
    """The service did not recover within the retries."""


def available(answer):
    """The answer, unless it is one of a service that has trouble."""
    if answer.status_code == 429 or answer.status_code >= 500:
        raise Unavailable(f"{answer.request.url.path}: {answer.status_code}", retry_after(answer))
    return answer


def pause(habits, scheduled, asked=0):
    """Seconds until the next try: as scheduled, or longer if the service asked for it."""
    if habits.has("retries-each-second"):
        return 1
    return scheduled if habits.has("ignores-retry-after") else max(scheduled, asked)


async def standard(world, attempt):
    """What the attempt returns, at once or after 1, 2, 4, 8 and 16 s. Raises `GaveUp`."""
    for scheduled in (*SCHEDULE, None):
        try:
            return await attempt()
        except (Unavailable, NetworkError) as error:
            if scheduled is None:
                raise GaveUp(str(error)) from error
            await world.clock.sleep(pause(world.habits, scheduled, getattr(error, "wait", 0)))
