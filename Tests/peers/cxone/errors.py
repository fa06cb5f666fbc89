"""What can go wrong, in the words that the user is shown."""


class ChatError(Exception):
    """Something failed in a way that an app tells its user."""


class ServerError(ChatError):
    """A call got no useful answer."""

    def __init__(self, what, status=None, retry_after=0):
        super().__init__(f"{what}: {status if status else 'no answer'}")
        self.status = status
        self.retry_after = retry_after


class SdkNotSupported(ChatError):
    """The vendor takes this version no more: nothing but an update helps."""


class IllegalChatState(ChatError):
    """The app called something that the chat's state does not allow."""


class UnsupportedChannel(ChatError):
    """The channel does not allow what was asked for."""


class OperationError(ChatError):
    """The gateway refused an event."""

    def __init__(self, code, message=""):
        super().__init__(f"{code} ({message})" if message else code)
        self.code = code
        self.message = message


class EventTimeout(ChatError):
    """An event stayed without its answer."""


class NotConnected(ChatError):
    """There is no socket, or it was lost before the answer came."""


class HandshakeRefused(ChatError):
    """The gateway did not open the socket."""

    def __init__(self, status, retry_after=0):
        super().__init__(f"the socket was refused: {status or 'no answer'}")
        self.status = status
        self.retry_after = retry_after


class SignInNeeded(ChatError):
    """The brand has to sign the customer in (again)."""


class Stuck(Exception):
    """The client itself cannot go on; no user would see this."""
