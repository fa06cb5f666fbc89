"""The brand's app: the document's "Android Flows", around the SDK."""
import asyncio
import sys

import timing
from brand import Brand
from failures import Failure, SessionOver, WindowLeft
from habits import has
from pushes import handle_push_message
from retry import RetryPolicy
from sandbox import Inbox, Marks
from sdk import Sdk
from web import Web


class App:
    """The app on one device. It is the receiver of the SDK's events, too."""

    def __init__(self, options, device):
        self.options, self.device_token = options, f"fcm-{device}:APA91bHun4MxP5egoKMwt2KZFBaFUH"
        self.marks, self.inbox = Marks(options, device), Inbox(self.device_token)
        self.web, self.policy = Web(options), RetryPolicy(options)
        self.disk = {}  # what outlives the process
        self.watcher = asyncio.create_task(self.inbox.watch(self.on_push, self.on_new_token))
        self.user = self.sdk = self.window = self.engagement = self.registering = None
        self.offers_conversation, self.screen = True, 0
        self.navigating, self.one_registration = asyncio.Lock(), asyncio.Lock()
        self.running = False

    @property
    def signed_in(self):
        return bool(self.sdk and self.sdk.identity and self.sdk.identity.token)

    async def give_up(self, what, failure):
        """Tells the user, and leaves it."""
        print(f"{self.user}: gave up {what}: {failure}", file=sys.stderr)
        if not has("never-tells-the-user"):
            self.marks.tell("gave-up", what=what)
        await self.marks.flush()

    # ---- "User Logs in to the App"

    async def log_in(self, user):
        """Steps 2 to 7; `user` is None for somebody who does not sign in. Returns whether messaging is of use."""
        self.user, self.marks.lane = user, user or "anonymous"
        if not self.running:
            self.running = True
            self.marks.tell("started")
            await self.marks.flush()
        brand = user and Brand(self.web, self.policy, self.options, user)
        if has("registers-before-the-start"):
            self.sdk = Sdk(self.web, self.policy, self.options, self.disk, receiver=self)
            self.sdk.equip(brand)
            await self.register()
        if not await self.initialize(brand):
            return False
        if has("counts-before-it-registers"):
            await self.refresh_badge()
        # 5: pushes, with authentication parameters, so that they come at once; can be skipped without pushes.
        is_done = has("registers-before-the-start") or has("registers-once-for-all") and self.disk.get("registration") == "done"
        if self.options.pushes and user and not is_done and not await self.register():
            return False
        # 6: the count of unread messages, after the registration that it depends on.
        if user and not has("counts-before-it-registers"):
            await self.refresh_badge()
        return self.signed_in or not user

    async def initialize(self, brand):
        """Step 2 and 3: once more after a `logout`, then no more SDK calls."""
        moment = None
        lasts = [True] if has("starts-once") else [False] * 5 + [True] if has("starts-again-five-times") else [False, True]
        for number, last in enumerate(lasts):
            sdk = Sdk(self.web, self.policy, self.options, self.disk, receiver=self)
            try:
                await sdk.initialize(brand, moment)
                self.sdk = sdk
                return True
            except Failure as failure:
                sdk.reset()
                if last and has("goes-on-without-a-start"):
                    sdk.equip(brand)
                    self.sdk = sdk
                    return True
                if last:
                    await self.give_up("messaging", failure)
                    return False
                moment = timing.moment_in(self.policy.pause(number, failure))
                await timing.wait_before(moment)

    async def register(self):
        """Step 5 with its retries."""
        try:
            async with self.one_registration:
                await self.sdk.register_pusher(self.device_token)
            return True
        except SessionOver:
            await self.log_out()
            return False
        except Failure as failure:
            await self.give_up("pushes" if self.signed_in else "sign-in", failure)
            return False

    def register_again(self):
        """Where the registration that there was may be none any more."""
        if self.sdk and self.options.pushes and self.disk.get("registration") in ("tried", "done"):
            self.registering = asyncio.create_task(self.register())

    def on_new_token(self, token):
        """Firebase's `onNewToken`, which comes to an app in the background too. An app that does not run registers when it starts."""
        if has("keeps-the-old-push-token"):
            return
        if not has("registers-the-old-push-token-again"):
            self.device_token = token
        self.register_again()

    async def refresh_badge(self):
        """Steps 6 to 8, and whenever the app comes to the foreground: a push may be late, lost, or out of date."""
        if has("never-counts"):
            return
        try:
            self.set_badge(await self.sdk.pusher.unread() + (7 if has("shows-another-badge") else 0))
        except SessionOver:
            await self.log_out()
        except Failure as failure:
            # 8: "the simplest thing to do is to leave any unread message badges as they are".
            if not self.signed_in:
                await self.give_up("sign-in", failure)

    def set_badge(self, value):
        self.marks.tell("badge", value=value)

    # ---- "User is logged out of the App"

    async def log_out(self):
        """Returns whether the user is logged out: only when the device is unregistered."""
        await self.close_window()
        if self.registering and self.registering is not asyncio.current_task():
            await asyncio.wait({self.registering})
        if self.sdk:
            token = self.sdk.identity and self.sdk.identity.token
            if has("unregisters-afterwards"):
                self.marks.tell("signed-out")
                await self.marks.flush()
            try:
                await self.sdk.logout()
            except Failure as failure:
                if not has("signs-out-all-the-same", "unregisters-in-passing"):
                    await self.give_up("sign-out", failure)
                    return False
                self.sdk.reset()
            self.sdk.receiver = None  # 3: `removeCallBack`
        left = self.sdk
        self.user = self.sdk = self.engagement = self.registering = None
        if not has("unregisters-afterwards"):
            self.marks.tell("signed-out")
            await self.marks.flush()
        if has("counts-after-signing-out"):
            left.identity.disk = {"token": token}
            await left.pusher.unread()
        return True

    # ---- "User navigates about the App"

    async def navigate(self, screen):
        """Asks which engagement fits this screen, and shows or hides the messaging button."""
        self.screen += 1
        mine = self.screen
        async with self.navigating:
            if mine != self.screen or not self.sdk:
                return
            try:
                self.engagement = await self.sdk.monitoring.engagement([f"sec://{screen}"], lambda: mine != self.screen)
            except Failure as failure:
                print(f"{self.user}: no engagement: {failure}", file=sys.stderr)  # the button stays as it is
                return
            self.offers_conversation = self.engagement is not None  # 3 and 4

    # ---- "User clicks messaging button"

    async def tap_messaging_button(self, by_push=False):
        """Opens the messaging window; returns whether it is there, with everything that was unread."""
        if not self.sdk or self.window or not (self.offers_conversation or by_push):
            return False
        window = self.window = self.sdk.show_conversation(self.engagement)
        try:
            await window.open()
        except WindowLeft:
            return False
        except Failure as failure:
            await self.lose_window(window, failure)
            return False
        window.tasks["keep"].add_done_callback(lambda task: self.connection_kept(window, task))
        if self.disk.get("registration") == "wanted":
            # "Registering for push notifications": what could not be done without a sign-in is done after the next.
            self.registering = asyncio.create_task(self.register())
        return True

    def connection_kept(self, window, task):
        if not task.cancelled():
            self.losing = asyncio.create_task(self.lose_window(window, task.exception()))

    async def lose_window(self, window, failure):
        if self.window is window and isinstance(failure, SessionOver):
            # "User is logged out of the App" 1: "any remote log out flow". It is the brand's own back end that says so, which takes a moment.
            await timing.wait(0.5)
            await self.log_out()
        elif self.window is window:
            self.window = None
            await window.close()
            await self.give_up("conversation", failure)
            self.marks.tell("window-closed")  # what is left of it shows nothing but the error

    async def close_window(self):
        """The way back out of the window."""
        window, self.window = self.window, None
        if window:
            self.marks.tell("window-closed")
            await self.marks.flush()
            await window.close()

    def on_connection_changed(self):
        """LP_ON_CONNECTION_CHANGED: the window has downloaded what was unread, so the badge goes."""
        self.set_badge(0)

    def on_session_renewed(self):
        """The session had ended and goes on with new credentials; ending it may have unregistered the device."""
        self.register_again()

    def on_message(self, change):
        """A message is on the screen."""
        self.disk.setdefault("seen", set()).add((change["dialogId"], change["sequence"]))
        self.marks.tell("message-shown", dialog=change["dialogId"], sequence=change["sequence"])

    # ---- "Push notification received by device", "Consumer taps a push notification"

    def on_push(self, data):
        """Shows a push, unless there is nothing new in it, or its conversation is on the screen."""
        push = handle_push_message(data, self.sdk.account) if self.user and self.sdk else None
        if not push:
            if has("takes-others-pushes-for-its-own"):
                self.marks.tell("push-shown", dialog="none", sequence=0)
            elif "brandId" not in str(data):
                self.marks.tell("push-shown")  # as the other sender's
            return
        pushed, this = self.disk.setdefault("pushed", set()), (push.dialog, push.sequence)
        if self.window:
            if has("leaves-the-window-at-a-push", "opens-another-socket-at-a-push"):
                self.leaving = asyncio.create_task(self.window.connection.stray())
            return
        is_known = this in pushed and not has("shows-a-push-twice")
        if is_known or this in self.disk.get("seen", ()) and not has("announces-what-was-read"):
            return
        pushed.add(this)
        self.marks.tell("push-shown", dialog=push.dialog, sequence=push.sequence)
        self.set_badge(push.badge)  # 3

    async def tap_notification(self):
        """Brings the app to the front and opens the window; the push's id is for the SDK's scrolling only."""
        return await self.tap_messaging_button(by_push=True)

    # ---- the process

    def kill(self):
        """The system ends the app: nothing is said to anybody."""
        if self.window:
            self.window.stop()
            self.window.connection.drop()
        if self.registering:
            self.registering.cancel()
        self.sdk = self.window = self.engagement = self.registering = None
        self.offers_conversation, self.running = True, False
