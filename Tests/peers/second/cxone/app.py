"""The brand's app, and its user."""

from brand import Brand
from chat import Chat
from desk import Desk
from settings import Settings
from state import State
from store import Store


class App:
    """Calls the SDK as its user wants it, and shows what the SDK tells. It never touches the wire."""

    def __init__(self, variant, habits, sandbox, clock, login, authority):
        self.variant = variant
        self.habits = habits
        self.sandbox = sandbox
        self.clock = clock
        self.login = login
        self.authority = authority
        self.desk = Desk(sandbox)
        self.brand = Brand(uses_verifier=variant.platform != "web")
        self.store = Store()
        self.chat = None
        self.has_given_up = False

    def launch(self):
        self.chat = Chat(self.variant, self.habits, Settings.of(self.variant.mode), self.store, self.clock, self.authority)

    async def start(self):
        self.launch()
        await self.mark("started")

    async def mark(self, name, **members):
        await self.sandbox.mark(name, self.store.visitor, **members)

    async def think(self):
        await self.clock.sleep(self.variant.thinks)

    def happens(self, condition, seconds):
        return self.chat.events.happens(condition, seconds)

    def until(self, condition, seconds, what):
        return self.chat.events.until(condition, seconds, what)

    @property
    def thread(self):
        return self.chat.threads.current

    @property
    def is_live(self):
        return self.variant.mode == "live"

    async def foreground(self, patience=6):
        """Prepares the chat. The user tries again a while after it failed; false where the chat does not come."""
        chat = self.chat
        if chat.state in (State.READY, State.CLOSED):
            return True
        for _ in range(patience):
            attempt, told = chat.preparation.attempt, len(chat.told)
            chat.do("prepare")
            await self.until(
                lambda: len(chat.told) > told or (chat.preparation.attempt > attempt and chat.state != State.PREPARING), 150, "preparation"
            )
            if chat.unsupported:
                await self.give_up()
                return False
            if chat.state != State.INITIAL:
                return True
            await self.clock.sleep(5)
        return False

    async def give_up(self):
        """Tells the user to update the app; once is enough."""
        if not self.has_given_up:
            self.has_given_up = True
            await self.mark("gave-up")

    async def show(self, page):
        """The Web SDK reports no pages (CXone reference 3.3)."""
        if self.chat.platform.reports_visitors:
            self.chat.do("view-page", title=page, url=f"page://{page.lower()}")
        await self.think()

    async def open_chat(self, patience=4):
        """Signs the customer in where that is needed, and connects. The user tries again a while after it failed."""
        chat = self.chat
        if chat.state == State.READY:
            return
        if self.variant.reports_window:
            chat.do("open-window")
        for _ in range(patience):
            if chat.signing.needs_code:
                chat.do("code", code=await self.brand.sign_in(self.login))
            attempt, told = chat.connection.attempt, len(chat.told)
            chat.do("connect")
            await self.happens(
                lambda: len(chat.told) > told or (chat.connection.attempt > attempt and chat.state in (State.READY, State.OFFLINE)), 60
            )
            if chat.state in (State.READY, State.OFFLINE):
                await self.think()
                return
            chat.do("disconnect")
            await self.clock.sleep(5)
        raise RuntimeError(f"the chat does not open: {chat.told}")

    async def begin(self):
        """There is a thread to write to after that: the current one, one of the list, or a new one."""
        if self.thread and not self.thread.is_closed:
            return
        open_threads = [thread for thread in self.chat.threads.known.values() if thread.exists and not thread.is_closed]
        if self.variant.mode == "multi" and open_threads:
            await self.open_thread(open_threads[-1])
        if not self.thread or self.thread.is_closed:
            await self.start_thread()

    async def open_thread(self, thread):
        told = len(self.chat.told)
        self.chat.do("open-thread", thread_id=thread.id)
        await self.happens(lambda: self.thread is thread or len(self.chat.told) > told, 30)

    async def start_thread(self):
        """Shows the form if there is one."""
        old = self.thread
        self.chat.do("create-thread", fields=self.fill_form())
        await self.until(lambda: self.thread and self.thread is not old, 10, "thread")
        if self.is_live:
            await self.happens(lambda: self.thread.contact or "message-failed" in self.chat.told, 30)
        await self.think()

    def fill_form(self):
        if not self.chat.configuration.form or self.habits.has("shows-no-form"):
            return {}
        if self.habits.has("sends-the-form-empty"):
            return {"order": "4711"}
        return {"department": "sales"}

    async def type(self):
        self.chat.do("about-thread", event_type="SenderTypingStarted")
        await self.clock.sleep(1)
        self.chat.do("about-thread", event_type="SenderTypingEnded")

    async def write(self, text):
        """Writes and waits for what becomes of it: created or failed, or, where the SDK took a refusal for it, acknowledged."""
        await self.begin()
        message = self.chat.write(text)
        await self.happens(lambda: message.is_settled, 20)
        await self.until(lambda: message.is_settled or message.status == "acknowledged", 60, f"an answer to “{text}”")
        await self.think()
        return message.status

    async def say(self, text):
        """Writes what has to arrive."""
        status = await self.write(text)
        if status != "created":
            raise RuntimeError(f"“{text}” has not arrived: {status}")

    async def hear(self, text):
        """The agent answers, and the customer sees it."""
        await self.desk.say(self.store.visitor, text)
        await self.until(lambda: text in self.chat.threads.heard, 40, f"“{text}” of the agent")
        self.chat.do("about-thread", event_type=self.chat.platform.seen)
        await self.think()

    async def end_chat(self):
        """The customer ends the live chat; false where that was refused."""
        told = len(self.chat.told)
        self.chat.do("end-contact")
        await self.until(lambda: len(self.chat.told) > told, 30, "the end of the chat")
        return self.chat.told[-1] == "contact-closed"

    async def close_chat(self):
        """Leaves the chat for another page of the app."""
        await self.mark("chat-closed")
        if self.variant.leaves != "window":
            await self.disconnect()

    async def disconnect(self):
        self.chat.do("disconnect")
        await self.until(lambda: self.chat.state in (State.INITIAL, State.PREPARED), 20, "the end of the connection")

    async def background(self):
        page = self.chat.analytics.page
        await self.mark("backgrounded", **({"page": page.title} if page else {}))
        self.chat.do("end-page")
        if not self.habits.has("stays-connected-in-the-background"):
            self.chat.do("disconnect")
        await self.clock.sleep(1)
        await self.chat.analytics.drained()

    async def dies(self):
        """Only the store is left."""
        await self.chat.stop()

    async def sign_out(self):
        """The SDK forgets its ids; somebody else takes the phone."""
        self.chat.do("end-page")
        await self.disconnect()
        await self.chat.analytics.drained()
        await self.mark("signed-out")
        await self.chat.stop()
        self.store = Store()
        self.login = f"{self.login}-too"
        self.launch()
