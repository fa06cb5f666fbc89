"""What can go wrong, grouped by what a client may do about it."""


class Failure(Exception):
    """Anything that the app handles; what is no Failure is a bug."""


class Unavailable(Failure):
    """Nothing is known to be wrong with the request: it may be tried again."""

    def __init__(self, text, retry_after=None):
        super().__init__(text)
        self.retry_after = retry_after


class NotTrusted(Failure):
    """The server's certificate does not hold. Trying again does not help, going on all the same is out of the question."""


class Refused(Failure):
    """The request was understood and refused: the same again is refused again."""

    def __init__(self, text, status=0):
        super().__init__(text)
        self.status = status


class TokenRefused(Failure):
    """LivePerson no longer takes the token that it gave."""


class SignInFailed(Failure):
    """The sign-in was refused with fresh credentials too."""


class SessionOver(Failure):
    """The brand has logged the user out, and gives nothing to sign in with."""


class SocketClosed(Failure):
    """The socket has ended; 1006 where it ended without a close frame."""

    def __init__(self, code):
        super().__init__(f"socket closed with {code}")
        self.code = code


class WindowLeft(Failure):
    """The user has gone back before the window was there."""
