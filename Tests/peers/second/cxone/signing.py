"""Who the customer is, where the socket's URL does not say it."""

from state import State
from store import Token


class Signing:
    """Signs the customer in on the socket, and keeps the access token fresh (CXone reference 8, the legacy generation)."""

    def __init__(self, chat):
        self.chat = chat
        self.code = None
        self.is_refreshing = False
        chat.events.on("code", self.take_code)
        chat.events.on("refresh", self.refresh_by_timer)

    def take_code(self, code):
        self.code = code

    @property
    def needs_code(self):
        """The customer has to sign in at the brand before the chat is opened."""
        return self.chat.configuration.signs_in and not self.chat.store.access_token and not self.code

    def authorize(self):
        """With an access token if there is one, else with a code (CXone reference C1)."""
        token = self.chat.store.access_token
        if self.chat.configuration.signs_in and token:
            self.chat.exchange.ask(self.chat.platform.reconnect, {"accessToken": {"token": token.value}}, self.known_again, self.not_known_again)
            return
        code = self.code
        if not self.chat.habits.has("sends-a-refused-code-again"):
            self.code = None
        if self.chat.configuration.signs_in and not code:
            self.chat.connection.tear_down("sign-in-needed")
        else:
            self.chat.exchange.ask("AuthorizeCustomer", self.chat.wire.authorization(code), self.authorized, self.not_authorized, action="register")

    def authorized(self, data):
        """iOS keeps its own id in anonymous mode, the others take the one of the answer (CXone reference 6.1)."""
        identity = data["consumerIdentity"]
        if self.chat.configuration.signs_in:
            self.chat.store.customer = {name: value for name, value in identity.items() if value is not None}
        elif self.chat.platform.name != "ios":
            self.chat.store.customer["idOnExternalPlatform"] = identity["idOnExternalPlatform"]
        if data.get("accessToken"):
            self.keep(data["accessToken"])
        self.chat.threads.load()

    def not_authorized(self, code):
        self.chat.connection.tear_down("sign-in-failed")

    def known_again(self, data):
        self.arm()
        self.chat.threads.load()

    def not_known_again(self, code):
        """iOS wants another token for the old one; elsewhere the customer signs in again (CXone reference 12)."""
        if self.chat.platform.name == "ios":
            self.refresh(self.authorize)
        else:
            self.chat.store.access_token = None
            self.chat.connection.tear_down("sign-in-failed")

    def keep(self, token):
        lifetime = token["expiresIn"]
        self.chat.store.access_token = Token(token["token"], lifetime, self.chat.clock.now() + lifetime)
        self.arm()

    def arm(self):
        """The Web SDK refreshes by a timer (CXone reference 8.2)."""
        if self.chat.wire.is_web and self.chat.store.access_token and not self.never_refreshes():
            self.chat.events.after(max(20, round(0.9 * self.chat.store.access_token.lifetime)), "refresh")

    def never_refreshes(self):
        return self.chat.habits.has("repeats-an-expired-token") or self.chat.variant.refreshes == "when-refused"

    def refresh_by_timer(self):
        if self.chat.state in (State.READY, State.CLOSED):
            self.refresh(self.chat.outbox.flush)

    def must_refresh(self):
        """Mobile SDKs look before each message (CXone reference 8.2)."""
        token = self.chat.store.access_token
        if not self.chat.configuration.signs_in or not token or self.chat.wire.is_web or self.never_refreshes():
            return False
        return token.expires - self.chat.platform.token_margin <= self.chat.clock.now()

    def refresh(self, then):
        if self.is_refreshing:
            return
        self.is_refreshing = True

        def refreshed(data):
            self.is_refreshing = False
            self.keep(data["accessToken"])
            then()

        def refused(code):
            self.is_refreshing = False
            self.chat.store.access_token = None
            self.chat.connection.tear_down("sign-in-failed")

        self.chat.exchange.ask("RefreshToken", {"accessToken": {"token": self.chat.store.access_token.value}}, refreshed, refused)

    def forget(self):
        """The socket is gone, and what was asked on it."""
        self.is_refreshing = False
        self.chat.events.cancel("refresh")
