"""An HTTP server, as small as the brand's backend needs it."""

import asyncio
import json


class Endpoint:
    """Gives each POST to `receive`, a coroutine function of headers and body, which returns a status and what is sent as JSON."""

    REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found"}

    def __init__(self, receive):
        self.receive = receive
        self.server = None

    async def open(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        host, port = self.server.sockets[0].getsockname()
        return f"http://{host}:{port}/push"

    async def serve(self, reader, writer):
        try:
            while await self.exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def exchange(self, reader, writer):
        """One request and its answer; says whether another may follow."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lines = head.split("\r\n")[1:-2]
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        status, said = await self.receive(headers, body)
        content = json.dumps(said).encode()
        writer.write(
            f"HTTP/1.1 {status} {self.REASONS[status]}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content
        )
        await writer.drain()
        return headers.get("connection", "").lower() != "close"

    def close(self):
        if self.server:
            self.server.close()
