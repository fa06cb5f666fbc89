"""How each SDK writes its events."""

import json

CONSUMER_EVENTS = {
    "ios": {"ReconnectCustomer", "RefreshToken", "SendOutbound", "EndContact", "SendTranscript"},
    "android": {"ReconnectConsumer", "RefreshToken", "SendOutbound", "EndContact", "ExecuteTrigger", "StoreVisitorEvents"},
}
WEB_NAMES = {"ReconnectCustomer": "ReconnectConsumer", "MessageSeenByCustomer": "MessageSeenByConsumer",
             "SetContactCustomFields": "SetConsumerContactCustomFields", "SetCustomerCustomFields": "SetConsumerCustomFields"}


class Wire:
    """Builds the frames of one app."""

    def __init__(self, platform, variant, ids, customer):
        self.platform = platform
        self.variant = variant
        self.ids = ids
        self.customer = customer

    def name(self, event):
        """The event's name in this SDK."""
        if self.platform.name == "web":
            return WEB_NAMES.get(event, event)
        return "ReconnectConsumer" if self.platform.name == "android" and event == "ReconnectCustomer" else event

    def identity(self):
        """The customer, as this SDK names them."""
        told = {"idOnExternalPlatform": self.customer["id"]}
        first, last = self.customer.get("first"), self.customer.get("last")
        if self.platform.name == "android":
            return dict(told, firstName=first or "", lastName=last or "")
        if first:
            told["firstName"] = first
        if last:
            told["lastName"] = last
        return told

    def frame(self, event, event_id, data=None):
        """An event in its envelope."""
        event = self.name(event)
        web = self.platform.name == "web"
        consumer = web or event in CONSUMER_EVENTS[self.platform.name]
        payload = {"brand": {"id": int(self.ids["brand"])}, "channel": {"id": self.ids["channel"]},
                   "consumerIdentity" if consumer else "customerIdentity": self.identity(), "eventType": event}
        if data is not None:
            payload["data"] = data
        payload["visitor"] = {"id": self.ids["visitor"]}
        if web:
            payload["destination"] = {}
            payload["visit"] = {}
        action = "register" if event == "AuthorizeCustomer" else "chatWindowEvent"
        return self.text({"action": action, "eventId": event_id, "payload": payload})

    def text(self, value):
        """A value in JSON, in the variant's order."""
        if self.variant.habit == "other-order":
            value = self.shuffled(value, extra=True)
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    def shuffled(self, value, extra=False):
        """The same members in another order, with some unknown ones."""
        if isinstance(value, list):
            return [self.shuffled(item) for item in value]
        if not isinstance(value, dict):
            return value
        pairs = [(name, self.shuffled(item, extra and name in ("payload", "data"))) for name, item in value.items()]
        if extra:
            pairs.append(("x-app-build", {"number": 42, "tags": ["beta", None]}))
        self.variant.draw.shuffle(pairs)
        return dict(pairs)

    def fingerprint(self):
        """The device or browser."""
        if self.platform.name == "web":
            return {"browser": "Chrome", "browserVersion": "130", "country": "", "ip": None, "language": "en-US", "location": "Europe/Prague",
                    "os": "Mac OS", "osVersion": "10.15.7", "deviceType": "desktop", "applicationType": "browser"}
        ios = self.platform.name == "ios"
        return {"country": "US", "language": "en", "applicationType": "native", "os": "iOS" if ios else "Android",
                "osVersion": "18.1" if ios else "15", "deviceType": "mobile"}

    def authorization(self, code, verifier):
        """The data of AuthorizeCustomer."""
        if self.platform.name == "web":
            return {"authorization": {"authorizationCode": code}, "browserFingerprint": self.fingerprint(), "disableChannelInfo": True,
                    "sdkVersion": self.platform.version, "sdkPlatform": "web"}
        data = {"disableChannelInfo": True, "sdkPlatform": self.platform.name, "sdkVersion": self.platform.version}
        if code:
            data["authorization"] = {"authorizationCode": code, "codeVerifier": verifier}
        elif self.platform.name == "android":
            data["authorization"] = {}
        return data

    def recovery(self, thread_id):
        """The data of RecoverThread and RecoverLivechat."""
        if self.platform.name == "android":
            return {"thread": {"client_type": "thread_id", "idOnExternalPlatform": thread_id} if thread_id else {"client_type": "no_thread_id"}}
        if thread_id:
            return {"thread": {"idOnExternalPlatform": thread_id}}
        return {} if self.platform.name == "web" else None

    def list_data(self):
        """The data of FetchThreadList."""
        return {} if self.platform.name == "web" else None

    def thread(self, thread, named=False):
        """A thread, with its name where this SDK tells it."""
        told = {"idOnExternalPlatform": thread.id}
        if named and self.platform.name == "ios" and thread.state != "pending":
            told["threadName"] = thread.name
        return told

    def fields(self, pairs, now):
        """Custom fields."""
        if self.platform.name == "web":
            return [{"ident": ident, "value": value} for ident, value in pairs.items()]
        return [{"ident": ident, "value": value, "updatedAt": self.platform.short_date(now)} for ident, value in pairs.items()]

    def content(self, text, parameters=None, postback=None):
        """A text as message content."""
        if self.platform.name == "web":
            return {"type": "TEXT", "payload": {"text": text}}
        return {"type": "TEXT", "payload": {"text": text}, "postback": postback, "parameters": parameters or {}}

    def message(self, thread, message_id, content, fields, now, token):
        """The data of SendMessage."""
        contact = {"customFields": self.fields(fields, now)}
        data = {"thread": self.thread(thread, named=True), "messageContent": content, "idOnExternalPlatform": message_id}
        if self.platform.name == "web":
            data.update({"browserFingerprint": self.fingerprint(), "consumer": {"customFields": []}, "consumerContact": contact})
        else:
            data.update({"customer": {"customFields": []}, "contact": contact, "deviceFingerprint": self.fingerprint()})
        data["attachments"] = []
        if token:
            data["accessToken"] = {"token": token}
        return data

    def outbound(self, thread, message_id, text, fields, now, token):
        """The data of SendOutbound."""
        data = {"thread": self.thread(thread), "messageContent": self.content(text), "idOnExternalPlatform": message_id,
                "consumerContact": {"customFields": self.fields(fields, now)}, "attachments": [], "browserFingerprint": self.fingerprint()}
        if self.platform.name != "ios":
            data["consumer"] = {"customFields": []}
        if token:
            data["accessToken"] = {"token": token}
        return data
