"""The SDK, as the app sees it."""

from analytics import Analytics
from calls import Calls
from connection import Connection
from content import Message
from events import Events
from exchange import Exchange
from gateway import Gateway
from outbox import Outbox
from platforms import PLATFORMS
from preparation import Preparation
from signing import Signing
from state import State
from threads import Threads
from wire import Wire


class Chat:
    """The state of one chat, and the parts that change it. What the app calls is an event like any other."""

    def __init__(self, variant, habits, settings, store, clock, authority):
        self.variant = variant
        self.habits = habits
        self.settings = settings
        self.store = store
        self.clock = clock
        self.platform = PLATFORMS[variant.platform]
        self.state = State.INITIAL
        self.configuration = None
        self.unsupported = False
        self.told = []
        self.events = Events(clock)
        self.wire = Wire(self.platform, settings, store, clock)
        self.calls = Calls(self.events, self.wire, authority)
        self.gateway = Gateway(self, authority)
        self.exchange = Exchange(self)
        self.preparation = Preparation(self)
        self.analytics = Analytics(self)
        self.connection = Connection(self)
        self.signing = Signing(self)
        self.outbox = Outbox(self)
        self.threads = Threads(self)
        self.events.on("ignored", lambda status, body: None)

    def tell(self, what):
        """Tells the app, which shows it."""
        self.told.append(what)

    def do(self, what, **facts):
        """The app wants something."""
        self.events.post(what, **facts)

    def write(self, text):
        """The customer writes to the current thread. The message says itself what becomes of it."""
        message = Message(text, self.threads.current)
        self.do("write", message=message)
        return message

    async def stop(self):
        """The process ends, without a farewell."""
        self.events.stop()
        self.gateway.stop()
        self.analytics.task.cancel()
        await self.calls.stop()
