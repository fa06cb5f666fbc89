"""One socket to UMS (LivePerson reference 5): how it is opened, requests with their answers, and the watch over its life."""

import asyncio
import json
from functools import partial

import websockets
from websockets.asyncio.client import connect

from answers import seconds_to_wait
from world import LONGEST_CALL

PING_EVERY = 30  # LivePerson reference 5.2
PONG_WITHIN = 10
FEATURES = ["RICH_CONTENT", "AUTO_MESSAGES", "PHOTO_SHARING", "MULTI_DIALOG"]


class SocketRefused(Exception):
    """The socket could not be opened; status 0 where nothing was answered."""

    def __init__(self, status, wait=0):
        super().__init__(f"the socket was refused: {status}")
        self.status = status
        self.wait = wait


class Connection:
    """An open socket. `deliver` is called with a handler and what it is to handle."""

    def __init__(self, world, socket, deliver):
        self.world = world
        self.socket = socket
        self.deliver = deliver
        self.requests = 0
        self.waiting = {}
        self.tasks = []

    @classmethod
    async def open(cls, world, services, token, deliver):
        """Raises `SocketRefused`."""
        variant = world.variant
        path = "/ws_api/account/{account}/messaging/consumer" + (f"/{token}?v=2" if variant.socket == "path" else "?v=3")
        properties = {"deviceFamily": "MOBILE", "os": variant.platform.upper(), "features": FEATURES}
        headers = {}
        if variant.socket != "init":
            headers["Client-Properties"] = json.dumps({"type": ".ClientProperties", "integration": "MOBILE_SDK", **properties})
        if variant.socket == "header":
            headers["Authorization"] = f"jwt {token}"
        limit = LONGEST_CALL * world.clock.scale
        try:
            socket = await connect(
                services.url("asyncMessagingEnt", path).replace("https:", "wss:"),
                additional_headers=headers,
                ssl=world.tls,
                proxy=None,
                ping_interval=None,
                open_timeout=limit,
                close_timeout=PONG_WITHIN * world.clock.scale,
            )
        except websockets.InvalidStatus as error:
            response = error.response
            raise SocketRefused(response.status_code, seconds_to_wait(response.headers.get("Retry-After"))) from error
        except (OSError, TimeoutError, websockets.WebSocketException) as error:
            raise SocketRefused(0) from error
        connection = cls(world, socket, deliver)
        if variant.socket == "init":  # LivePerson reference 5.5; nobody waits for its answer
            authentication = {"type": ".ams.headers.ConsumerAuthentication", "jwt": token}
            named = [{"type": ".ams.headers.ClientProperties", **properties}, authentication]
            await connection.request("InitConnection", None, headers=named)
        return connection

    def start(self, on_frame, on_lost):
        self.tasks.append(asyncio.ensure_future(self.read(on_frame, on_lost)))
        if not self.world.habits.has("never-pings"):
            self.tasks.append(asyncio.ensure_future(self.stay_alive()))

    async def read(self, on_frame, on_lost):
        try:
            async for text in self.socket:
                frame = json.loads(text)
                if frame.get("kind") == "resp":
                    self.answered(frame)
                else:
                    self.deliver(on_frame, frame)
        except websockets.ConnectionClosed:
            pass
        self.deliver(on_lost, self.socket.close_code or 1006)

    def answered(self, frame):
        respond, timer = self.waiting.pop(str(frame.get("reqId")), (None, None))
        if timer:
            timer.cancel()
        if respond:
            respond(frame)

    async def request(self, kind, body, handler=None, **more):
        """Sends a request; its answer is delivered to the handler, if there is one."""
        await self.send(kind, body, partial(self.deliver, handler) if handler else None, **more)

    async def send(self, kind, body, respond, **more):
        """Sends a request. A socket that does not answer it is given up."""
        self.requests += 1
        name = f"r{self.requests}"
        frame = {"kind": "req", "id": name, "type": kind, **more}
        if body is not None:
            frame["body"] = body
        self.waiting[name] = (respond, self.world.clock.call_later(LONGEST_CALL, self.abort))
        try:
            await self.socket.send(json.dumps(frame))
        except websockets.ConnectionClosed:
            pass  # the reader tells

    async def stay_alive(self):
        """Sends something each half minute, and expects an answer: a half-open socket tells nothing by itself."""
        while True:
            await self.world.clock.sleep(PING_EVERY)
            try:
                await self.world.clock.within(PONG_WITHIN, self.ping())
            except TimeoutError:
                return self.abort()
            except websockets.ConnectionClosed:
                return None

    async def ping(self):
        """A ping frame on iOS, GetClock on Android: LivePerson reference 5.2 has both."""
        if self.world.variant.ios:
            await (await self.socket.ping())
        else:
            answered = asyncio.Event()
            await self.send("GetClock", None, lambda _: answered.set())
            await answered.wait()

    def abort(self):
        """Gives the socket up; the reader tells it as lost."""
        self.socket.transport.abort()

    async def close(self):
        for task in self.tasks:
            task.cancel()
        for _, timer in self.waiting.values():
            timer.cancel()
        self.waiting.clear()
        await self.socket.close()
