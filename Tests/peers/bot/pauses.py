"""How long the bot waits before it tries again."""

# LivePerson, login service, retry policy: 429 asks for at least 1 s, at logins for at least 5 s.
THROTTLED, THROTTLED_LOGIN = 1, 5


def advised(retry):
    """LivePerson, retry policy: three retries after 5, 10 and 15 s; then longer ones, for example after 2, 4 and 8 minutes."""
    return 5 * retry if retry <= 3 else 120 * 2 ** (retry - 4)


def doubling(retry):
    """10, 20, 40 s …: exponential back-off, which the same page allows, and nowhere shorter than what it advises for the first three."""
    return 10 * 2 ** (retry - 1)


def of_the_sdk(retry):
    """node-agent-sdk, README (closed): 35 attempts, the first after 5 s, each interval 1.25 times as long as the one before."""
    return 5 * 1.25 ** (retry - 1)


class Pauses:
    """Pauses of one schedule, spread by a random part so that bots that fell together do not come back together.

    `spread` 0.2: a fifth shorter or longer than a middle that lies a fifth above the schedule, and never shorter than the schedule. For
    LivePerson's page on errors of its net handle time API asks for "at least" 5, 10 and 15 s where the general page only names them, so
    that 5, 10 and 15 s are taken as the least here.
    """

    def __init__(self, schedule, spread, random):
        self.schedule, self.spread, self.random = schedule, spread, random

    def before(self, retry, failure):
        """Seconds before the first, second … retry of what has failed like this."""
        least = failure.retry_after
        if failure.is_throttled:
            least = max(least, THROTTLED_LOGIN if failure.operation == "login" else THROTTLED)
        return max(least, self.spread_out(self.schedule(retry)))

    def spread_out(self, seconds):
        return max(seconds, seconds * (1 + self.spread) * self.random.uniform(1 - self.spread, 1 + self.spread))
