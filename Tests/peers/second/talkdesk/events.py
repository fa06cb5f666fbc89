"""What happens to the SDK, in the order of its queue."""

from dataclasses import dataclass, field


@dataclass
class Call:
    """A call to the gateway, which is sent again at most once."""

    kind: str
    method: str
    path: str = ""
    body: dict | None = None
    repeated: bool = False
    token: str | None = None


@dataclass
class Requested:
    """The app wants something of the gateway."""

    call: Call


@dataclass
class Authorized:
    """The app called authorize(with: .accessToken)."""

    token: str


@dataclass
class NotAuthorized:
    """The app called authorize(with: .notAuthorized)."""

    reason: str


@dataclass
class AuthorizationTimedOut:
    """Nobody called authorize(with:) within the limit of the request with this number."""

    number: int


@dataclass
class Answered:
    """The gateway answered a call, or the network failed: then there is no status."""

    call: Call
    status: int | None = None
    body: dict = field(default_factory=dict)


@dataclass
class PollDue:
    """It is time to read the interaction."""


@dataclass
class Resumed:
    """The app wants to go on with an interaction that it started before."""

    interaction: str


@dataclass
class Moved:
    """The app went to the background, or came to the front."""

    to_front: bool
