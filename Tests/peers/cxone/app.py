"""The app around the SDK: what it shows, and what it does by itself."""

import asyncio

import brand
from clock import until
from device import new_id
from errors import ChatError, EventTimeout, IllegalChatState, OperationError, SdkNotSupported, SignInNeeded
from platforms import platform_named
from sdk import ChatSdk


class App:
    """One process of the app. `alerts` has what the user was shown."""

    def __init__(self, variant, settings, clock, calls, device, notice):
        self.variant, self.settings, self.clock = variant, settings, clock
        self.calls, self.device, self.notice = calls, device, notice
        self.alerts = []
        self.retry_after = 0
        self.is_outdated = False
        self.sdk = ChatSdk(platform_named(variant.platform), variant, settings, clock, calls, device, notice)
        self.sdk.on_agent = self._agent_spoke
        self.is_foreground = False
        self.sign_ins_refused = 0
        self.unsent = None
        self.in_chat = False

    def show(self, problem):
        """Shows an error to the user."""
        self.alerts.append(str(problem))
        self.retry_after = getattr(problem, "retry_after", 0)
        self.notice(f"the user sees: {problem}")
        self.is_outdated = self.is_outdated or isinstance(problem, SdkNotSupported)

    # Foreground and background

    async def open(self):
        """The app comes to the foreground; whether it is prepared then."""
        self.is_foreground = True
        await self.clock.look()
        if self.is_outdated or not self.is_foreground:
            return False
        try:
            if self.sdk.state in ("initial", "offline"):
                await self.sdk.prepare()
        except ChatError as problem:
            self.show(problem)
        return self.sdk.state not in ("initial", "preparing")

    async def background(self):
        """The app goes to the background: the page ends first, then the socket."""
        self.in_chat = self.is_foreground = False
        await self.sdk.visits.page_view_ended()
        await self.sdk.disconnect()

    async def look_at(self, title):
        """The user looks at a page."""
        try:
            await self.sdk.visits.view_page(title, f"page://{title.lower().replace(' ', '-')}")
        except IllegalChatState as problem:
            self.show(problem)

    # The chat

    async def open_chat(self):
        """The user taps on the chat; whether it can be used then."""
        sdk = self.sdk
        await self.clock.look()
        if sdk.state == "connecting":
            await until(self.clock, lambda: sdk.state not in ("connecting", "connected"), 60)
        if sdk.state == "offline":
            await self.open()
        if not self.in_chat and sdk.state == "prepared":
            if self.variant.chat_hides_the_page():
                await sdk.visits.page_view_ended()
            await sdk.visits.chat_window_opened()
        while True:
            try:
                if sdk.tokens.needs_code():
                    await self.sign_in()
                await sdk.connect()
                break
            except SignInNeeded as problem:
                self.show(problem)
                self.sign_ins_refused += 1
                if self.gave_up_sign_in():
                    return False
                await self.clock.sleep(self.variant.before_trying_again(self.sign_ins_refused))
            except ChatError as problem:
                self.show(problem)
                return False
        if sdk.state == "offline":
            self.show("nobody is there at the moment")
        self.in_chat = sdk.state in ("ready", "closed")
        if self.in_chat:
            self.sign_ins_refused = 0
        if self.in_chat and sdk.mode == "live" and sdk.state == "ready":
            await self._quietly(self.enter())
        return self.in_chat

    def gave_up_sign_in(self):
        """Whether the brand has been asked for fresh codes often enough."""
        return self.sign_ins_refused > self.variant.fresh_codes()

    async def sign_in(self):
        """Asks the brand for a fresh code."""
        code, verifier = await brand.sign_in(self.settings, self.calls, self.variant.platform != "web")
        self.sdk.tokens.supply(code, verifier)

    async def enter(self):
        """Has a thread to write in, asking the user for what is needed before a new one."""
        sdk = self.sdk
        thread = sdk.threads.current
        if thread and thread.state not in ("closed", "pending"):
            return thread
        if not thread or thread.state == "closed":
            thread = sdk.threads.create(self.filled_forms())
        elif not thread.fields:
            thread.fields = self.filled_forms()
        if sdk.mode == "live":
            # A person takes a moment to tap: a welcome message that is on its way arrives first.
            await until(self.clock, lambda: sdk.messages.welcome, 3)
            await sdk.messages.begin_conversation(thread)
            await until(self.clock, lambda: thread.state != "pending", 10)
        return thread

    def filled_forms(self):
        """The user tells their name and fills in the form before the chat."""
        sdk = self.sdk
        if sdk.platform.name != "web" and sdk.authentication == "anonymous" and not sdk.customer.get("first"):
            sdk.customer.update(first="Jo", last="Doe")
            sdk.storage["customer"] = sdk.customer
        answers = {}
        for field in (sdk.form or {}).get("customFields") or []:
            definition = field["definition"]
            values = definition.get("values") or []
            if definition["type"] in ("list", "tree") and values:
                parents = {value.get("parentId") for value in values}
                leaves = [value for value in values if value["name"] not in parents]
                answers[definition["ident"]] = leaves[0]["name"]
            elif definition["type"] == "email":
                answers[definition["ident"]] = "jo@shop.example"
            elif field["isRequired"] or self.variant.habit == "patient-user":
                answers[definition["ident"]] = "Order 42"
        return answers

    async def write(self, text):
        """The user writes, or taps on a message that was not sent; whether it is sent now."""
        sdk = self.sdk
        again = self.unsent and self.unsent[0] == text
        message_id = self.unsent[1] if again else new_id()
        self.unsent = (text, message_id)
        try:
            thread = await self.enter()
            if not again and not self.variant.is_habit("impatient-user"):
                await sdk.messages.typing(thread, True)
                await self.clock.sleep(min(2, self.variant.reading()))
                await sdk.messages.typing(thread, False)
            await self.clock.look()
            await sdk.messages.send(thread, text, message_id)
            self.unsent = None
            return True
        except OperationError as problem:
            self.show(problem)
            if self.variant.refused_text_is_written_anew():
                self.unsent = None
        except SignInNeeded as problem:
            self.show(problem)
            await sdk.disconnect()
        except EventTimeout as problem:
            self.show(problem)
            if self.variant.silence_reopens_the_chat():
                await sdk.disconnect()
        except ChatError as problem:
            self.show(problem)
        return False

    def has_sent(self, text):
        """The id of a message that stands in the thread, sent by the customer."""
        thread = self.sdk.threads.current
        for message in (thread.messages.values() if thread else ()):
            payload = (message.get("messageContent") or {}).get("payload") or {}
            if message.get("direction") == "inbound" and payload.get("text") == text:
                return message["idOnExternalPlatform"]
        return None

    def _agent_spoke(self, thread, message):
        sdk = self.sdk
        if sdk.platform.name == "web" and message.get("hasAdditionalMessageContent") is not False:
            asyncio.ensure_future(self._quietly(sdk.messages.full_content(message)))
        if sdk.threads.is_unknown_content(message) and thread.state == "ready":
            asyncio.ensure_future(self._quietly(sdk.messages.cannot_show(thread, message)))
        if self.in_chat and thread is sdk.threads.current:
            asyncio.ensure_future(self._quietly(sdk.messages.seen(thread)))

    async def _quietly(self, work):
        try:
            await work
        except Exception as problem:
            self.notice(f"in passing: {problem}")
