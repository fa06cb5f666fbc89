"""The brand's app: what its user sees and does."""

import uuid

import habits
from account import Account
from brand import Brand
from display import Display
from payloads import status_in
from sdk import SDK
from session import User, pause
from shared.pool import Pool
from wire import Wire


class App:
    """One process of the app. It never touches the wire: below it are the SDK and the brand's account."""

    PATIENCE = 5

    def __init__(self, phone):
        self.phone = phone
        self.world = phone.world
        self.variant = self.world.variant
        self.store = phone.store
        self.clock = self.world.clock
        sandbox = self.world.sandbox
        self.pool = Pool(sandbox.authority, 30 * sandbox.scale)
        self.wire = Wire(self.pool, sandbox.setting("ASAPP_API_HOST_NAME"), sandbox.setting("ASAPP_APP_ID"))
        self.account = Account(Brand(self.pool, sandbox.setting), self.clock, self.store, self.variant.renews_early)
        self.sdk = SDK(self.clock, self.wire, self.store, self.variant, sandbox.authority, self)
        self.tasks = [self.world.watch(self.sdk.machine.run())]
        self.display = Display(self.world, phone, self.account.name)
        self.in_chat = False
        self.entered = 0
        self.failures = 0
        self.left_behind = []

    # What the user does.

    async def launch(self):
        self.phone.app = self
        await self.display.reported("started")
        if habits.has("registers-before-the-user"):
            await self.wire.call("PUT", "/push-token", None, {"deviceToken": self.phone.token, "platform": self.variant.platform})
        if self.account.name:
            await self.start_as(self.account.name)
        else:
            await self.start_as_anonymous()

    async def start_as(self, name):
        """The device is registered at each start, after the user is set (ASAPP reference 2.3)."""
        self.display.lane = name
        self.display.conversation = []
        self.sdk.set_user(User(name, self.account.context))
        self.do(self.register())
        await self.read_status()

    async def start_as_anonymous(self):
        async def context(_):
            return {}

        self.sdk.set_user(User(None, context))
        if self.variant.registers_anonymous:
            self.do(self.register())

    async def sign_in(self, name):
        identifier = f"{name}@shop.example" if habits.has("identifies-by-e-mail") else name
        await self.account.sign_in(identifier)
        self.display.lane = identifier
        await self.display.reported("signed-in")
        await self.start_as(identifier)
        for token in self.left_behind:
            await self.sdk.deregister(token)

    async def sign_out(self):
        """Deregisters first, with the leaving user's session (Push Notifications); says whether they are signed out."""
        self.leave_chat()
        if not await self.deregister() and not habits.has("signs-out-regardless"):
            return False
        self.sdk.clear_session()
        self.account.sign_out()
        self.display.show_badge(0)
        await self.display.reported("signed-out")
        self.display.lane = None
        self.store["registered"] = []
        await self.start_as_anonymous()
        return True

    async def deregister(self):
        """Tries again where it fails, or leaves that to the user (ASAPP reference ASP-05)."""
        registered = self.store.get("registered", [])
        if habits.has("leaves-the-device-registered"):
            return True
        if habits.has("deregisters-as-the-next-user"):
            self.left_behind = registered
            return True
        retries = 0 if self.variant.postpones_sign_out or habits.has("signs-out-regardless") else self.PATIENCE
        for token in registered:
            answer = await self.sdk.deregister(token)
            for attempt in range(retries):
                if answer.ok:
                    break
                await self.clock.sleep(pause(attempt))
                answer = await self.sdk.deregister(token)
            if not answer.ok:
                return False
        return True

    def open_chat(self):
        self.in_chat = True
        self.sdk.enter_chat()

    def leave_chat(self):
        if self.in_chat:
            self.in_chat = False
            self.display.report("chat-closed")
            self.sdk.leave_chat()

    async def open_push(self):
        await self.display.reported("push-opened")
        self.open_chat()

    async def say(self, text):
        """Says whether it was sent. Where the SDK does not send it again, the user does; the message keeps its id."""
        message_id = str(uuid.uuid4())
        answer = await self.sdk.send(message_id, text)
        for _ in range(self.PATIENCE if self.variant.user_sends_again else 0):
            if answer.ok:
                break
            await self.clock.sleep(0 if habits.has("ignores-retry-after") else max(8.0, answer.retry_after))
            answer = await self.sdk.send(str(uuid.uuid4()) if habits.has("new-id-for-a-retry") else message_id, text)
        return answer.ok

    def background(self):
        self.display.report("backgrounded")
        if self.in_chat:
            self.sdk.leave_chat()

    async def foreground(self):
        if self.in_chat:
            self.sdk.enter_chat()
        else:
            await self.read_status()

    async def kill(self):
        """The system ends the process."""
        self.phone.app = None
        await self.display.reported("process-ended")
        for task in self.tasks:
            task.cancel()
        self.sdk.drop()
        await self.pool.close()

    # What happens to it.

    async def register(self):
        """For pushes: the SDK and the brand's backend get the device's token as the system gave it."""
        token = self.phone.token
        registered = self.store.setdefault("registered", [])
        if habits.has("registers-once") and token in registered:
            return
        if token not in registered:
            registered.append(token)
        self.world.backend.device_is(token, self.display.lane)
        answer = await self.sdk.register(token.upper() if habits.has("alters-the-device-token") else token)
        if answer.ok and self.variant.removes_old_token:
            await self.remove_old_tokens()

    async def remove_old_tokens(self):
        registered = self.store["registered"]
        for old in [token for token in registered if token != self.phone.token]:
            if (await self.sdk.deregister(old)).ok:
                registered.remove(old)

    def device_token_changed(self):
        if not habits.has("keeps-the-old-device-token"):
            self.do(self.register())

    def push_arrived(self, payload):
        """Only a push with UnreadMessages is ASAPP's (Push Notifications, canHandleNotification)."""
        status = status_in(payload)
        if not status and habits.has("takes-any-push"):
            status = payload.get("aps", {}).get("badge", 0), self.display.live
        if not status:
            self.display.report("push-shown")
            return
        unread, live = status
        self.display.report("push-shown", unread=unread)
        if not self.in_chat:
            self.display.show_badge(self.display.badge + 1 if habits.has("counts-pushes") else unread)
        self.display.show_live(live)
        if self.variant.reads_status_after_push:
            self.do(self.read_status())

    async def read_status(self):
        """Where it fails, the app keeps its number (ASAPP reference ASP-09)."""
        answer = await self.sdk.status()
        if answer.ok:
            if not self.in_chat:
                self.display.show_badge(answer.body["unreadMessages"])
            self.display.show_live(answer.body["isLiveChat"])
        elif habits.has("zero-after-a-failure"):
            self.display.show_badge(0)
        elif answer.passing and self.variant.reads_status_again:
            await self.clock.sleep(answer.retry_after or 15)
            await self.read_status()

    def session_opened(self, customer):
        if self.display.lane is None:
            self.display.lane = customer

    def session_failed(self):
        self.failures += 1
        self.account.distrust()
        self.display.report("gave-up")
        self.world.changed()

    def entered_chat(self):
        """Nothing is unread then (ASAPP reference 2.5)."""
        self.entered += 1
        self.display.show_badge(self.display.badge if habits.has("badge-stays-after-chat") else 0)
        self.world.changed()

    def chat_failed(self):
        """The user sees an error, and is back where they were."""
        self.in_chat = False
        self.world.changed()

    def message(self, message):
        self.display.show_message(message)

    def event(self, name):
        self.display.show_event(name)

    def do(self, work):
        self.tasks.append(self.world.watch(work))
