"""A phone: the system below the app."""

import base64
import json
import secrets


class Phone:
    """Has a device token, a store that outlives the app's process, and an inbox for pushes."""

    LOOKS = 4.0

    def __init__(self, world, name):
        self.world = world
        self.name = name
        self.token = self.new_token()
        self.store = {}
        self.app = None
        self.arrived = []
        self.is_told_elsewhere = world.variant.has_backend
        world.push_service.connect(self)

    def new_token(self):
        """APNs gives 32 bytes, FCM a longer string; the brand may also make a token of its own (Push Notifications, Device Token)."""
        kind = self.world.variant.device_token
        if kind == "own":
            parts = ({"alg": "none"}, {"device": secrets.token_hex(8)})
            return base64.b64encode(b".".join(base64.urlsafe_b64encode(json.dumps(part).encode()) for part in parts) + b".").decode()
        return secrets.token_hex(32) if kind == "apns" else f"{secrets.token_urlsafe(16)}:APA91b{secrets.token_urlsafe(64)}"

    async def watch_inbox(self):
        """What the mock has for the device. Where the brand has a backend, ASAPP's pushes come by way of that instead."""
        last = 0
        while True:
            for notification in await self.world.sandbox.notifications(self.token, last + 1, 20):
                last = notification["number"]
                if not (self.is_told_elsewhere and notification.get("vendor")):
                    self.arrive(notification["payload"])

    async def watch_token(self):
        """The system has another token for the device, as after a restore."""
        while True:
            await self.world.clock.sleep(self.LOOKS)
            listed = (await self.world.sandbox.call("GET", "/devices"))["devices"]
            renewed = next((device.get("renewed") for device in listed if device["token"] == self.token), None)
            if renewed:
                self.world.push_service.renew(self, renewed)
                self.token = renewed
                if self.app:
                    self.app.device_token_changed()
                self.world.changed()

    def arrive(self, payload):
        """The system shows the push, and gives it to the app if its process is alive."""
        self.arrived.append(payload)
        if self.app:
            self.app.push_arrived(payload)
        self.world.changed()
