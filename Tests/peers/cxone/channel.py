"""What a channel is like, and the REST calls of the preparation."""

import asyncio

from calls import TransportFailure
from errors import SdkNotSupported, ServerError


class Channel:
    """The part of the SDK that speaks to the channel's REST interface."""

    def __init__(self):
        self.mode = self.authentication = None
        self.is_secured = self.allows_transcript = self.recover_does_not_fail = False
        self.form = None
        self.available = None

    def channel_url(self):
        """The address of the channel."""
        return f"{self.settings.base}/chat/1.0/brand/{self.ids['brand']}/channel/{self.ids['channel']}"

    def visitor_url(self):
        """The address of the visitor."""
        return f"{self.settings.base}/web-analytics/1.0/tenants/{self.ids['brand']}/visitors/{self.ids['visitor']}"

    def wait(self):
        """How long a call is waited for, by the machine's clock."""
        return max(1, self.clock.real(self.platform.call_wait))

    def refuse_old_version(self, answer):
        """iOS and Web look for it in every answer, Android in refusals."""
        if answer.error_code() == "SdkVersionNotSupported" and (self.platform.name == "ios" or not answer.is_good):
            raise SdkNotSupported("please update the app: this version is no longer supported")

    async def read_configuration(self, still_wanted):
        """GET of the channel; ServerError if it cannot be had."""
        attempts, problem = self.variant.config_attempts(), None
        for attempt in range(attempts):
            if attempt and self.platform.name == "web":
                await asyncio.sleep(self.clock.real(0.2 * 2 ** (attempt - 1) + self.variant.draw.random() * 0.1))
            elif attempt and self.variant.is_habit("jitter"):
                await self.clock.sleep(1.3 ** attempt + self.variant.draw.random())
            if not still_wanted():
                break
            try:
                answer = await self.calls.send("GET", self.channel_url() + self.platform.config_query, self.platform.headers(False), seconds=self.wait())
            except TransportFailure:
                problem = ServerError("the configuration")
                continue
            self.refuse_old_version(answer)
            problem = ServerError("the configuration", answer.status, answer.retry_after)
            try:
                told = answer.json()
                if answer.is_good and told["settings"] is not None:
                    return told
            except (ValueError, KeyError, TypeError):
                pass
            if self.platform.name != "ios" or answer.retry_after:
                break
        raise problem or ServerError("the configuration")

    def read(self, told):
        """Derives what the SDK needs from the configuration."""
        settings = told["settings"]
        features = settings.get("features") or {}
        if told.get("isLiveChat"):
            self.mode = "live"
        else:
            self.mode = "multi" if settings.get("hasMultipleThreadsPerEndUser") else "single"
        if told.get("isSecuredCookieEnabled"):
            self.authentication = "cookie"
        else:
            self.authentication = "oauth" if told.get("isAuthorizationEnabled") else "anonymous"
        self.is_secured = settings.get("securedSessions", True) if self.platform.name == "android" else features.get("securedSessions", True)
        self.allows_transcript = bool(settings.get("liveChatAllowTranscript"))
        self.recover_does_not_fail = features.get("isRecoverLivechatDoesNotFailEnabled", True)
        form = told.get("preContactForm")
        listed = [channel.get("id") for channel in (form or {}).get("channels") or []]
        if form and self.platform.name == "android" and listed and self.ids["channel"] not in listed:
            form = None
        self.form = form

    async def update_visitor(self, still_wanted):
        """PUT of the visitor."""
        body = {"customerIdentity": self.wire.identity(), "browserFingerprint": dict(self.wire.fingerprint(), deviceToken=self.device.push_token)}
        ios = self.platform.name == "ios"
        attempts = self.variant.config_attempts() if ios else 3
        problem = None
        for attempt in range(attempts):
            if attempt and not ios:
                await self.clock.sleep(30)
            elif attempt and self.variant.is_habit("jitter"):
                await self.clock.sleep(1.3 ** attempt)
            if not still_wanted():
                return
            try:
                answer = await self.calls.send("PUT", self.visitor_url(), self.platform.headers(True), self.wire.text(body).encode(), self.wait())
            except TransportFailure:
                problem = ServerError("the visitor")
                continue
            if ios:
                self.refuse_old_version(answer)
            if answer.is_good or (ios and self.variant.takes_any_visitor_status()) or (not ios and 400 <= answer.status < 500):
                return
            problem = ServerError("the visitor", answer.status, answer.retry_after)
            if ios or answer.retry_after:
                break
        raise problem

    async def is_available(self):
        """Whether the live chat is staffed; kept for 60 s."""
        now = await self.clock.look()
        if self.available and (now - self.available[1]).total_seconds() < 60:
            return self.available[0]
        try:
            answer = await self.calls.send("GET", self.channel_url() + "/availability", self.platform.headers(False), seconds=self.wait())
            self.refuse_old_version(answer)
            if not answer.is_good:
                raise ServerError("the availability", answer.status, answer.retry_after)
            online = answer.json().get("status") == "online"
        except (TransportFailure, ValueError):
            online = None
        except ServerError:
            if self.platform.name != "android":
                raise
            online = False
        if online is None:
            raise ServerError("the availability")
        self.available = (online, now)
        return online
