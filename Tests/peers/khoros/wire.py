"""Calls to the vendor: headers, credentials, and what the SDK does when a JWT is refused."""

import base64
import threading

import requests

MOST_REPEATS = 5
VERSION = "1.0.0"
ORIGIN = "https://shop.example"
NOT_SAFE = {"authorization", "content-type"}
USER_AGENTS = {
    "ios": "Shop/1.4.2 (iPhone15,2; iOS 17.4)",
    "android": "Shop/1.4.2 (Google Pixel 8; Android 14)",
    "web": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
}


class Refused(Exception):
    """A call that the server did not take."""

    def __init__(self, method, path, status, code):
        super().__init__(f"{method} {path}: {status} {code}")
        self.status = status
        self.code = code


class Wire:
    def __init__(self, world, client_id):
        self.world = world
        self.variant = world.variant
        self.client_id = client_id
        self.app_id = None
        self.jwt = None
        self.session = None  # (appUserId, sessionToken) of an anonymous user
        self.push_enabled = False
        self.on_invalid_token = None  # the app's delegate: () -> JWT
        self.on_new_jwt = lambda path: None
        self.preflights = set()
        self.connections = threading.local()

    def call(self, method, url, body=None, files=None, query=None):
        """Make a call. If its JWT is refused, ask the app for another one and repeat this call, five times at most."""
        repeats = 0
        while True:
            try:
                return self.send(method, url, body, files, query)
            except Refused as refusal:
                if repeats == MOST_REPEATS or not self.asks_for_jwt(refusal):
                    raise
                repeats += 1
                self.jwt = self.on_invalid_token()
                self.on_new_jwt(url)

    def asks_for_jwt(self, refusal):
        if not self.jwt or not self.on_invalid_token:
            return False
        if self.variant.trigger == "code":
            return refusal.code == "invalid_auth"
        if self.variant.trigger == "status":
            return refusal.status == 401
        return refusal.status == 401 and refusal.code == "invalid_auth"

    def send(self, method, url, body, files, query):
        if not hasattr(self.connections, "kept"):
            self.connections.kept = requests.Session()
            self.connections.kept.trust_env = False
            self.connections.kept.verify = self.world.certificates or True
        # Half a second is the machine's share; the rest is the platform's limit.
        headers = self.headers(files)
        if self.variant.browser:
            self.preflight(method, url, headers)
        limit = self.world.real(self.variant.limit) + 0.5
        answer = self.connections.kept.request(
            method, url, headers=headers, json=body, files=files, params=query, timeout=limit, allow_redirects=False)
        if 200 <= answer.status_code < 300:
            return answer.json() if answer.content else None
        try:
            code = answer.json()["error"]["code"]
        except (ValueError, KeyError, TypeError):
            code = ""
        raise Refused(method, url, answer.status_code, code)

    def preflight(self, method, url, headers):
        """A browser asks once for each call whether the page may make it."""
        headers["Origin"] = ORIGIN
        if (method, url) in self.preflights:
            return
        named = sorted(name.lower() for name in headers if name.lower() in NOT_SAFE or name.startswith("x-"))
        asked = {"Origin": ORIGIN, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": ",".join(named)}
        answer = self.connections.kept.request("OPTIONS", url, headers=asked, timeout=10)
        allowed = {name.strip().lower() for name in answer.headers.get("Access-Control-Allow-Headers", "").split(",")}
        if not answer.ok or answer.headers.get("Access-Control-Allow-Origin") != ORIGIN or not allowed.issuperset(named):
            raise OSError(f"the browser blocks {method} {url}: {answer.status_code} {dict(answer.headers)}")
        self.preflights.add((method, url))

    def headers(self, files):
        platform = self.variant.platform
        headers = {
            "x-smooch-sdk": f"{platform}/khoros/{VERSION}",
            "x-smooch-clientid": self.client_id,
            "x-smooch-appname": "Shop",
            "x-smooch-push": "enabled" if self.push_enabled else "disabled",
            "User-Agent": USER_AGENTS[platform],
            "Accept": None if platform == "android" else "application/json",
        }
        if not files:
            headers["Content-Type"] = "application/json"
        if self.app_id:
            headers["x-smooch-appid"] = self.app_id
        authorization = self.authorization()
        if authorization:
            headers["Authorization"] = authorization
        return headers

    def authorization(self):
        if self.jwt:
            return f"Bearer {self.jwt}"
        if self.session:
            return "Basic " + base64.b64encode(":".join(self.session).encode()).decode()
        return None
