"""The vendor's HTTP interface as one installation of the SDK speaks it (Khoros reference 1.3)."""

import base64
import json
from dataclasses import dataclass, field

import habits
from shared.pool import NetworkError, Pool
from shared.sandbox import Sandbox

DEVICES = {
    "ios": {"os": "iOS", "osVersion": "17.4", "devicePlatform": "iPhone15,2", "buildNumber": "77"},
    "android": {"os": "Android", "osVersion": "14", "devicePlatform": "Pixel 8", "installer": "com.android.vending"},
    "web": {"os": "macOS", "osVersion": "14.4", "devicePlatform": "Safari"},
}
APP_VERSION = "1.4.2"
SDK_VERSION = "1.0.0"


@dataclass(frozen=True)
class Answer:
    """What came of a request; status 0 is no answer at all."""

    status: int
    body: dict = field(default_factory=dict)
    retry_after: float = 0

    @property
    def good(self):
        return 200 <= self.status < 300

    @property
    def code(self):
        return self.body.get("error", {}).get("code", "") if not self.good else ""

    @property
    def overloaded(self):
        return self.status == 429 or self.status >= 500


class Wire:
    """Sends requests with the headers of this installation."""

    def __init__(self, platform, store, clock, limit, allows_pushes, authority):
        self.platform = platform
        self.store = store
        self.pool = Pool(authority, limit * clock.scale)
        self.allows_pushes = allows_pushes
        self.service = Sandbox.setting("KHOROS_SERVICE_BASE_URL").rstrip("/")
        self.integration_id = Sandbox.setting(f"KHOROS_{platform.upper()}_INTEGRATION_ID")
        self.app_id = None

    def configure(self, config):
        """All further calls go where the configuration says (Khoros reference 1.2)."""
        self.app_id = config["app"]["_id"]
        self.service = config["baseUrl"][self.platform].rstrip("/")

    def client(self, push_token=None):
        """The installation, as each login, creation and logout describes it (Khoros reference 1.4)."""
        info = {**DEVICES[self.platform], "appName": "Shop", "appId": "com.example.shop", "sdkVersion": SDK_VERSION, "vendor": "khoros"}
        client = {
            "id": self.store.client_id,
            "integrationId": self.integration_id,
            "platform": self.platform,
            "appVersion": APP_VERSION,
            "info": info,
        }
        return {**client, "pushNotificationToken": push_token} if push_token else client

    def author(self):
        return {"role": "appUser", "appUserId": self.store.app_user_id, "client": self.client()}

    def headers(self):
        device = DEVICES[self.platform]
        headers = {
            "Content-Type": "application/json",
            "x-smooch-sdk": f"{self.platform}/khoros/{SDK_VERSION}",
            "x-smooch-clientid": self.store.client_id,
            "x-smooch-appname": "Shop",
            "x-smooch-push": "enabled" if self.allows_pushes else "disabled",
            "User-Agent": f"Shop/{APP_VERSION} ({device['devicePlatform']}; {device['os']} {device['osVersion']})",
        }
        if self.app_id:
            headers["x-smooch-appid"] = self.app_id
        if self.platform != "android":
            headers["Accept"] = "application/json"
        return headers

    def authorization(self):
        """The user's JWT; the session of an anonymous user; or nothing."""
        keeps_session = habits.has("keeps-the-session-after-the-login") and self.store.session_token
        if self.store.jwt and not keeps_session:
            return {"Authorization": f"Bearer {self.store.jwt}"}
        if self.store.session_token:
            session = f"{self.store.app_user_id}:{self.store.session_token}"
            return {"Authorization": f"Basic {base64.b64encode(session.encode()).decode()}"}
        return {}

    async def send(self, method, path, body):
        """The vendor's answer. It never raises for what the network does."""
        headers = {**self.headers(), **self.authorization()}
        content = json.dumps(body).encode() if body is not None else None
        try:
            response = await self.pool.call(method, self.service + path, content=content, headers=headers)
        except NetworkError:
            return Answer(0)
        try:
            read = json.loads(response.content) if response.content else {}
        except ValueError:
            read = {}
        waits = response.headers.get("Retry-After", "")
        return Answer(response.status_code, read if isinstance(read, dict) else {}, float(waits) if waits.isdigit() else 0)
