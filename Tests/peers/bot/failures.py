"""What can go wrong, as far as the bot acts differently."""


class Failure(Exception):
    """An operation that failed: with a status, with the code that a socket was closed with, or without any answer."""

    def __init__(self, operation, status=None, close_code=None, retry_after=0, words=""):
        super().__init__(f"{operation}: {words or status or close_code or 'no answer'}")
        self.operation, self.status, self.close_code, self.retry_after = operation, status, close_code, retry_after
        self.is_throttled = status == 429

    @property
    def wants_a_new_bearer(self):
        """401, or a close code that node-agent-sdk's README (closed) counts among the problems of authentication."""
        return self.operation != "login" and (self.status == 401 or self.close_code in (4401, 4407, 1011))

    @property
    def is_the_bots_own(self):
        """LivePerson, retry policy: after 4xx nothing is repeated before the client has been mended; 429 is the exception."""
        return self.status is not None and 400 <= self.status < 500 and not self.is_throttled and not self.wants_a_new_bearer


class GaveUp(Exception):
    """The bot does not come back, or was not given the time."""


def retry_after(headers):
    """Seconds that the header Retry-After asks for; a date is not known of LivePerson."""
    told = headers.get("Retry-After", "")
    return int(told) if told.isdigit() else 0
