"""The chat SDK: its states, preparing, connecting and reconnecting."""

import asyncio

from calls import TransportFailure
from channel import Channel
from device import new_id
from errors import ChatError, EventTimeout, HandshakeRefused, IllegalChatState, NotConnected, SdkNotSupported, ServerError
from gateway import Gateway
from messages import Messages
from threads import Threads
from tokens import Tokens
from visits import Visits
from wire import Wire


class ChatSdk(Channel):
    """One SDK in one process of the app."""

    def __init__(self, platform, variant, settings, clock, calls, device, notice):
        super().__init__()
        self.platform, self.variant, self.settings = platform, variant, settings
        self.clock, self.calls, self.device = clock, calls, device
        self.storage = device.storage
        self.notice = notice
        self.state = "initial"
        self.destination_id = None
        self.customer = self.storage.get("customer") or {}
        self.ids = {"brand": settings.brand, "channel": settings.channel(variant.mode), "visitor": self.storage.get("visitor_id"),
                    "customer": self.customer.get("id")}
        self.wire = Wire(platform, variant, self.ids, self.customer)
        self.tokens, self.threads, self.messages, self.visits = Tokens(self), Threads(self), Messages(self), Visits(self)
        self.gateway = None
        self.reconnecting = None
        self.preparation = 0
        self.logs = bool(platform.log_program)
        self.on_agent = None

    # Small things

    def set_state(self, state):
        """onChatUpdated."""
        if self.state != state:
            self.state = state
            self.notice(f"chat is {state}")

    def on_error(self, problem):
        """onError: the app shows it."""
        self.notice(f"error: {problem}")
        if not isinstance(problem, SdkNotSupported):
            self.log(str(problem))

    def log(self, text):
        """Logs at the vendor, as long as the vendor wants it."""
        if self.logs:
            asyncio.ensure_future(self._log(text))

    async def _log(self, text):
        body = self.wire.text({"level": "2", "message": text, "appVersion": "1.0.0",
                               "detail": {"file": "ChatSdk", "line": 1, "deviceFingerprint": self.wire.fingerprint()}})
        url = f"{self.settings.base}/logger-public?brandId={self.ids['brand']}&program={self.platform.log_program}"
        try:
            answer = await self.calls.send("POST", url, self.platform.headers(True), body.encode(), max(1, self.clock.real(60)))
            self.logs = self.logs and answer.status in (200, 204)
        except TransportFailure:
            self.logs = False

    def require_prepared(self):
        """IllegalChatState before the preparation."""
        if self.state in ("initial", "preparing"):
            raise IllegalChatState(f"the chat is {self.state}")

    def adopt(self, identity, names):
        """Takes the customer's id from the server."""
        if identity and identity.get("idOnExternalPlatform"):
            self.customer["id"] = self.ids["customer"] = identity["idOnExternalPlatform"]
            if names:
                self.customer["first"] = identity.get("firstName") or self.customer.get("first")
                self.customer["last"] = identity.get("lastName") or self.customer.get("last")
            self.storage["customer"] = self.customer

    # Preparing

    async def prepare(self):
        """Reads the channel and tells who visits; any failure of these leads back to the beginning."""
        if self.state == "preparing":
            return
        if self.state not in ("initial", "offline") and not (self.platform.name == "ios" and self.state == "prepared"):
            raise IllegalChatState(f"the chat is {self.state}")
        self.preparation += 1
        turn = self.preparation
        self.set_state("preparing")
        try:
            self.read(await self.read_configuration(lambda: turn == self.preparation))
            if turn != self.preparation:
                return
            self.destination_id = new_id()
            if not self.storage.get("visitor_id"):
                self.storage["visitor_id"] = new_id()
            if not self.customer.get("id"):
                self.customer["id"] = new_id()
                self.storage["customer"] = self.customer
            self.ids.update(visitor=self.storage["visitor_id"], customer=self.customer["id"])
            if self.platform.name != "web":
                await self.update_visitor(lambda: turn == self.preparation)
        except ChatError as problem:
            if turn == self.preparation:
                self.set_state("initial")
                self.on_error(problem)
                raise
            return
        if turn == self.preparation:
            self.set_state("prepared")

    # Connecting

    async def connect(self):
        """Opens the socket, signs in and loads the threads."""
        if self.state in ("connecting", "connected", "ready", "closed"):
            return
        if self.state in ("initial", "preparing") or (self.state == "offline" and self.platform.name == "ios"):
            raise IllegalChatState(f"the chat is {self.state}")
        turn = self.preparation
        if self.mode == "live" and not await self.is_available():
            if turn == self.preparation:
                self.set_state("offline")
            return
        if turn != self.preparation:
            return
        self.set_state("connecting")
        try:
            await self.establish()
        except ChatError as problem:
            if turn == self.preparation:
                await self.drop()
                self.set_state("prepared")
                self.on_error(problem)
            raise

    async def establish(self, again=False):
        """One try to get a socket that is ready; `again` after a loss."""
        turn = self.preparation
        token = None
        if self.is_secured:
            old = self.storage.get("transaction_token")
            keeps = again and old and self.variant.reopens_the_same_address()
            token = old if keeps else await self.tokens.transaction_token()
        gateway = Gateway(self.platform, self.clock, self.calls, self.wire, self.take, self.lost, self.log)
        url = f"{self.settings.socket_base}/{self.platform.socket_query(self.ids, token)}"
        if turn != self.preparation:
            raise NotConnected("the chat was closed")
        try:
            await gateway.open(url)
        except HandshakeRefused as refusal:
            if refusal.status in (401, 403):
                self.tokens.forget("transaction")
            raise
        self.gateway = gateway
        if turn != self.preparation:
            await gateway.close()
            raise NotConnected("the chat was closed")
        self.set_state("connected")
        if not self.is_secured:
            await self.tokens.authorize(gateway)
        await self.threads.load(gateway)
        if gateway.is_open:
            self.set_state("ready")
        else:
            raise NotConnected("the connection was lost")

    async def drop(self):
        """Lets go of the socket."""
        gateway, self.gateway = self.gateway, None
        self.tokens.stop_timer()
        if gateway:
            await gateway.close()

    async def disconnect(self):
        """The app goes to the background, or the chat is left."""
        self.preparation += 1
        if self.reconnecting:
            self.reconnecting.cancel()
            self.reconnecting = None
        if self.state == "preparing":
            self.set_state("initial")
        elif self.state != "initial":
            await self.drop()
            self.set_state("prepared")

    def lost(self, gateway, code, by_heartbeat):
        """The socket is gone without our doing."""
        if gateway is not self.gateway:
            return
        self.gateway = None
        self.tokens.stop_timer()
        if self.state not in ("ready", "closed") or self.reconnecting:
            return  # the call that is connecting hears of it
        if code == 1000 and not self.platform.reconnects_after_1000:
            self.set_state("prepared")
            return
        self.set_state("connecting")
        self.reconnecting = asyncio.create_task(self.reconnect(by_heartbeat))

    async def reconnect(self, at_once):
        """Tries again and again, ever more slowly; then the user has to."""
        state = {}
        problem = NotConnected("the connection was lost")
        for attempt in range(1, self.platform.reconnect_attempts + 1):
            wait = max(self.platform.delay(attempt, state), getattr(problem, "retry_after", 0))
            if not (at_once and attempt == 1 and self.platform.name == "ios"):
                await self.clock.sleep(wait)
            try:
                await self.establish(again=True)
                self.reconnecting = None
                return
            except (HandshakeRefused, NotConnected, EventTimeout, ServerError) as failure:
                problem = failure
                await self.drop()
                self.set_state("connecting")
                if getattr(failure, "status", None) in (400, 404):
                    break
            except ChatError as failure:
                problem = failure
                break
        self.reconnecting = None
        await self.drop()
        self.set_state("prepared")
        self.on_error(problem)

    # Events

    def gateway_or_fail(self):
        """The open socket."""
        if not self.gateway or not self.gateway.is_open:
            raise NotConnected("there is no connection")
        return self.gateway

    async def ask(self, event, data=None, expect=None):
        """Sends an event with a good token and waits for its answer."""
        await self.tokens.fresh()
        return await self.gateway_or_fail().ask(event, data, expect)

    async def tell(self, event, data=None):
        """Sends an event with a good token and waits for nothing."""
        await self.tokens.fresh()
        return await self.gateway_or_fail().tell(event, data)

    def take(self, frame):
        """What the server sends unprompted."""
        kind = frame.get("eventType")
        if kind == "FireProactiveAction":
            self.messages.offered(frame)
        elif kind == "Error":
            self.on_error(frame["data"]["problem"])
        else:
            self.threads.take(frame)

    def agent_spoke(self, thread, message):
        """A new message of the other side."""
        if self.on_agent:
            self.on_agent(thread, message)

    def thread_created(self):
        """A new thread opens a chat that was over."""
        if self.state == "closed":
            self.set_state("ready")

    def chat_closed(self):
        """The live chat is over."""
        if self.state == "ready":
            self.set_state("closed")
