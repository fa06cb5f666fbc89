"""The phone below the app: Apple's or Google's part of it."""

import secrets

WAIT = 5  # seconds between two looks at the push token


class Phone:
    """Brings pushes to the app that is installed, and tells it when its push token has changed."""

    def __init__(self, world):
        self.world = world
        self.token = secrets.token_hex(16) if world.variant.ios else f"fcm:{secrets.token_hex(16)}"
        self.next = 0
        self.app = None

    async def run(self):
        while True:
            for notification in await self.world.sandbox.notifications(self.token, self.next, WAIT):
                self.next = notification["number"] + 1
                await self.app.on_push(notification["payload"])
            await self.notice_renewal()

    async def notice_renewal(self):
        for device in (await self.world.sandbox.call("GET", "/devices"))["devices"]:
            if device["token"] == self.token and device.get("renewed"):
                self.token = device["renewed"]
                self.app.on_push_token()
                return
