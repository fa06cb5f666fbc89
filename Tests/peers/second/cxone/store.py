"""What the SDK keeps on the device."""

import uuid
from dataclasses import dataclass, field


def new_id():
    """Lower case, as the SDKs send them (CXone reference C21)."""
    return str(uuid.uuid4())


@dataclass(frozen=True)
class Token:
    """A transaction token or an access token."""

    value: str
    lifetime: float
    expires: float


@dataclass(frozen=True)
class Visit:
    """A visit lives for 30 minutes from the last activity (CXone reference 3.4)."""

    id: str
    expires: float


@dataclass
class Store:
    """Outlives the process. Signing out replaces it by a new one."""

    visitor: str = field(default_factory=new_id)
    customer: dict = field(default_factory=lambda: {"idOnExternalPlatform": new_id()})
    destination: str = ""
    visit: Visit | None = None
    thread: str | None = None
    transaction_token: Token | None = None
    access_token: Token | None = None
