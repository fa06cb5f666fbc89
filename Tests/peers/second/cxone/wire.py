"""How the three SDKs spell what they send."""

from datetime import datetime, timezone
from urllib.parse import urlencode

from store import new_id


class Wire:
    """URLs, headers and bodies of one platform, brand, channel and customer."""

    def __init__(self, platform, settings, store, clock):
        self.platform = platform
        self.settings = settings
        self.store = store
        self.clock = clock
        channel = f"/1.0/brand/{settings.brand}/channel/{settings.channel}"
        self.channel_url = settings.chat_url + channel
        self.availability_url = self.channel_url + "/availability"
        self.analytics_url = f"{settings.chat_url.removesuffix('/chat')}/web-analytics/1.0/tenants/{settings.brand}/visitors"

    @property
    def is_web(self):
        return self.platform.name == "web"

    @property
    def is_android(self):
        return self.platform.name == "android"

    def headers(self, has_body):
        """CXone reference 3.0."""
        if self.is_android:
            return {"Content-Type": "application/json; charset=UTF-8"}
        headers = {"x-sdk-platform": self.platform.name, "x-sdk-version": self.platform.version}
        if self.is_web:
            headers |= {"Accept": "application/json", "X-Caller-Service-ID": "chat-web-sdk", "X-Trace-ID": new_id()}
        if self.is_web or has_body:
            headers["Content-Type"] = "application/json"
        return headers

    def now(self, with_milliseconds=False):
        moment = datetime.fromtimestamp(self.clock.now(), timezone.utc)
        if not with_milliseconds:
            return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        letter = "z" if self.is_android else "Z"  # CXone reference 3.4
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}{letter}"

    def identity(self):
        """iOS leaves out names that it does not know, Android sends them empty (CXone reference 4.5)."""
        names = {"firstName": "", "lastName": ""} if self.is_android else {}
        return names | self.store.customer

    def fingerprint(self):
        """Of the browser, or of the device (CXone reference 5.1)."""
        if self.is_web:
            browser = {"browser": "Firefox", "browserVersion": "143", "country": "", "ip": None, "language": "en-US", "location": "Europe/Berlin"}
            return browser | {"os": "Linux", "osVersion": "", "deviceType": "desktop", "applicationType": "browser"}
        device = {"os": self.platform.system, "osVersion": "18.1", "deviceType": "mobile"}
        return {"country": "US", "language": "en", "applicationType": "native"} | device

    def visitor_url(self):
        return f"{self.analytics_url}/{self.store.visitor}"

    def visitor(self):
        return {"customerIdentity": self.identity(), "browserFingerprint": self.fingerprint()}

    def visitor_event(self, kind, data, visit):
        return {
            "id": new_id(),
            "type": kind,
            "visitId": visit,
            "destination": {"id": self.store.destination},
            "createdAtWithMilliseconds": self.now(with_milliseconds=True),
            "data": data,
        }

    def token_url(self):
        query = {"channelId": self.settings.channel, "brandId": self.settings.brand, "visitorId": self.store.visitor}
        return f"{self.settings.token_url}oauth/token?{urlencode(query)}"

    def anonymous_customer(self):
        """Asks for a transaction token; the types differ (CXone reference C11)."""
        kinds = {"ios": {"type": "anonymous"}, "android": {"type": "Anonymous"}, "web": {}}
        return kinds[self.platform.name] | {"customerIdentity": self.identity()}

    def socket_url(self, transaction_token):
        """CXone reference 4.1."""
        place = {"brandId": self.settings.brand, "channelId": self.settings.channel}
        visitor = {"visitorId": self.store.visitor}
        sdk = {"sdkPlatform": self.platform.name, "sdkVersion": self.platform.version}
        if self.is_web:
            customer = {} if transaction_token else {"customerId": self.store.customer["idOnExternalPlatform"]}
            query = {"v": "1.0"} | sdk | place | customer | visitor
        else:
            query = place | visitor | sdk
        if transaction_token:
            query["transactionToken"] = transaction_token
        return f"{self.settings.socket_url}/?{urlencode(query)}"

    def envelope(self, event_id, event_type, data, action):
        """CXone reference 4.5."""
        says_consumer = self.is_web or event_type in self.platform.says_consumer
        payload = {
            "brand": {"id": int(self.settings.brand)},
            "channel": {"id": self.settings.channel},
            "consumerIdentity" if says_consumer else "customerIdentity": self.identity(),
            "eventType": event_type,
            "visitor": {"id": self.store.visitor},
        }
        if data is not None:
            payload["data"] = data
        if self.is_web:
            payload |= {"destination": {}, "visit": {}}
        return {"action": action, "eventId": event_id, "payload": payload}

    def authorization(self, code):
        """What AuthorizeCustomer says; `code` is `None` where customers are anonymous."""
        data = {"disableChannelInfo": True, "sdkPlatform": self.platform.name, "sdkVersion": self.platform.version}
        if code:
            verifier = {"codeVerifier": code.verifier} if code.verifier else {}
            data["authorization"] = {"authorizationCode": code.value} | verifier
        elif self.platform.name != "ios":
            data["authorization"] = {"authorizationCode": None} if self.is_web else {}
        if self.is_web:
            data["browserFingerprint"] = self.fingerprint()
        return data

    def recovery(self, thread):
        """What RecoverThread and RecoverLivechat say of a thread's id, or of none (CXone reference 5.1)."""
        if self.is_android:
            kind = {"client_type": "thread_id", "idOnExternalPlatform": thread} if thread else {"client_type": "no_thread_id"}
            return {"thread": kind}
        if thread:
            return {"thread": {"idOnExternalPlatform": thread}}
        return self.nothing()

    def nothing(self):
        return {} if self.is_web else None
