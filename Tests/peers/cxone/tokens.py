"""Who the customer is: codes, access tokens and transaction tokens."""

import asyncio
import datetime

from calls import TransportFailure
from errors import OperationError, ServerError, SignInNeeded


class Tokens:
    """Signs the customer in, and keeps that up. All tokens lie in the device's storage."""

    def __init__(self, sdk):
        self.sdk = sdk
        self.storage = sdk.storage
        self.code = None
        self.verifier = None
        self.refreshing = asyncio.Lock()
        self.timer = None

    def needs_code(self):
        """Whether the brand has to sign the customer in before the chat can be opened."""
        if self.sdk.authentication != "oauth" or self.code:
            return False
        if self.sdk.is_secured:
            return not self._lasts("transaction", 30)
        return not self.storage.get("access_token")

    def supply(self, code, verifier):
        """Takes the code of a fresh sign-in."""
        self.code, self.verifier = code, verifier

    def _take_code(self):
        """The code, which nobody gets a second time."""
        pair, self.code, self.verifier = (self.code, self.verifier), None, None
        if self.sdk.authentication == "oauth" and not pair[0]:
            raise SignInNeeded("the brand has to sign you in")
        return pair

    def _lasts(self, kind, margin):
        until = self.storage.get(f"{kind}_until")
        return bool(self.storage.get(f"{kind}_token")) and until is not None and until > self.sdk.clock.now() + datetime.timedelta(seconds=margin)

    def _keep(self, kind, token, seconds):
        self.storage[f"{kind}_token"] = token
        self.storage[f"{kind}_for"] = seconds
        self.storage[f"{kind}_until"] = self.sdk.clock.now() + datetime.timedelta(seconds=seconds or 3600)

    def forget(self, *kinds):
        """Drops tokens that are of no use any more."""
        for kind in kinds:
            for part in ("token", "until", "for"):
                self.storage.pop(f"{kind}_{part}", None)

    def doubt(self):
        """The server may not like the token any more: the next event gets a new one."""
        if "access_until" in self.storage:
            self.storage["access_until"] = self.sdk.clock.now()

    # Secured sessions

    async def transaction_token(self):
        """The token of the socket's address: the one at hand, or a new one."""
        await self.sdk.clock.look()
        if self._lasts("transaction", 30):
            return self.storage["transaction_token"]
        self.forget("transaction")
        code, verifier = self._take_code()
        platform, identity = self.sdk.platform, {"customerIdentity": self.sdk.wire.identity()}
        if self.sdk.authentication == "oauth":
            grant = {"grant_type": "authorization_code", "authorization_code": code}
            body = {"thirdParty": grant if platform.name == "web" else dict(grant, code_verifier=verifier)}
        elif self.sdk.authentication == "cookie":
            body = {}
        else:
            kind = {"ios": {"type": "anonymous"}, "android": {"type": "Anonymous"}, "web": {}}[platform.name]
            body = dict(kind, **identity)
        told = await self._post_token(body)
        self._keep("transaction", told["accessToken"], told.get("expiresIn", 600))
        self.sdk.adopt(told.get("customerIdentity"), names=True)
        self._keep_third_party(told)
        if told.get("identityToken"):
            self.storage["identity_token"] = told["identityToken"]
        return told["accessToken"]

    async def _post_token(self, body):
        sdk = self.sdk
        ids = [("channelId", sdk.ids["channel"]), ("brandId", sdk.ids["brand"]), ("visitorId", sdk.ids["visitor"])]
        if sdk.platform.name == "android":
            ids = [ids[1], ids[0], ids[2]]
        headers = sdk.platform.headers(True)
        if sdk.platform.name == "web" and self.storage.get("identity_token"):
            headers["Authorization"] = f"Bearer {self.storage['identity_token']}"
        url = f"{sdk.settings.base}/oauth/token?{sdk.platform.encode(ids)}"
        wait = max(2, sdk.clock.real(30 if sdk.platform.name == "web" else sdk.platform.call_wait))
        try:
            answer = await sdk.calls.send("POST", url, headers, sdk.wire.text(body).encode(), wait)
            sdk.refuse_old_version(answer)
            if answer.is_good:
                return answer.json()
        except (TransportFailure, ValueError):
            raise ServerError("the sign-in at the chat") from None
        if answer.status == 401 and sdk.authentication == "oauth":
            raise SignInNeeded(f"the sign-in was refused: {answer.error_code()}")
        raise ServerError("the sign-in at the chat", answer.status, answer.retry_after)

    def _keep_third_party(self, told):
        tokens = told.get("thirdParty") or told
        if tokens.get("access_token"):
            self._keep("access", tokens["access_token"], tokens.get("expires_in"))
            self.storage["refresh_token"] = tokens.get("refresh_token") or self.storage.get("refresh_token")
            self.start_timer()

    # On the socket

    async def authorize(self, gateway):
        """Signs in on a socket that no transaction token has signed in."""
        await self.sdk.clock.look()
        token = self.storage.get("access_token")
        if token and self.sdk.authentication == "oauth":
            try:
                expect = None if self.sdk.platform.name == "web" else "ConsumerReconnected"
                await gateway.ask("ReconnectCustomer", {"accessToken": {"token": token}}, expect)
                self.start_timer()
                return
            except OperationError as problem:
                self.forget("access")
                if self.sdk.platform.name != "web" or not self.code:
                    raise SignInNeeded(f"the sign-in has ended: {problem}") from None
        code, verifier = self._take_code()
        try:
            told = await gateway.ask("AuthorizeCustomer", self.sdk.wire.authorization(code, verifier), "ConsumerAuthorized")
        except OperationError as problem:
            if self.sdk.authentication == "oauth":
                raise SignInNeeded(f"the sign-in was refused: {problem}") from None
            raise
        told = told or {}
        oauth = self.sdk.authentication == "oauth"
        if oauth or self.sdk.platform.name != "ios":
            self.sdk.adopt(told.get("consumerIdentity"), names=oauth)
        access = told.get("accessToken") or {}
        if access.get("token"):
            self._keep("access", access["token"], access.get("expiresIn"))
            self.start_timer()
        elif oauth and self.sdk.platform.name == "ios":
            raise SignInNeeded("the sign-in brought no token")

    async def fresh(self):
        """The access token for an event, refreshed where it is about to end; None without OAuth."""
        if self.sdk.authentication != "oauth" or not self.storage.get("access_token"):
            return None
        await self.sdk.clock.look()
        if not self._lasts("access", self.sdk.platform.refresh_margin):
            await self.refresh()
        return self.storage.get("access_token")

    async def refresh(self, old=None):
        """Gets a new access token; one at a time, and not twice for the same old one."""
        old = old or self.storage.get("access_token")
        async with self.refreshing:
            if self.storage.get("access_token") != old:
                return
            if self.sdk.is_secured:
                grant = {"grant_type": "refresh_token", "refresh_token": self.storage.get("refresh_token") or ""}
                try:
                    self._keep_third_party(await self._post_token({"thirdParty": grant}))
                except SignInNeeded:
                    self.forget("access", "transaction")
                    raise
                return
            try:
                told = await self.sdk.gateway_or_fail().ask("RefreshToken", {"accessToken": {"token": old}}, "TokenRefreshed")
            except OperationError as problem:
                self.forget("access")
                raise SignInNeeded(f"the sign-in has ended: {problem}") from None
            self._keep("access", told["accessToken"]["token"], told["accessToken"].get("expiresIn"))

    def start_timer(self):
        """The Web SDK refreshes by a timer, also while nothing is sent."""
        if self.sdk.platform.name == "web" and (self.timer is None or self.timer.done()):
            self.timer = asyncio.create_task(self._tick())

    def stop_timer(self):
        """No refresh without a socket."""
        if self.timer:
            self.timer.cancel()
            self.timer = None

    async def _tick(self):
        while self.storage.get("access_until"):
            seconds = self.storage["access_for"] or 3600
            due = self.storage["access_until"] - datetime.timedelta(seconds=seconds - max(20, round(0.9 * seconds)))
            if await self.sdk.clock.look() < due:
                await self.sdk.clock.sleep(1)
                continue
            try:
                await self.refresh()
            except Exception as problem:
                self.sdk.on_error(problem)
                return
