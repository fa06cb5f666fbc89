"""The phone: its disk, its push token, and what its push service hands to the app."""

import base64
import json
import secrets
import threading

import requests


class Phone:
    """One device of a person. A process that ends leaves the disk and the token."""

    def __init__(self, world, name, platform, backend):
        self.world, self.name, self.platform, self.backend = world, name, platform, backend
        self.disk = {}
        self.token = self.first_token()
        self.app = None
        if backend:
            backend.knows(self)
        if platform != "web":
            threading.Thread(target=self._listen, daemon=True).start()

    def first_token(self):
        if self.platform == "android":
            # The brand's middleware made it: a signed token that names the installation and nobody.
            parts = [{"alg": "HS256", "typ": "JWT"}, {"installation": secrets.token_hex(16)}]
            encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
            jwt = ".".join(encoded + [secrets.token_urlsafe(32)])
            return base64.b64encode(jwt.encode()).decode()
        return secrets.token_bytes(32).hex()

    def _listen(self):
        """Stand for APNs or Firebase: hand each notification to the app, in order, as it comes."""
        since, http = 0, requests.Session()
        while True:
            for notification in self.world.inbox(self.token, since + 1, 0.4, http):
                since = notification["number"]
                # With a backend of our own ASAPP's pushes come from there; the mock's copy is nobody's.
                if not (self.backend and notification.get("vendor")):
                    self.hand_over(notification["payload"])

    def hand_over(self, payload):
        if self.app:
            self.app.receive(payload)

    def watch_for_a_new_token(self, seconds):
        """Wait until the system tells the app that its token has changed."""
        def renewed():
            return next((device["renewed"] for device in self.world.devices()
                         if device["token"] == self.token and device.get("renewed")), None)
        new = self.world.wait_until(renewed, seconds, "a new device token")
        old, self.token = self.token, new
        if self.backend:
            self.backend.forgets(old)
            self.backend.knows(self)
        self.app.device_token_changed()
