"""One socket to the chat gateway: frames out, answers and pushes in, heartbeats."""

import asyncio
import json

import websockets
from websockets.asyncio.client import connect

from calls import TransportFailure, seconds_of
from device import new_id
from errors import EventTimeout, HandshakeRefused, NotConnected, OperationError, SdkNotSupported


class Gateway:
    """An open socket; `on_push` gets what the server says, `on_lost` that it is gone."""

    def __init__(self, platform, clock, calls, wire, on_push, on_lost, log):
        self.platform = platform
        self.clock = clock
        self.calls = calls
        self.wire = wire
        self.on_push = on_push
        self.on_lost = on_lost
        self.log = log
        self.socket = None
        self.pending = {}
        self.tasks = []
        self.is_open = False
        self.pong = asyncio.Event()
        self.heard = 0
        self.beats = None

    async def open(self, url):
        """Opens the socket; HandshakeRefused if it cannot be had."""
        origin = "https://shop.brand.example" if self.platform.name == "web" else None
        wait = max(1.0, self.clock.real({"ios": 60, "android": 5, "web": 4}[self.platform.name]))
        try:
            self.socket = await connect(url, origin=origin, ping_interval=None, compression=None, open_timeout=wait, max_size=None,
                                        close_timeout=max(0.2, self.clock.real(2)), user_agent_header=None, proxy=None)
        except websockets.InvalidStatus as refusal:
            if b"SdkVersionNotSupported" in (refusal.response.body or b""):
                raise SdkNotSupported("this version is no longer supported") from None
            raise HandshakeRefused(refusal.response.status_code, seconds_of(refusal.response.headers.get("Retry-After"))) from None
        except (OSError, EOFError, asyncio.TimeoutError, websockets.WebSocketException):
            raise HandshakeRefused(None) from None
        self.is_open = True
        self.tasks.append(asyncio.create_task(self._read()))
        if self.platform.heartbeat != "quiet text" or "transactionToken=" in url:
            self.start_heartbeat()

    def start_heartbeat(self):
        """Begins to ask whether the other side is there."""
        if self.beats is None:
            beat = {"text": self._beat_ios, "ping": self._beat_android, "quiet text": self._beat_web}[self.platform.heartbeat]
            self.beats = asyncio.create_task(beat())
            self.tasks.append(self.beats)

    async def tell(self, event, data=None):
        """Sends an event and waits for no answer; its eventId."""
        event_id = new_id()
        await self._send(self.wire.frame(event, event_id, data))
        return event_id

    async def ask(self, event, data=None, expect=None):
        """Sends an event and returns the postback's data of its answer."""
        event_id = new_id()
        promise = asyncio.get_running_loop().create_future()
        self.pending[event_id] = (promise, expect)
        try:
            await self._send(self.wire.frame(event, event_id, data))
            return await asyncio.wait_for(promise, self.clock.real(self.platform.answer_wait))
        except asyncio.TimeoutError:
            raise EventTimeout(f"{event} was not answered") from None
        finally:
            self.pending.pop(event_id, None)

    async def _send(self, text):
        if not self.is_open:
            raise NotConnected("there is no connection")
        try:
            await self.socket.send(text)
        except websockets.ConnectionClosed:
            raise NotConnected("the connection was lost") from None

    async def close(self):
        """Closes the socket as this SDK does."""
        if self.is_open:
            self.is_open = False
            self._fail(NotConnected("the chat was closed"))
            await self.socket.close(self.platform.close_code)
        self._stop()

    def _stop(self):
        mine = asyncio.current_task()
        for task in self.tasks:
            if task is not mine:
                task.cancel()
        self.tasks = []

    def _fail(self, problem):
        for promise, _ in list(self.pending.values()):
            if not promise.done():
                promise.set_exception(problem)
        self.pending.clear()

    def _lost(self, code, by_heartbeat=False):
        if self.is_open:
            self.is_open = False
            self._fail(NotConnected("the connection was lost"))
            self.on_lost(self, code, by_heartbeat)

    # What comes in

    async def _read(self):
        try:
            async for text in self.socket:
                self.heard += 1
                if isinstance(text, str):
                    self._take(text)
        except websockets.ConnectionClosed:
            pass
        self._lost(self.socket.close_code)
        self._stop()

    def _take(self, text):
        if text.strip() == '"pong"':
            self.pong.set()
            return
        try:
            frame = json.loads(text)
        except ValueError:
            self.log("a frame is not JSON")
            return
        if not isinstance(frame, dict):
            return
        if frame.get("authorizationStatus") == "authorized" and self.platform.heartbeat == "quiet text":
            self.start_heartbeat()
        if frame.get("eventType") == "EventInS3":
            self.tasks.append(asyncio.create_task(self._fetch(frame)))
        elif frame.get("message") and "eventId" not in frame:
            self.log(f"the gateway failed: {frame['message']}")
        else:
            self._sort(frame)

    def _sort(self, frame):
        promise, expect = self.pending.get(frame.get("eventId"), (None, None))
        error = frame.get("error")
        if isinstance(error, dict):
            problem = OperationError(error.get("errorCode", "unknown"), error.get("errorMessage", ""))
            if problem.code == "SdkVersionNotSupported":
                problem = SdkNotSupported("this version is no longer supported")
            if promise and not promise.done():
                promise.set_exception(problem)
            else:
                self.on_push({"eventType": "Error", "data": {"problem": problem, "eventId": frame.get("eventId")}})
        elif promise:
            postback = frame.get("postback") or {}
            kind = frame.get("eventType") or postback.get("eventType")
            if expect and kind != expect:
                self.log(f"{kind} came in place of {expect}")
            elif not promise.done():
                promise.set_result(postback.get("data") if expect else frame)
        elif frame.get("eventType"):
            self.on_push(frame)

    async def _fetch(self, frame):
        """Loads an event that is too large for the socket, and takes it as if it had come there."""
        try:
            url = frame["data"]["s3Object"]["url"]
            answer = await self.calls.send("GET", url, self.platform.headers(True), seconds=max(2, self.clock.real(self.platform.call_wait)))
            if answer.is_good:
                event = answer.json()
                if isinstance(event, dict):
                    self._sort(event)
                return
            problem = f"the large event is not available: {answer.status}"
        except (TransportFailure, ValueError, KeyError, TypeError) as failure:
            problem = f"the large event is not available: {failure}"
        self.log(problem)
        if self.platform.name == "ios":
            return  # the waiting call runs into its time-out
        origin = ((frame.get("data") or {}).get("originEvent") or {}).get("eventType")
        for promise, expect in list(self.pending.values()):
            if expect == origin and not promise.done():
                promise.set_exception(OperationError("S3EventLoadFailed", problem))

    # Heartbeats

    async def _beat_ios(self):
        while True:
            await self.clock.sleep(10)
            self.pong.clear()
            try:
                await self._send(self.wire.text({"action": "heartbeat"}))
                await asyncio.wait_for(self.pong.wait(), self.clock.real(5))
            except NotConnected:
                return
            except asyncio.TimeoutError:
                socket = self.socket
                self.log("the heartbeat was not answered")
                self._lost(None, by_heartbeat=True)
                await socket.close(1001)
                return

    async def _beat_android(self):
        while True:
            try:
                waiter = await self.socket.ping()
                await self.clock.sleep(10)
            except websockets.ConnectionClosed:
                return
            if not waiter.done():
                self._lost(None)
                self.socket.transport.abort()
                return

    async def _beat_web(self):
        silent, heard = 0, self.heard
        while True:
            await self.clock.sleep(15)
            silent = 0 if self.heard != heard else silent + 15
            heard = self.heard
            if silent == 45:
                self.log("the connection seems to be dying")
            try:
                await self._send(self.wire.text({"action": "heartbeat"}))
            except NotConnected:
                return
