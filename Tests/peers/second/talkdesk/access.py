"""How the app calls its backend for an access token (Talkdesk reference 3.3)."""

from basic import basic
from shared.pool import NetworkError
from shared.sandbox import Sandbox


class Denied(Exception):
    """There is no token, whatever the reason. `wait` says for how many seconds the backend wants to be left alone."""

    def __init__(self, reason, wait=0):
        super().__init__(reason)
        self.wait = wait


class Access:
    """The backend that is built into the mock, or the brand's own."""

    def __init__(self, pool, account, variant, habits, own_address):
        self.pool = pool
        self.account = account
        self.variant = variant
        self.habits = habits
        self.own_address = own_address

    async def fetch(self, after_refusal):
        """The token. Raises `Denied`. `after_refusal`: the gateway refused the last one, which a backend of our own that caches has to know."""
        method, address, success = self.request()
        options = {"params": {"fresh": "1"}} if after_refusal and self.own_address else {}
        try:
            answer = await self.pool.call(method, address, headers=self.headers(), **options)
        except NetworkError as error:
            raise Denied("No network") from error
        if answer.status_code != success:
            raise Denied("Not authorized", int(answer.headers.get("Retry-After", 0)))
        token = self.token(answer)
        if not token:
            raise Denied("Unable to parse the response from the server")
        return token

    def request(self):
        if self.variant.platform == "ios":
            return "GET", f"{self.own_address}/access" if self.own_address else Sandbox.setting("TALKDESK_ACCESS_URL"), 200
        return "POST", f"{self.own_address}/token/example-app-android" if self.own_address else Sandbox.setting("TALKDESK_APP_TOKEN_URL"), 201

    def headers(self):
        headers = {"Accept": "application/json"} if self.variant.platform == "android" else {}
        if self.habits.has("secret-in-the-app"):
            headers["Authorization"] = basic(Sandbox.setting("TALKDESK_CLIENT_ID"), Sandbox.setting("TALKDESK_CLIENT_SECRET"))
        elif self.variant.signs_in and self.account.session:
            # A backend of our own checks who calls; the built-in one only wants to know the session.
            kind = "id_token" if self.own_address else "access_token"
            headers["Authorization"] = f"Bearer {self.account.session[kind]}"
        elif self.variant.platform == "android":
            headers["Authorization"] = basic("user", "pwd")  # as the published samples have it built in (Talkdesk reference 4.1)
        return headers

    def token(self, answer):
        if self.variant.platform == "ios":
            return answer.text.strip()
        try:
            return answer.json().get("auth_token")
        except ValueError:
            return None
