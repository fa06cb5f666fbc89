"""The brand's app: one process of it, with its screen, its SDK, and what the user can do."""

import asyncio
from urllib.parse import urlsplit

from access import Access
from account import Account
from controller import AuthorizationController
from events import Authorized
from gateway import Gateway
from screen import Screen
from sdk import TalkdeskSDK
from shared.pool import Pool
from shared.sandbox import Sandbox


class App:
    """Lives until `die`; the store outlives it."""

    def __init__(self, world, person, device, store):
        self.world = world
        self.person = person
        self.device = device
        self.store = store
        self.app_id = urlsplit(Sandbox.setting("TALKDESK_APP_TOKEN_URL")).path.rsplit("/", 1)[-1]
        self.pool = Pool(world.sandbox.authority, 60 * world.clock.scale)  # URLSession's limit (Talkdesk reference 3.2)
        self.screen = Screen(world.clock)
        self.account = Account(self.pool, store, person)
        access = Access(self.pool, self.account, world.variant, world.habits, world.own_address)
        self.controller = AuthorizationController(world.clock, access, self.report, world.variant, world.habits)
        self.sdk = TalkdeskSDK(world.clock, Gateway(self.pool), self.controller, self, world.variant, world.habits)
        self.controller.sdk = self.sdk
        self.running = asyncio.create_task(self.sdk.run())

    async def report(self, mark, **members):
        if self.world.variant.signs_in:
            lane = self.person
        else:
            lane = "talkdesk.fetchAccess" if self.world.variant.platform == "ios" else "talkdesk.fetchAppToken"
        await self.world.sandbox.mark(mark, lane, device=self.device, **members)

    async def launch(self):
        await self.report("started")
        if self.world.variant.signs_in:
            await self.account.sign_in()
        if self.world.variant.fetches_ahead:
            self.controller.fetch_ahead()

    async def die(self):
        self.controller.cancel()
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)
        await self.pool.close()

    # What the user does.

    def open_chat(self):
        self.screen.show(state="opening", notice="", sent=[], unsent=[], received=[])
        self.sdk.start(self.app_id, "support")

    def return_to_chat(self):
        """After a new start of the app: goes on with the interaction that was open."""
        self.screen.show(state="open", notice="")
        self.sdk.resume(self.store["interaction"])

    def say(self, text):
        self.screen.show(unsent=[other for other in self.screen.unsent if other != text])
        self.sdk.say(text)

    def pull_to_refresh(self):
        self.sdk.read()

    def close_chat(self):
        self.sdk.end()

    async def leave(self):
        self.sdk.move(to_front=False)
        await self.report("backgrounded")

    async def come_back(self):
        await self.report("started")
        self.sdk.move(to_front=True)

    # What the phone delivers.

    def receive_push(self, payload):
        """The brand sends no tokens by push, so whatever bears one is somebody else's (Talkdesk reference 3.1)."""
        if self.world.habits.has("token-from-any-push") and "auth_token" in payload:
            self.sdk.authorize(Authorized(payload["auth_token"]))

    # What the SDK tells.

    def interaction_started(self, interaction):
        self.store["interaction"] = interaction
        self.screen.show(state="open")

    def interaction_read(self, messages):
        self.screen.show(received=[message["text"] for message in messages if message["author"] != "person"])

    def message_sent(self, text):
        self.screen.show(sent=[*self.screen.sent, text])

    def message_failed(self, text):
        self.screen.show(unsent=[*self.screen.unsent, text], notice="That was not sent.")

    def interaction_finished(self, state, reason):
        self.store.pop("interaction", None)
        if self.world.variant.cancels_fetches and state == "failed":
            self.controller.cancel()
        self.screen.show(state=state, notice=reason)

    async def authorization_timed_out(self):
        await self.report("timed-out")

    async def gave_up(self):
        await self.report("gave-up")
