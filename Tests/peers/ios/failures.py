"""What can go wrong, as the app distinguishes it."""


class Failure(Exception):
    """A call that did not give what was asked for; `retry_after` is in seconds, when the server named any."""

    def __init__(self, reason, retry_after=None):
        super().__init__(reason)
        self.retry_after = retry_after


class Unreachable(Failure):
    """Nobody sensible answered (no network, a time-out, a gateway, an overload): worth another try later."""


class Refused(Failure):
    """A sound answer that says no: asking again in the same way does not help."""


class TokenRefused(Failure):
    """The LivePerson token is not accepted any more: fresh credentials are needed."""


class AuthenticationFailed(Failure):
    """LivePerson does not accept what the brand gave, not even when it was fresh."""


class SessionOver(Failure):
    """The brand has logged the user out: no fresh credentials are available."""


class GivenUp(Failure):
    """All retries are used up."""


class SocketLost(Failure):
    """The socket has ended; `code` is the close code, 1006 without a close frame."""

    def __init__(self, code, reason=""):
        super().__init__(f"socket ended with {code} {reason}".rstrip())
        self.code = code


class Cancelled(Exception):
    """The caller is not interested any more: the window was closed, or the app ended."""
