"""A small HTTP server, of which the brand's backend has as much as its app needs."""

import asyncio
import json
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Request:
    """What a client asked."""

    method: str
    path: str
    query: dict
    headers: dict


@dataclass
class Reply:
    """What the server answers: text as it is, anything else as JSON."""

    status: int
    body: object
    headers: dict = field(default_factory=dict)

    def encoded(self):
        text = isinstance(self.body, str)
        content = (self.body if text else json.dumps(self.body)).encode()
        kind = "text/plain" if text else "application/json"
        headers = {"Content-Type": kind, "Content-Length": len(content), "Cache-Control": "no-store", **self.headers}
        lines = [f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


class Server:
    """Listens on a free port of this machine; connections stay open. `answer` is a coroutine function from a request to a reply."""

    def __init__(self, answer):
        self.answer = answer
        self.listener = None
        self.connections = set()

    async def start(self):
        """Returns the address."""
        self.listener = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        host, port = self.listener.sockets[0].getsockname()
        return f"http://{host}:{port}"

    async def stop(self):
        self.listener.close()
        for connection in list(self.connections):
            connection.cancel()

    async def serve(self, reader, writer):
        task = asyncio.current_task()
        self.connections.add(task)
        try:
            while True:
                request = await self.read(reader)
                reply = await self.answer(request)
                writer.write(reply.encoded())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client has gone, or the server stops
        finally:
            self.connections.discard(task)
            writer.close()

    async def read(self, reader):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip().split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        await reader.readexactly(int(headers.get("content-length", 0)))  # no call of this backend has a body that says anything
        address = urlsplit(target)
        return Request(method, address.path, dict(parse_qsl(address.query)), headers)
