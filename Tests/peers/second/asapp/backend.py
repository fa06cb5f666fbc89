"""The brand's backend: what ASAPP posts its pushes to."""

import hmac
import json

import habits
from endpoint import Endpoint
from payloads import for_apple, for_google
from push_service import TokenGone


class Backend:
    """Checks the agreed secret, drops repeats, and forwards each push to the device (ASAPP reference 2.4, ASP-13)."""

    # A middleware with a form of its own, which takes its secret in the header (asapp.openapi.yaml, receivePush).
    MIDDLEWARE = {
        "template": {
            "notification": {"to": "{{deviceToken}}", "heading": "{{title}}", "text": "{{body}}"},
            "data": {"UnreadMessages": "{{unreadMessages}}", "isLiveChat": "{{isLiveChat}}", "click_action": "{{clickAction}}"},
            "reference": "{{messageId}}",
        },
        "headers": {"Authorization": "Bearer {{authToken}}"},
    }

    def __init__(self, world, secret, is_middleware):
        self.world = world
        self.secret = secret
        self.is_middleware = is_middleware
        self.endpoint = Endpoint(self.receive)
        self.forwarded = set()
        self.owners = {}

    async def open(self):
        """Agrees with ASAPP on the endpoint, and on the payload's form."""
        agreed = {"url": await self.endpoint.open(), **(self.MIDDLEWARE if self.is_middleware else {})}
        await self.world.sandbox.call("PATCH", "/tenants/asapp", {"push": agreed})

    def device_is(self, token, owner):
        """The app tells its backend whose device has which token."""
        self.owners[token] = owner

    async def receive(self, headers, body):
        try:
            push = json.loads(body)
            given, token, reference, payload = self.read(headers, push)
        except (ValueError, KeyError, TypeError, AttributeError):
            return 400, {"error": "push-malformed", "message": "The push cannot be read"}
        if not hmac.compare_digest(given.encode(), self.secret.encode()) and not habits.has("trusts-any-caller"):
            return 401, {"error": "push-credentials-refused", "message": "The secret is not the agreed one"}
        if habits.has("answers-late"):
            await self.world.clock.sleep(7 / self.world.clock.scale)
        if token not in self.owners:
            return self.unknown()
        if reference in self.forwarded and not habits.has("forwards-repeats"):
            return 200, {"status": "accepted"}
        # Noted before the push is on its way, since the repeat may come meanwhile.
        self.forwarded.add(reference)
        try:
            await self.forward(token, reference, payload)
        except TokenGone:
            del self.owners[token]
            return self.unknown()
        return 200, {"status": "accepted"}

    def read(self, headers, push):
        """The secret, the device token, the message's id, and what the app gets."""
        if not self.is_middleware:
            return push["authToken"], push["deviceToken"], (push["messageId"], push["deviceToken"]), dict(push["payload"])
        shown, token = push["notification"], push["notification"]["to"]
        payload = {"aps": {"alert": {"title": shown["heading"], "body": shown["text"]}}, **push["data"]}
        return headers.get("authorization", "").removeprefix("Bearer "), token, (push["reference"], token), payload

    async def forward(self, token, reference, payload):
        if habits.has("drops-the-unread-messages"):
            payload.pop("UnreadMessages", None)
        form = for_apple if self.world.variant.platform == "ios" else for_google
        self.world.push_service.deliver(token, form(payload))
        self.world.report("push-forwarded", self.owners[token], to=token, messageId=reference[0], unreadMessages=payload.get("UnreadMessages"))

    @staticmethod
    def unknown():
        if habits.has("accepts-unknown-devices"):
            return 200, {"status": "accepted"}
        return 404, {"error": "device-unknown", "message": "No device has this token"}

    def close(self):
        self.endpoint.close()
