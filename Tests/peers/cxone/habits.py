"""Bad habits, which the good client takes on one at a time: each a small deviation that a line of NICE's page or of the reference forbids.

What each breaks, and in which scenario it shows, is in habits.json.
"""

import asyncio

import brand
from app import App
from channel import Channel
from device import new_id
from errors import ChatError, HandshakeRefused, OperationError, SdkNotSupported
from gateway import Gateway
from messages import Messages
from person import Person
from sdk import ChatSdk
from threads import Threads
from tokens import Tokens
from visits import Visits

HABITS = {}


def habit(words):
    """Makes a function a habit of its name."""
    def keep(patch):
        HABITS[patch.__name__.replace("_", "-")] = (words, patch)
        return patch
    return keep


def take(name):
    """Takes a habit on."""
    HABITS[name][1]()


def instead(owner, name):
    """Replaces a method; the function gets the one that was there as `usual`."""
    def replace(new):
        usual = getattr(owner, name)
        setattr(owner, name, lambda self, *parts, **named: new(self, usual, *parts, **named))
        return new
    return replace


async def quietly(work):
    """Does something whose failure nobody minds."""
    try:
        return await work
    except ChatError:
        return None


# Preparing


@habit("goes on without the configuration: it tells who visits all the same")
def goes_on_without_a_configuration():
    @instead(ChatSdk, "read_configuration")
    async def read(self, usual, still_wanted):
        try:
            return await usual(self, still_wanted)
        except ChatError:
            self.ids.update(visitor=self.storage.setdefault("visitor_id", new_id()), customer=self.customer.setdefault("id", new_id()))
            await quietly(self.update_visitor(lambda: True))
            raise


@habit("opens a socket before it has read the configuration")
def opens_the_socket_first():
    @instead(ChatSdk, "read_configuration")
    async def read(self, usual, still_wanted):
        self.ids["visitor"] = self.storage.setdefault("visitor_id", new_id())
        gateway = Gateway(self.platform, self.clock, self.calls, self.wire, self.take, self.lost, self.log)
        await gateway.open(f"{self.settings.socket_base}/{self.platform.socket_query(self.ids, None)}")
        await gateway.close()
        return await usual(self, still_wanted)


@habit("reports the visit before it says who visits")
def reports_before_it_prepares():
    @instead(ChatSdk, "update_visitor")
    async def update(self, usual, still_wanted):
        now = await self.clock.look()
        self.visits._visit(now)
        await self.visits.flush(3)
        return await usual(self, still_wanted)


@habit("goes on as if prepared when the visitor call got no answer")
def goes_on_after_a_cut_visitor():
    @instead(ChatSdk, "update_visitor")
    async def update(self, usual, still_wanted):
        await quietly(usual(self, still_wanted))


@habit("opens a chat as a visitor whom it never named, and reports nothing of the visit")
def names_no_visitor():
    @instead(ChatSdk, "update_visitor")
    async def update(self, usual, still_wanted):
        pass

    @instead(Visits, "_report")
    def report(self, usual, *what):
        pass


@habit("prepares a second time beside a preparation that takes long")
def prepares_twice():
    @instead(ChatSdk, "read_configuration")
    async def read(self, usual, still_wanted):
        second = asyncio.create_task(quietly(usual(self, lambda: True)))
        told = await usual(self, lambda: True)
        await second
        return told


@habit("makes a new visitor id each time the app starts")
def forgets_its_visitor():
    @instead(Person, "new_process")
    def start(self, usual):
        self.device.storage.pop("visitor_id", None)
        usual(self)


@habit("makes a new customer id each time the app starts")
def forgets_its_customer():
    @instead(Person, "new_process")
    def start(self, usual):
        self.device.storage.pop("customer", None)
        usual(self)


@habit("prepares again and again though its version is refused")
def insists_on_its_version():
    @instead(ChatSdk, "prepare")
    async def prepare(self, usual):
        for _ in range(6):
            try:
                return await usual(self)
            except SdkNotSupported:
                await self.clock.sleep(2)
        raise SdkNotSupported("it is not served")


# Pages


@habit("leaves the page open when the app goes to the background")
def leaves_the_page_open():
    @instead(Visits, "page_view_ended")
    async def ended(self, usual):
        self.page = None


@habit("does not close the socket when the app goes to the background")
def leaves_the_socket_open():
    @instead(App, "background")
    async def background(self, usual):
        self.in_chat = self.is_foreground = False
        await self.sdk.visits.page_view_ended()
        await self.clock.sleep(30)
        await self.sdk.disconnect()


@habit("ends no page before the next one")
def never_ends_a_page():
    @instead(Visits, "_end_page")
    def end(self, usual, now):
        self.page = None


@habit("reports pages of a visit that it never announced")
def never_announces_its_visit():
    @instead(Visits, "_report")
    def report(self, usual, kind, data, now, visit):
        if kind != "VisitorVisit":
            usual(self, kind, data, now, visit)


@habit("sends each event six times")
def hammers_analytics():
    @instead(Visits, "_tell")
    async def tell(self, usual, event):
        for _ in range(6):
            await usual(self, event)


@habit("begins another visit with each page")
def begins_a_visit_with_each_page():
    @instead(Visits, "_visit")
    def visit(self, usual, now):
        self.sdk.storage.pop("visit_expires", None)
        return usual(self, now)


@habit("keeps its visit for ever")
def keeps_its_visit():
    @instead(Visits, "_visit")
    def visit(self, usual, now):
        if self.sdk.storage.get("visit_expires"):
            self.sdk.storage["visit_expires"] = now.replace(year=now.year + 1)
        return usual(self, now)


# The socket


@habit("opens a socket to a live chat that is offline")
def opens_the_offline_chat():
    @instead(ChatSdk, "is_available")
    async def available(self, usual):
        await usual(self)
        return True


@habit("opens a socket to a live chat that is offline by its configuration, and does not ask whether it is online by now")
def does_not_ask_about_the_offline_chat():
    @instead(ChatSdk, "is_available")
    async def available(self, usual):
        return True


@habit("opens a socket again while the app is in the background")
def opens_a_socket_in_the_background():
    @instead(App, "background")
    async def background(self, usual):
        was_connected = self.sdk.state in ("connected", "ready")
        await usual(self)
        if was_connected:
            await quietly(self.sdk.connect())
            await self.clock.sleep(30)
            await self.sdk.disconnect()


@habit("opens a second socket beside the first")
def has_two_sockets():
    @instead(ChatSdk, "establish")
    async def establish(self, usual, again=False):
        await usual(self, again)
        second = Gateway(self.platform, self.clock, self.calls, self.wire, lambda frame: None, lambda *end: None, self.log)
        await second.open(f"{self.settings.socket_base}/{self.platform.socket_query(self.ids, None)}")
        await self.clock.sleep(8)
        await second.close()


@habit("goes on without the socket that it has lost")
def never_reopens():
    @instead(ChatSdk, "reconnect")
    async def reconnect(self, usual, at_once):
        await self.clock.sleep(90)
        raise SystemExit(0)


@habit("opens a socket and closes it twenty times in ten seconds")
def reopens_in_a_storm():
    @instead(ChatSdk, "establish")
    async def establish(self, usual, again=False):
        for _ in range(20):
            storm = Gateway(self.platform, self.clock, self.calls, self.wire, lambda frame: None, lambda *end: None, self.log)
            await storm.open(f"{self.settings.socket_base}/{self.platform.socket_query(self.ids, None)}")
            await storm.close()
            await self.clock.sleep(0.4)
        await usual(self, again)


@habit("waits for a heartbeat's answer for ever")
def waits_for_ever_for_a_pong():
    @instead(Gateway, "_beat_ios")
    async def beat(self, usual):
        while self.is_open:
            await self.clock.sleep(10)
            await quietly(self._send(self.wire.text({"action": "heartbeat"})))


@habit("sends no heartbeats")
def sends_no_heartbeats():
    for name in ("_beat_ios", "_beat_android", "_beat_web"):
        @instead(Gateway, name)
        async def beat(self, usual):
            await self.clock.sleep(3600)


@habit("does not fetch what is too large for the socket")
def ignores_large_events():
    @instead(Gateway, "_fetch")
    async def fetch(self, usual, frame):
        self.log("the event is too large")


@habit("sends a token to the URL of a large event")
def sends_a_token_to_the_bucket():
    @instead(Gateway, "_fetch")
    async def fetch(self, usual, frame):
        url = frame["data"]["s3Object"]["url"]
        await self.calls.send("GET", url, dict(self.platform.headers(True), Authorization="Bearer secret"), seconds=5)
        await usual(self, frame)


@habit("asks for a large event that is not there again each second")
def asks_again_for_a_large_event():
    @instead(Gateway, "_fetch")
    async def fetch(self, usual, frame):
        url = frame["data"]["s3Object"]["url"].replace("?", "x?", 1)
        for _ in range(6):
            await self.calls.send("GET", url, self.platform.headers(True), seconds=5)
            await self.clock.sleep(1)
        await usual(self, frame)


# Who the customer is


@habit("says things on a socket that it has not signed in on")
def never_signs_in():
    @instead(Tokens, "authorize")
    async def authorize(self, usual, gateway):
        await quietly(gateway.ask("RecoverThread", self.sdk.wire.recovery(None), "ThreadRecovered"))
        await usual(self, gateway)


@habit("sends its first message without the access token")
def forgets_its_access_token():
    kept = []

    @instead(Tokens, "fresh")
    async def fresh(self, usual):
        token = await usual(self)
        if not token or kept:
            return token
        kept.append(token)
        return None


@habit("opens the socket again and again with a transaction token that was refused")
def insists_on_its_transaction_token():
    kept = []

    @instead(Tokens, "transaction_token")
    async def transaction_token(self, usual):
        kept.append(kept[0] if 0 < len(kept) < 6 else await usual(self))
        return kept[-1]


@habit("signs in no more after a refusal, and says nothing of it")
def gives_up_in_silence():
    @instead(App, "sign_in")
    async def sign_in(self, usual):
        if self.sign_ins_refused:
            await self.clock.sleep(70)
            raise SystemExit(0)
        await usual(self)


@habit("has one code verifier for all sign-ins")
def has_one_verifier():
    brand.secrets.token_urlsafe = lambda size: "v" * size if size == 48 else new_id()



@habit("keeps its code, and brings it once more with the next connection")
def brings_its_code_again():
    kept = {}

    @instead(Tokens, "supply")
    def supply(self, usual, code, verifier):
        kept.update(code=code, verifier=verifier)
        usual(self, code, verifier)

    @instead(Tokens, "authorize")
    async def authorize(self, usual, gateway):
        if kept.get("used") and self.storage.get("access_token"):
            await quietly(gateway.ask("AuthorizeCustomer", self.sdk.wire.authorization(kept["code"], kept["verifier"])))
        await usual(self, gateway)
        kept["used"] = True


@habit("brings a code that was refused once more")
def brings_the_refused_code():
    kept = {}

    @instead(App, "sign_in")
    async def sign_in(self, usual):
        if not kept:
            kept["code"] = await brand.sign_in(self.settings, self.calls, self.variant.platform != "web")
        self.sdk.tokens.supply(*kept["code"])


@habit("never refreshes its access token")
def keeps_its_access_token():
    @instead(Tokens, "fresh")
    async def fresh(self, usual):
        return self.storage.get("access_token")


# Threads


@habit("loads what there is on its first socket only")
def loads_once():
    loaded = []

    @instead(Threads, "load")
    async def load(self, usual, gateway):
        if not loaded:
            await usual(self, gateway)
        loaded.append(gateway)


@habit("closes its socket when there is no thread to recover")
def leaves_when_there_is_no_thread():
    left = []

    @instead(Threads, "_recover_only")
    async def recover(self, usual, gateway):
        await usual(self, gateway)
        if not left and self.sdk.storage.get("thread_id") is None:
            left.append(gateway)
            await gateway.socket.close(1000)


@habit("says what was lost again under another id")
def says_it_again_under_another_id():
    @instead(Messages, "send")
    async def send(self, usual, thread, text, message_id=None, parameters=None):
        return await usual(self, thread, text, new_id(), parameters)


@habit("signs in and loads nothing")
def loads_nothing():
    @instead(Threads, "load")
    async def load(self, usual, gateway):
        await self.sdk.clock.sleep(60)
        await usual(self, gateway)


@habit("asks for a thread that cannot be recovered again every second")
def asks_again_for_the_thread():
    @instead(Threads, "_recover_only")
    async def recover(self, usual, gateway):
        stored = self.sdk.storage.get("thread_id")
        for _ in range(4):
            await usual(self, gateway)
            if self.current and self.current.state == "ready":
                return
            self.sdk.storage["thread_id"] = stored
            await self.sdk.clock.sleep(1)


@habit("recovers its thread without the id that it has")
def forgets_its_thread():
    @instead(Threads, "_recover_only")
    async def recover(self, usual, gateway):
        self.sdk.storage.pop("thread_id", None)
        self.current = None
        await usual(self, gateway)


@habit("loads no metadata")
def skips_the_metadata():
    @instead(Threads, "_load_metadata")
    async def metadata(self, usual, gateway, thread):
        thread.state = "loaded"


@habit("begins a new thread with each message")
def begins_a_thread_each_time():
    @instead(App, "enter")
    async def enter(self, usual):
        self.sdk.threads.current = None
        return await usual(self)


@habit("tells that the customer has seen a thread that has no message yet")
def sees_before_it_speaks():
    @instead(Messages, "typing")
    async def typing(self, usual, thread, goes_on):
        if thread.state == "pending":
            await self._by_the_way("MessageSeenByCustomer", thread)
        await usual(self, thread, goes_on)


@habit("leaves the form out")
def skips_the_form():
    @instead(App, "filled_forms")
    def forms(self, usual):
        return {}


@habit("has the welcome said after the customer's first message")
def welcomes_late():
    @instead(Messages, "send")
    async def send(self, usual, thread, text, message_id=None, parameters=None):
        welcome, self.welcome = self.welcome, None
        sent = await usual(self, thread, text, message_id, parameters)
        if welcome:
            self.welcome = welcome
            await self._send_welcome(thread)
        return sent


@habit("has the welcome said twice")
def welcomes_twice():
    @instead(Messages, "_send_welcome")
    async def welcome(self, usual, thread):
        kept = self.welcome
        await usual(self, thread)
        self.welcome = kept
        await usual(self, thread)


@habit("goes on typing in a chat that is closed, and ends it once more")
def goes_on_in_a_closed_chat():
    @instead(ChatSdk, "chat_closed")
    def closed(self, usual):
        usual(self)
        thread = self.threads.current

        async def go_on():
            await self.clock.sleep(1)
            data = {"thread": self.wire.thread(thread)}
            await quietly(self.ask("SenderTypingStarted", data))
            await quietly(self.ask("EndContact", dict(data, contact={"id": thread.contact_id})))
        asyncio.ensure_future(go_on())
