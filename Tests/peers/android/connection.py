"""The messaging window's connection: opened, kept, and opened again as the way in which it ended asks for."""
import asyncio

import timing
from failures import Refused, SignInFailed, SocketClosed, TokenRefused, Unavailable
from ums import open_socket

A_FEW_SECONDS = 3.0  # LivePerson's wait before a reconnect
LIST_TIME = 30  # seconds for the conversations, and for the messages, to come


class Connection:
    """Keeps one socket open. `load(socket)` is what has to be done on each before it is of use."""

    def __init__(self, sdk, load, on_notification):
        self.sdk, self.load, self.on_notification = sdk, load, on_notification
        self.socket = None
        self.ready = asyncio.Event()
        self.count = 0  # how often it was ready

    async def keep(self):
        """Runs until nothing more can be done; raises what it was."""
        sdk, retry, refusals, moment = self.sdk, 0, 0, None
        while True:
            token = sdk.identity.token or await sdk.identity.sign_in()
            try:
                self.socket = await open_socket(
                    sdk.web, sdk.options, sdk.hosts["asyncMessagingEnt"], sdk.account, token, moment, self.on_notification
                )
                await self.load(self.socket)
                retry = refusals = 0
                self.count += 1
                self.ready.set()
                sdk.receiver.on_connection_changed()
                raise SocketClosed(await self.socket.end())
            except (Unavailable, SocketClosed, TokenRefused) as failure:
                ending = failure
                self.ready.clear()
                self.drop()
            code = getattr(ending, "code", None)
            if isinstance(ending, TokenRefused) or code in (4401, 4407):
                # "The SDK encounters an authentication failure" 1 and 3: new details, and `reconnect` with them.
                refusals += 1
                if refusals == 2:
                    raise SignInFailed(f"a fresh token is refused: {ending}") from ending
                await sdk.identity.renew(token)
                moment = None
                continue
            pause = sdk.policy.pause(retry, ending, at_least=A_FEW_SECONDS if code else 0.0)
            if pause is None:
                raise Unavailable(f"no connection: {ending}") from ending
            moment = timing.moment_in(pause)
            retry += 1
            if code == 1011:
                await sdk.identity.renew(token)  # as LivePerson's agents do; meanwhile the pause goes by
            await timing.wait_before(moment)

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

    async def attempt(moment):
        if moment is not None:
            await timing.wait_until(moment)
        try:
            return await socket.request(kind, body)
        except TokenRefused:
            socket.abandon(4401)
            raise SocketClosed(4401) from None
        except Refused as refusal:
            if refusal.status == 409:
                socket.abandon()  # what is known of the conversations is out of date: they are listed anew
                raise SocketClosed(1006) from None
            raise

    return await policy.run(attempt)
