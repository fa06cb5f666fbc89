"""Brand Messenger: configuration, login, conversations, messages, push token, logout."""

import json
import secrets
from urllib.parse import urlparse

import requests

from wire import Refused, Wire

INFO = {
    "ios": {"os": "iOS", "osVersion": "17.4", "devicePlatform": "iPhone15,2", "appName": "Shop", "appId": "com.example.shop",
            "sdkVersion": "1.0.0", "vendor": "khoros", "buildNumber": "77"},
    "android": {"os": "Android", "osVersion": "14", "devicePlatform": "Pixel 8", "appName": "Shop", "appId": "com.example.shop",
                "sdkVersion": "1.0.0", "vendor": "khoros", "carrier": "Carrier", "installer": "com.android.vending"},
    "web": {"sdkVersion": "1.0.0", "vendor": "khoros", "appName": "Shop"},
}
# Until the configuration is there, the SDK's own policy holds.
FIRST_POLICY = {"intervals": {"regular": 60, "aggressive": 15}, "backoffMultiplier": 2, "maxRetries": 5}


class Inactive(Exception):
    """The configuration says that the app is not to be used (the SDK's own error invalid_app)."""


class Messenger:
    def __init__(self, world, integration_id, service_base_url):
        self.world = world
        self.variant = world.variant
        self.integration_id = integration_id
        self.service_base_url = service_base_url.rstrip("/")
        client_id = secrets.token_hex(16)
        self.wire = Wire(world, client_id.upper() if self.variant.platform == "ios" else client_id)
        self.wire.on_new_jwt = self.take_new_jwt
        self.renewals = 0  # how often a JWT was replaced
        self.policy = FIRST_POLICY
        self.push_token = None  # what the device has
        self.push_token_told = None  # what the server knows
        self.forget_user()

    def forget_user(self):
        self.wire.jwt = self.wire.session = None
        self.user_id = self.app_user_id = self.conversation_id = self.settings = None
        self.known_conversations = []

    # ---- start

    def configure(self):
        url = f"{self.service_base_url}/sdk/v2/integrations/{self.integration_id}/config"
        config = self.retried(lambda: self.wire.call("GET", url))["config"]
        base = config["baseUrl"][self.variant.platform].rstrip("/")
        if config["app"]["status"] != "active" or urlparse(base).hostname == "localhost":
            raise Inactive()
        self.wire.app_id = config["app"]["_id"]
        self.policy = config["restRetryPolicy"]
        self.base = f"{base}/v2/apps/{self.wire.app_id}"

    def retried(self, attempt):
        """Login and start are repeated on 429 and 5xx, as the configuration says."""
        repeats = 0
        while True:
            try:
                return attempt()
            except Refused as refusal:
                if not (refusal.status == 429 or refusal.status >= 500) or repeats == self.policy["maxRetries"]:
                    raise
            self.world.wait(self.policy["intervals"]["aggressive"] * self.policy["backoffMultiplier"] ** repeats)
            repeats += 1

    # ---- users

    def client(self):
        client = {"id": self.wire.client_id, "integrationId": self.integration_id, "platform": self.variant.platform,
                  "appVersion": "1.4.2", "info": INFO[self.variant.platform]}
        if self.push_token:
            client["pushNotificationToken"] = self.push_token
        return client

    def log_in(self, user_id, jwt):
        """Log in with the brand's JWT. An anonymous user comes along. An empty answer is success: the user is made later."""
        body = {"userId": user_id, "client": self.client()}
        if self.wire.session:
            body["appUserId"], body["sessionToken"] = self.wire.session
        self.wire.jwt = jwt
        bundle = self.retried(lambda: self.wire.call("POST", f"{self.base}/login", body))
        self.wire.session = None
        self.user_id = user_id
        if bundle:
            self.push_token_told = self.push_token
            self.take_user(bundle)

    def take_user(self, bundle):
        self.app_user_id = bundle["appUser"]["_id"]
        self.settings = bundle["settings"]
        if bundle.get("sessionToken") and not self.wire.jwt:
            self.wire.session = (self.app_user_id, bundle["sessionToken"])
        self.take_conversations(bundle["conversations"])

    def take_conversations(self, conversations):
        self.known_conversations = conversations
        newest = max(conversations, key=lambda one: one.get("lastUpdatedAt", 0), default=None)
        self.conversation_id = newest["_id"] if newest else None

    def create_user(self, message, name=None):
        """Make the user with the first message: the JWT's user, or without a JWT an anonymous one."""
        body = {"client": self.client(), "intent": "message:appUser", "conversation": {"type": "personal", "messages": [message]}}
        if self.user_id:
            body["userId"] = self.user_id
            body["givenName"] = name
        self.take_user(self.wire.call("POST", f"{self.base}/appusers", body))
        self.push_token_told = self.push_token

    def redeem_code(self, code):
        """A user of another channel comes in by an auth code and gets a session."""
        user = self.wire.call("POST", f"{self.base}/appusers/authcode", {"authCode": code, "client": self.client()})["appUser"]
        self.app_user_id = user["_id"]
        self.wire.session = (user["_id"], user["sessionToken"])

    def read_user(self):
        self.take_user(self.wire.call("GET", self.user_path()))

    def update_user(self, profile):
        self.wire.call("PUT", self.user_path(), profile)

    def user_path(self):
        return f"{self.base}/appusers/{self.app_user_id}"

    def log_out(self):
        client = {"id": self.wire.client_id} if self.variant.platform == "ios" else self.client()
        self.wire.call("POST", f"{self.user_path()}/logout", {"client": client})
        self.push_token_told = None
        self.forget_user()

    def tell_push_token(self):
        """Send a changed push token. If that fails, the copy is forgotten, so that the token is sent again later."""
        if not self.app_user_id or not self.push_token or self.push_token == self.push_token_told:
            return True
        body = {"pushNotificationToken": self.push_token}
        if self.variant.platform == "ios":
            body["integrationId"] = self.integration_id
        try:
            self.wire.call("PUT", f"{self.user_path()}/clients/{self.wire.client_id}", body)
        except (Refused, requests.RequestException):
            self.push_token_told = None
            return False
        self.push_token_told = self.push_token
        return True

    def take_new_jwt(self, refused_url):
        """The app has given a new JWT. Some apps log in with it before the refused call is repeated."""
        self.renewals += 1
        if self.variant.relogs_in and not refused_url.endswith("/login"):
            self.log_in(self.user_id, self.wire.jwt)

    # ---- conversations

    def author(self):
        return {"role": "appUser", "appUserId": self.app_user_id, "client": self.client()}

    def conversation_path(self, tail=""):
        return f"{self.base}/conversations/{self.conversation_id}{tail}"

    def list_conversations(self):
        """All pages, the newest first."""
        conversations, more = [], True
        while more:
            query = {"offset": len(conversations)} if conversations else None
            page = self.wire.call("GET", f"{self.user_path()}/conversations", query=query)
            conversations += page["conversations"]
            more = page["conversationsPagination"]["hasMore"] and page["conversations"]
        self.take_conversations(conversations)

    def create_conversation(self, message):
        body = {"type": "personal", "messages": [message], "client": self.client()}
        answer = self.wire.call("POST", f"{self.user_path()}/conversations", body)
        self.conversation_id = answer["conversation"]["_id"]
        return answer["messages"]

    def subscribe_conversation(self):
        return self.wire.call("POST", self.conversation_path("/subscribe"), {"author": self.author()})["messages"]

    def fetch_messages(self):
        tail = "" if self.variant.reads_conversation else "/messages"
        return self.wire.call("GET", self.conversation_path(tail))["messages"]

    def send_message(self, message, name=None):
        """Send a message; the first one makes the user or the conversation, if there is none yet."""
        if not self.app_user_id:
            return self.create_user(message, name)
        if not self.conversation_id:
            return self.create_conversation(message)
        return self.wire.call("POST", self.conversation_path("/messages"), {"message": message, "author": self.author()})["messages"]

    def send_file(self, name, media_type, content):
        parts = {
            "author": (None, json.dumps(self.author()), "application/json"),
            "message": (None, json.dumps({"role": "appUser", "type": "image"}), "application/json"),
            "source": (name, content, media_type),
        }
        self.wire.call("POST", self.conversation_path("/files"), files=parts)

    def report(self, activity):
        self.wire.call("POST", self.conversation_path("/activity"), {"activity": {"type": activity}, "author": self.author()})
