"""The messaging window's connection: opened, kept, and opened again as the way in which it ended asks for."""
import asyncio

import timing
from failures import Refused, SignInFailed, SocketClosed, TokenRefused, Unavailable
from habits import has
from ums import open_socket

A_FEW_SECONDS = 3.0  # LivePerson's wait before a reconnect
LIST_TIME = 30  # seconds for the conversations, and for the messages, to come


class Connection:
    """Keeps one socket open. `load(socket)` is what has to be done on each before it is of use."""

    def __init__(self, sdk, load, on_notification):
        self.sdk, self.load, self.on_notification = sdk, load, on_notification
        self.socket = self.second = None
        self.ready = asyncio.Event()
        self.count = 0  # how often it was ready

    async def keep(self):
        """Runs until nothing more can be done; raises what it was."""
        sdk, retry, refusals, moment, renewed = self.sdk, 0, 0, None, False
        while True:
            token = sdk.identity.token or await sdk.identity.sign_in()
            if has("renews-without-need") and self.count:
                token = await sdk.identity.renew(token)
            try:
                self.socket = await self.opened(token, moment)
                await self.load(self.socket)
                if has("has-two-sockets"):
                    self.second = await self.opened(token)
                retry = refusals = 0
                self.count += 1
                self.ready.set()
                sdk.receiver.on_connection_changed()
                if renewed:
                    renewed = False
                    sdk.receiver.on_session_renewed()
                if has("polls-by-reopening"):
                    await timing.wait(0.3)
                    await self.socket.close()
                    self.ready.clear()
                    continue
                raise SocketClosed(await self.socket.end())
            except (Unavailable, SocketClosed, TokenRefused) as failure:
                ending = failure
                self.ready.clear()
                self.drop()
            code = getattr(ending, "code", None)
            if has("opens-a-socket-for-each-message") and code == 1000:
                continue
            if has("never-reconnects") and self.count:
                await asyncio.Event().wait()
            if isinstance(ending, TokenRefused) or code in (4401, 4407):
                # "The SDK encounters an authentication failure" 1 and 3: new details, and `reconnect` with them.
                refusals += not has("insists-on-the-refused-token")
                if refusals == 2:
                    raise SignInFailed(f"a fresh token is refused: {ending}") from ending
                await sdk.identity.renew(token)
                moment, renewed = None, True
                continue
            pause = sdk.policy.pause(retry, ending, at_least=A_FEW_SECONDS if code else 0.0)
            if pause is None:
                raise Unavailable(f"no connection: {ending}") from ending
            moment = timing.moment_in(pause)
            retry += 1
            if code == 1011:
                await sdk.identity.renew(token)  # as LivePerson's agents do; meanwhile the pause goes by
            await timing.wait_before(moment)

    async def opened(self, token, moment=None):
        """Another socket with a token."""
        sdk = self.sdk
        host = sdk.hosts["asyncMessagingEnt"]
        return await open_socket(sdk.web, sdk.options, host, sdk.account, token, moment, self.on_notification)

    async def stray(self):
        """Does what should not be done at a push."""
        if has("leaves-the-window-at-a-push"):
            await self.socket.close()
        elif not self.second:
            self.second = await self.opened(self.sdk.identity.token)

    async def leave(self):
        """Closes what is open."""
        for socket in filter(None, (self.socket, self.second)):
            if not socket.ended.done():
                await socket.close()

    def drop(self):
        """Leaves a socket that is of no use, without a word."""
        if self.socket and not self.socket.ended.done():
            self.socket.abandon()

    async def ask(self, kind, body):
        """A request on the socket that there is, tried again on it where it is refused for the moment."""
        await self.ready.wait()
        return await ask(self.sdk.policy, self.socket, kind, body)


async def ask(policy, socket, kind, body):
    """A request with the retries of the standard policy, all on the same socket."""

    def pauses(retry, failure):
        return 0.2 if has("hurries-after-429") else policy.pause(retry, failure)

    async def attempt(moment):
        if moment is not None:
            await timing.wait_until(moment)
        try:
            return await socket.request(kind, body)
        except Unavailable:
            if has("opens-another-socket-for-the-list"):
                socket.abandon()
                raise SocketClosed(1006) from None
            raise
        except TokenRefused:
            socket.abandon(4401)
            raise SocketClosed(4401) from None
        except Refused as refusal:
            if refusal.status == 409:
                socket.abandon()  # what is known of the conversations is out of date: they are listed again
                raise SocketClosed(1006) from None
            raise

    return await policy.run(attempt, pauses)
