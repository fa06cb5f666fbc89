"""A device: what is installed on it, and what Apple or Google bring it."""

import secrets

import habits
from app import App
from brand import Brand
from store import Store


class Phone:
    """Keeps what survives the app's process, and gets its pushes."""

    def __init__(self, scene, variant):
        self.scene = scene
        self.variant = variant
        self.store = Store()
        self.brand = Brand(variant.platform, scene.clock, scene.sandbox.authority)
        self.token = secrets.token_hex(32) if variant.allows_pushes else None
        self.app = None

    async def launch(self):
        """The user opens the app, or the app starts again."""
        if habits.has("is-a-new-client-at-each-start"):
            self.store.client_id = secrets.token_hex(16)
        self.app = App(self.scene, self)
        await self.app.start()
        return self.app

    async def kill(self):
        """The system ends the process."""
        self.app.sdk.stop()
        await self.scene.sandbox.mark("process-ended", self.store.client_id)

    async def renew_token(self):
        answer = await self.scene.sandbox.call("POST", f"/devices/{self.token}/token")
        self.token = answer["token"]
        self.app.sdk.set_push_token(self.token)

    async def receive(self):
        """Hands each push to the app, as long as the device is on."""
        due = 1
        while self.token:
            for notification in await self.scene.sandbox.notifications(self.token, due, 25):
                due = notification["number"] + 1
                await self.app.on_push(notification["payload"])
