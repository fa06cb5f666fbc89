"""The brand's app above the SDK: the log-in, the badge, the banners and the messaging button."""

import asyncio
import json

from retry import GaveUp, Refused, Unavailable, standard
from sdk import Sdk
from shared.pool import NetworkError


class App:
    """The app in one process, for one person."""

    def __init__(self, world, phone, store):
        self.world = world
        self.phone = phone
        self.store = store
        self.tasks = set()
        self.badge = 0
        self.pushed = asyncio.Event()
        self.defers = world.variant.policy == "defers push"  # SDK flows, Registering for push notifications: until showConversation
        self.start_sdk()
        phone.app = self

    def start_sdk(self):
        self.sdk = Sdk(self.world, self.store)
        self.sdk.window.on_ready = self.on_window_ready

    def beside(self, coroutine):
        """Does something without making the user wait."""
        task = asyncio.ensure_future(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def stop(self):
        """The process ends."""
        for task in list(self.tasks):
            task.cancel()
        if self.sdk.window.connection:
            self.sdk.window.connection.abort()
        self.sdk.stop()

    # Log-in and log-out

    async def initialize(self):
        """SDK flows, User Logs into the App 1-3: after a failure it logs out and tries once more. Whether messaging is on."""
        await self.world.mark("started")
        tries = 12 if self.world.habits.has("initializes-for-ever") else 2
        for _ in range(tries):
            try:
                await self.sdk.initialize()
                return True
            except (Unavailable, NetworkError):
                await self.sdk.logout()
                self.start_sdk()
        await self.world.mark("gave-up")
        return False

    async def get_ready(self):
        """SDK flows, User Logs into the App 4-8."""
        if self.world.variant.gets_pushes and not self.defers:
            await self.register()
        if not self.world.variant.anonymous and not self.defers:
            await self.read_badge()

    async def register(self):
        if self.world.habits.has("never-registers"):
            return
        try:
            await standard(self.world, lambda: self.sdk.pusher.register(self.phone.token))
        except GaveUp:
            await self.world.mark("gave-up")  # the conversation works without pushes

    async def register_beside(self):
        """As `register`, where no step of the user's depends on it."""
        try:
            await self.register()
        except Refused:
            await self.world.mark("gave-up")

    async def read_badge(self):
        try:
            await self.set_badge(await standard(self.world, self.sdk.pusher.unread))
        except GaveUp:
            if self.world.variant.ios:  # SDK flows, iOS: reset the count to 0; Android: leave the badges as they are
                await self.set_badge(0)

    async def set_badge(self, count):
        self.badge = count
        await self.world.mark("badge", value=count)

    async def log_out(self):
        """SDK flows, User is logged out of the App: the standard retry process. Whether it succeeded."""
        if self.sdk.window.state != "idle":
            await self.close_window()
        done = self.world.habits.has("never-unregisters")
        try:
            if not done:
                await standard(self.world, self.sdk.logout)
                done = True
        except (GaveUp, Refused):
            pass
        await self.world.mark("signed-out" if done else "gave-up")
        await self.stop()
        return done

    # The messaging window

    async def open_window(self, seconds=240):
        window = self.sdk.window
        window.show()
        await window.until(lambda: window.state == "ready" or window.failure, seconds)
        self.check()

    def check(self):
        """Raises why the window has failed, if it has."""
        if self.sdk.window.failure:
            raise self.sdk.window.failure

    async def close_window(self):
        window = self.sdk.window
        window.ask(window.on_hide)
        await window.until(lambda: window.state == "idle", 60)

    async def on_window_ready(self):
        if not self.world.habits.has("never-resets-the-badge"):
            await self.set_badge(0)
        if self.defers and not self.sdk.pusher.registered:
            self.beside(self.register_beside())

    # Pushes

    def on_push_token(self):
        if not self.world.habits.has("ignores-the-new-push-token"):
            self.beside(self.register_beside())

    async def on_push(self, payload):
        """SDK flows, Agent sends a push notification: LivePerson's own are shown, once, unless the user has read the message."""
        push = self.of_livepersons(payload)
        habits = self.world.habits
        if push is None:
            if habits.has("takes-every-push"):
                await self.world.mark("push-shown")
                await self.set_badge(self.badge + 1)
            return
        name = (push.get("conversationId"), push.get("sequence"))
        dialog = self.store.dialogs.get(push.get("dialogId"))
        numbered = isinstance(name[1], int)  # a proactive push has no sequence
        if numbered and name in self.store.pushes and not habits.has("shows-pushes-twice"):
            return
        self.store.pushes.add(name)
        if numbered and dialog and name[1] < dialog.next:
            return
        if self.sdk.window.state in ("loading", "ready") and not habits.has("shows-pushes-in-the-chat"):
            return
        await self.world.mark("push-shown", dialog=push.get("dialogId"), sequence=push.get("sequence"))
        if isinstance(push.get("badge"), int):
            await self.set_badge(push["badge"])
        self.pushed.set()

    def of_livepersons(self, payload):
        """LivePerson's part of a push, or `None` if not readable as such: on Android it is JSON in the data (LivePerson reference 8.5)."""
        push = payload
        if not self.world.variant.ios:
            push = (payload.get("data") or {}).get("payload") if isinstance(payload.get("data"), dict) else None
        if isinstance(push, str):
            try:
                push = json.loads(push)
            except ValueError:
                return None
        if not isinstance(push, dict) or push.get("brandId") != self.world.account:
            return None
        readable = all(isinstance(push.get(name, ""), str) for name in ("conversationId", "dialogId"))
        return push if readable else None
