"""One WebSocket to the vendor's Faye server (Khoros reference 1.7)."""

import asyncio
import json
import ssl
from dataclasses import dataclass

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus, WebSocketException


@dataclass(frozen=True)
class Opened:
    """The socket is open."""

    link: "Link"


@dataclass(frozen=True)
class Heard:
    """The server sent a Bayeux message."""

    link: "Link"
    message: dict


@dataclass(frozen=True)
class Closed:
    """The socket is closed, or was refused with an HTTP status."""

    link: "Link"
    status: int


class Link:
    """Posts what the server sends to the machine, and sends what it is given, in order."""

    def __init__(self, machine, address, authority):
        self.machine = machine
        self.address = address.replace("http", "ws", 1)
        self.authority = authority
        self.outbox = asyncio.Queue()
        machine.start(self.live())

    def send(self, message):
        self.outbox.put_nowait(json.dumps(message))

    def close(self):
        self.outbox.put_nowait(None)

    async def live(self):
        secured = ssl.create_default_context(cafile=self.authority) if self.address.startswith("wss") else None
        status = 0
        try:
            # Bayeux has its own sign of life, the held connect; the SDKs send no User-Agent and no pings.
            async with connect(self.address, ssl=secured, user_agent_header=None, ping_interval=None, compression=None, proxy=None) as socket:
                self.machine.post(Opened(self))
                await self.talk(socket)
        except InvalidStatus as refusal:
            status = refusal.response.status_code
        except (OSError, TimeoutError, WebSocketException):
            pass
        self.machine.post(Closed(self, status))

    async def talk(self, socket):
        reader = asyncio.ensure_future(self.read(socket))
        writer = asyncio.ensure_future(self.write(socket))
        try:
            await asyncio.wait([reader, writer], return_when=asyncio.FIRST_COMPLETED)
        finally:
            reader.cancel()
            writer.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)

    async def read(self, socket):
        async for frame in socket:
            for message in json.loads(frame):
                self.machine.post(Heard(self, message))

    async def write(self, socket):
        while (frame := await self.outbox.get()) is not None:
            await socket.send(frame)
