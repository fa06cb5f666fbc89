"""The brand's app on one device: its screens, its user's JWTs, and what it does with pushes."""

import asyncio

import habits
from brand import BrandFailed
from messenger import Messenger
from stage import Refused

# An app that logs in early does so where the JWT ends within so many seconds.
SOON = 30


class App:
    """Sits above the SDK and never touches the wire."""

    def __init__(self, scene, phone):
        self.scene = scene
        self.phone = phone
        self.variant = phone.variant
        self.brand = phone.brand
        self.changed = asyncio.Event()
        self.screen_is_shown = False
        self.in_foreground = True
        self.renewing = None
        self.sdk = Messenger(self.variant, scene.clock, phone.store, scene.sandbox.authority, self, scene.failed)

    async def mark(self, name, **members):
        await self.scene.sandbox.mark(name, self.phone.store.client_id, **members)

    async def start(self):
        await self.mark("started")
        self.sdk.set_push_token(self.phone.token)
        await self.attempt(self.sdk.start())

    async def attempt(self, promise):
        """Whether it succeeded; if not, the user sees that the chat is unavailable."""
        try:
            await promise
            return True
        except Refused:
            if not habits.has("gives-up-in-silence"):
                await self.mark("gave-up")
            return False

    # The user's account.

    async def sign_in(self, user):
        """Signs in at the brand and logs in to the messenger."""
        await self.brand.sign_in(user)
        return await self.log_in()

    async def log_in(self):
        # While the conversation is on display the SDK refuses logins (Khoros reference 1.6).
        self.screen_is_shown = False
        jwt = await self.brand.get_jwt()
        user_id = self.brand.person.user_id
        if habits.has("makes-up-a-user-id"):
            user_id += f"-{self.phone.store.client_id[:6]}"
        return await self.attempt(self.sdk.login(user_id, jwt))

    async def sign_out(self):
        self.screen_is_shown = False
        await self.attempt(self.sdk.logout())
        self.brand.sign_out()

    async def on_invalid_token(self):
        """The SDK's delegate. Calls that fail together share one new JWT (KBM-08)."""
        if habits.has("keeps-the-dead-jwt"):
            return self.phone.store.jwt
        if not self.renewing or self.renewing.done() or habits.has("asks-the-brand-for-each-call"):
            self.renewing = asyncio.ensure_future(self.brand.get_jwt())
        try:
            return await asyncio.shield(self.renewing)
        except BrandFailed:
            return None

    def on_reauthenticated(self):
        """A conversation on display is reconnected (Re-authenticating on Conversation screen)."""
        if self.screen_is_shown:
            self.sdk.machine.start(self.display())
            self.sdk.read_messages()

    # The conversation screen.

    async def show(self):
        if self.variant.logs_in_early and self.brand.person and self.brand.expires - self.scene.clock.now() < SOON:
            await self.log_in()
        self.screen_is_shown = True
        await self.display()

    async def display(self):
        if self.sdk.conversation:
            await self.mark("conversation-shown", conversation=self.sdk.conversation.id)
            if self.sdk.conversation.unread:
                self.say_read()

    def say_read(self):
        if not habits.has("never-says-read"):
            self.sdk.report_activity("conversation:read")

    async def write(self, text):
        """Whether it was sent."""
        known = self.sdk.conversation
        if self.variant.tells_of_typing:
            self.sdk.report_activity("typing:start")
        jwt = self.phone.store.jwt
        sent = await self.attempt(self.sdk.send(text))
        if habits.has("sends-again-after-reauthentication") and self.phone.store.jwt != jwt:
            await self.sdk.send(text)
        if self.variant.tells_of_typing:
            self.sdk.report_activity("typing:stop")
        if not known and self.screen_is_shown:
            await self.display()
        return sent

    def on_message(self, message):
        self.changed.set()
        if message["role"] == "appMaker" and self.screen_is_shown and self.in_foreground:
            self.say_read()

    def texts(self):
        return self.sdk.conversation.texts() if self.sdk.conversation else []

    async def sees(self, text, within=60):
        """Waits until the conversation has the text, once."""

        async def appears():
            while text not in self.texts():
                self.changed.clear()
                await self.changed.wait()

        try:
            await self.scene.clock.within(within, appears())
        except TimeoutError:
            raise RuntimeError(f"'{text}' does not arrive; there is {self.texts()}") from None
        if self.texts().count(text) > 1:
            raise RuntimeError(f"'{text}' is shown twice")

    # The app among others.

    async def leave(self):
        self.in_foreground = False
        await self.mark("backgrounded")
        await self.sdk.enter_background()

    async def come_back(self):
        self.in_foreground = True
        await self.mark("foregrounded")
        await self.sdk.enter_foreground()
        if self.screen_is_shown:
            await self.display()

    async def on_push(self, payload):
        """Only what carries the vendor's mark is the vendor's (Khoros reference 1.8). All else is the shop's own."""
        data = payload if self.variant.platform == "ios" else payload.get("data", {})
        if self.is_vendors(data):
            # In the foreground no notification is shown: the socket brings the message, or it is read.
            if not self.in_foreground or habits.has("shows-pushes-in-the-foreground"):
                await self.mark("push-shown", conversation=data.get("conversationId", "unknown"))
            elif not self.sdk.is_subscribed:
                self.sdk.read_messages()
        else:
            self.scene.offers.append(payload)
            await self.mark("push-shown")

    def is_vendors(self, data):
        if habits.has("takes-every-push-for-khoros"):
            return True
        if self.variant.platform == "ios":
            return "SmoochNotification" in data
        return data.get("smoochNotification") == "true"
