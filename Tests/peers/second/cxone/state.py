"""Where a chat stands."""

from enum import Enum, auto


class State(Enum):
    """The states of the SDK for iOS (CXone reference 9.1); the other platforms can do with them."""

    INITIAL = auto()
    PREPARING = auto()
    PREPARED = auto()
    OFFLINE = auto()
    CONNECTING = auto()
    CONNECTED = auto()
    READY = auto()
    CLOSED = auto()
