"""The socket to the chat gateway."""

import asyncio
import json

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus


class Gateway:
    """One socket at a time. What comes over it is posted with the attempt that opened it."""

    def __init__(self, chat, authority):
        self.chat = chat
        self.authority = authority
        self.socket = None
        self.attempt = 0
        self.outgoing = None
        self.tasks = set()
        chat.events.on("heartbeat", self.beat)
        chat.events.on("pong-missing", self.miss_pong)

    def spawn(self, work):
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def open(self, url, attempt):
        self.spawn(self.serve(url, attempt))

    async def serve(self, url, attempt):
        events, scale = self.chat.events, self.chat.clock.scale
        ping = None if self.chat.habits.has("keeps-no-socket-alive") else self.chat.platform.ping * scale or None
        pings = {"ping_interval": ping, "ping_timeout": ping}
        try:
            socket = await connect(url, ssl=self.authority, proxy=None, max_size=None, open_timeout=5, close_timeout=1, **pings)
        except InvalidStatus as refusal:
            events.post("socket-refused", attempt=attempt, status=refusal.response.status_code)
            return
        except (OSError, TimeoutError, InvalidHandshake):
            events.post("socket-refused", attempt=attempt, status=None)
            return
        events.post("socket-open", socket=socket, attempt=attempt)
        try:
            async for frame in socket:
                events.post("frame", text=frame, attempt=attempt)
        except ConnectionClosed:
            pass
        events.post("socket-lost", attempt=attempt, code=socket.close_code)

    def take(self, socket, attempt):
        self.socket = socket
        self.attempt = attempt
        self.outgoing = asyncio.Queue()
        self.spawn(self.write(socket, self.outgoing))

    async def write(self, socket, outgoing):
        try:
            while True:
                await socket.send(json.dumps(await outgoing.get()))
        except ConnectionClosed:
            pass

    def send(self, frame):
        self.outgoing.put_nowait(frame)

    def start_heartbeat(self):
        """The Web SDK begins when it learns that it is authorized, iOS when the socket is open (CXone reference 4.4)."""
        if self.chat.platform.heartbeat and not self.chat.habits.has("keeps-no-socket-alive"):
            period = 1 if self.chat.habits.has("beats-every-second") else self.chat.platform.heartbeat
            self.chat.events.after(period, "heartbeat", attempt=self.attempt)

    def beat(self, attempt):
        if attempt != self.attempt or not self.socket:
            return
        self.send({"action": "heartbeat"})
        limit = self.chat.platform.pong_limit
        if limit and not self.chat.habits.has("waits-for-no-pong"):
            self.chat.events.after(limit, "pong-missing", attempt=attempt)
        self.start_heartbeat()

    def hear_pong(self):
        self.chat.events.cancel("pong-missing")

    def miss_pong(self, attempt):
        """iOS closes such a socket, and opens another without a pause (CXone reference 4.4 and 10)."""
        if attempt == self.attempt and self.socket:
            self.close(1001)
            self.chat.connection.lose(pause=0)

    def close(self, code):
        """Closes the socket, if there is one; it is nobody's from now on."""
        if self.socket:
            self.spawn(self.socket.close(code))
        self.forget()

    def forget(self):
        self.chat.events.cancel("heartbeat")
        self.chat.events.cancel("pong-missing")
        self.socket = None

    def stop(self):
        """The process has died: nobody closes anything."""
        if self.socket:
            self.socket.transport.abort()
        for task in list(self.tasks):
            task.cancel()
