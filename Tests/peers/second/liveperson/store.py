"""What the SDK keeps on the device when the process dies; a log-out wipes it."""

from dataclasses import dataclass, field


@dataclass
class Store:
    """The anonymous identity, the downloaded dialogs, and the pushes that were shown."""

    identity: str | None = None
    dialogs: dict = field(default_factory=dict)
    pushes: set = field(default_factory=set)

    def wipe(self):
        self.identity = None
        self.dialogs.clear()
        self.pushes.clear()
