"""What the SDK is doing, and how it says that something failed."""

from enum import Enum, auto


class Stage(Enum):
    """Only where the SDK is ready does it begin something new."""

    CLOSED = auto()
    STARTING = auto()
    READY = auto()
    LOGGING_IN = auto()
    CREATING = auto()
    LOGGING_OUT = auto()


class Refused(Exception):
    """The vendor did not do what the app asked for."""

    def __init__(self, what, answer):
        super().__init__(f"{what}: {answer.status} {answer.code}")
