"""A WebSocket of the chat."""

import json
import ssl

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake


class Socket:
    """One socket, opened with a URL that is good for one. It tells its chat what happens, by events."""

    PING = 30.0

    def __init__(self, machine, chat, url, authority):
        self.machine = machine
        self.chat = chat
        self.url = url
        self.trust = ssl.create_default_context(cafile=authority) if url.startswith("wss:") else None
        self.connection = None
        self.given_up = False

    async def run(self):
        """Returns why it is over: refused, or the code with which it was closed."""
        beat = self.PING * self.machine.clock.scale
        try:
            self.connection = await connect(self.url, ssl=self.trust, proxy=None, ping_interval=beat, ping_timeout=beat)
        except (OSError, InvalidHandshake, TimeoutError):
            return "refused"
        if self.given_up:
            await self.connection.close()
            return 1000
        self.machine.post(self.chat.opened, self)
        try:
            async for text in self.connection:
                self.machine.post(self.chat.told, self, json.loads(text))
        except ConnectionClosed:
            pass
        return self.connection.close_code

    async def hang_up(self):
        """The user has left chat."""
        self.given_up = True
        if self.connection:
            await self.connection.close()

    def drop(self):
        """The process has died."""
        if self.connection:
            self.connection.transport.abort()
