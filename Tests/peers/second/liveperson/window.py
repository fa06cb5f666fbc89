"""The messaging window: it opens the socket, and opens it again."""

from functools import partial

from connection import Connection, SocketRefused
from conversation import Conversation
from machine import Machine
from retry import SCHEDULE, GaveUp, pause

STABLE = 20  # seconds after which earlier losses are forgotten
MOST_LOSSES = 8
MOST_EXPIRIES = 3


class SignedOut(Exception):
    """LivePerson has signed the consumer out, and the app is to follow."""


class Window(Machine):
    """Its states: idle, signing in, opening, loading, ready, paused, and failed with the reason in `failure`."""

    def __init__(self, world, session, services, monitoring, store):
        super().__init__(world.clock)
        self.world = world
        self.session = session
        self.services = services
        self.monitoring = monitoring
        self.conversation = Conversation(world, self, store)
        self.connection = None
        self.failure = None
        self.forgive()
        self.on_ready = None  # the app's delegate

    def forgive(self):
        """Everything works: the next trouble is the first again."""
        self.refusals = self.losses = self.expiries = 0

    def show(self):
        self.failure = None
        self.ask(self.on_show)

    async def on_show(self):
        if self.state in ("idle", "failed"):
            self.forgive()
            self.session.try_again()
            await self.sign_in(fresh=False)

    async def on_hide(self):
        await self.world.mark("window-closed")
        await self.leave()
        self.enter("idle")

    async def leave(self):
        """Closes the socket, if there is one; what belongs to it does not count any more."""
        connection, self.connection = self.connection, None
        self.next_epoch()
        self.conversation.disconnected()
        if connection:
            await connection.close()

    # Opening

    async def on_sign_in(self):
        await self.sign_in(fresh=True)

    async def sign_in(self, fresh):
        await self.leave()
        self.enter("signing in")
        self.start(self.session.sign_in(fresh), self.on_signed_in, self.on_failed)

    async def on_signed_in(self, _):
        await self.open()

    async def open(self):
        await self.leave()
        self.enter("opening")
        self.start(self.opened(self.epoch), self.on_opened, self.on_failed)

    async def opened(self, epoch):
        """A connection, which is closed again if nobody wants it any more."""
        token = self.session.token or await self.session.sign_in()
        connection = await Connection.open(self.world, self.services, token, partial(self.post_in, epoch))
        if epoch != self.epoch:
            await connection.close()
        return connection

    async def on_opened(self, connection):
        self.connection = connection
        self.refusals = 0
        self.enter("loading")
        connection.start(self.conversation.on_frame, self.on_lost)
        await self.conversation.subscribe()

    async def on_loaded(self):
        """SDK flows, User clicks messaging button 4: the window is open, and all messages are here."""
        self.enter("ready")
        self.after(STABLE, self.on_stable)
        await self.on_ready()

    async def on_stable(self):
        self.forgive()

    # Trouble

    async def on_failed(self, error):
        if isinstance(error, SocketRefused):
            await self.on_refused(error)
            return
        await self.leave()
        self.failure = error
        self.enter("failed")

    async def on_refused(self, error):
        """The upgrade was not answered with 101."""
        if error.status in (401, 403):
            await self.on_token_refused()
        elif self.refusals == len(SCHEDULE):
            await self.on_failed(GaveUp(str(error)))
        else:
            scheduled = SCHEDULE[self.refusals]
            self.refusals += 1
            await self.wait(pause(self.world.habits, scheduled, error.wait), self.open)

    async def on_lost(self, code):
        """The socket has ended (LivePerson reference 5.3)."""
        if code in (4401, 4407):
            await self.on_token_refused()
            return
        self.losses += 1
        if self.losses > MOST_LOSSES:
            await self.on_failed(GaveUp(f"the socket was lost again and again, last with {code}"))
            return
        seconds = min(3 * 2 ** (self.losses - 1), SCHEDULE[-1])  # "wait a few seconds"
        habits = self.world.habits
        if habits.has("reconnects-at-once") and code in (1001, 1006):
            seconds = 0
        is_new_sign_in = code == 1011 or code == 1006 and habits.has("signs-in-after-1006")
        await self.wait(seconds, self.on_sign_in if is_new_sign_in else self.open)

    async def on_token_refused(self):
        """LivePerson reference 13: a new JWT or code, and reconnect; or the app logs out (SDK flows, User is logged out of the App)."""
        self.session.refuse_token()
        if self.world.variant.policy == "logs out":
            await self.on_failed(SignedOut())
            return
        self.expiries += 1
        if self.expiries > MOST_EXPIRIES:
            await self.on_failed(GaveUp("the token was refused again and again"))
        elif self.world.habits.has("reuses-the-expired-token"):
            await self.wait(SCHEDULE[self.expiries], self.open)
        elif self.expiries == 1:
            await self.sign_in(fresh=True)
        else:
            await self.wait(SCHEDULE[self.expiries - 1], self.on_sign_in)

    async def wait(self, seconds, handler):
        await self.leave()
        self.enter("paused")
        self.after(seconds, handler)
