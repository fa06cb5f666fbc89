"""What the three SDKs do differently below the events: headers, addresses, waits, reconnects."""

import random
import urllib.parse

from device import new_id


class Platform:
    """One SDK. Times are in seconds of the story."""

    name = ""
    version = ""
    answer_wait = 10
    call_wait = 60
    close_code = 1000
    heartbeat = None
    reconnect_attempts = 20
    reconnects_after_1000 = True
    refresh_margin = 30
    config_query = ""
    log_program = None

    def headers(self, has_body):
        """Headers of a REST call."""
        return {}

    def socket_query(self, ids, token):
        """The query of the socket's address, in this SDK's order."""
        raise NotImplementedError

    def delay(self, attempt, state):
        """Seconds before a reconnect, the first being attempt 1."""
        raise NotImplementedError

    def encode(self, pairs):
        """Query parameters in text."""
        return urllib.parse.urlencode(pairs)

    def date(self, time):
        """A time with milliseconds."""
        return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"

    def short_date(self, time):
        """A time in whole seconds."""
        return time.strftime("%Y-%m-%dT%H:%M:%SZ")


class IOS(Platform):
    """Mobile SDK for iOS 3.3.1."""

    name = "ios"
    version = "3.3.1"
    close_code = 1001
    heartbeat = "text"
    log_program = "ios-dfo-chat"

    def headers(self, has_body):
        headers = {"x-sdk-platform": "ios", "x-sdk-version": self.version, "Accept": "*/*", "User-Agent": "Shop/1 CFNetwork Darwin"}
        if has_body:
            headers["Content-Type"] = "application/json"
        return headers

    def socket_query(self, ids, token):
        pairs = [("brandId", ids["brand"]), ("channelId", ids["channel"]), ("visitorId", ids["visitor"]),
                 ("sdkPlatform", "ios"), ("sdkVersion", self.version)]
        return "?" + self.encode(pairs + ([("transactionToken", token)] if token else []))

    def delay(self, attempt, state):
        return min(1.3 ** min(attempt, 10) + random.random(), 30)


class Android(Platform):
    """Mobile SDK for Android 3.2.2."""

    name = "android"
    version = "3.2.2"
    answer_wait = 20
    call_wait = 40
    heartbeat = "ping"
    reconnects_after_1000 = False
    refresh_margin = 10

    def headers(self, has_body):
        return {"Content-Type": "application/json; charset=UTF-8", "User-Agent": "okhttp/4.12.0"}

    def socket_query(self, ids, token):
        pairs = [("brandId", ids["brand"]), ("channelId", ids["channel"]), ("visitorId", ids["visitor"]),
                 ("sdkVersion", self.version), ("sdkPlatform", "android")]
        return "?" + "&".join(f"{name}={value}" for name, value in pairs + ([("transactionToken", token)] if token else []))

    def delay(self, attempt, state):
        state["wait"] = 1 + random.uniform(1, 5) if attempt == 1 else min(state["wait"] * 1.3, 500)
        return state["wait"]

    def date(self, time):
        return super().date(time)[:-1] + "z"

    def short_date(self, time):
        return self.date(time)


class Web(Platform):
    """Chat Web SDK 3.3.0."""

    name = "web"
    version = "3.3.0"
    answer_wait = 30
    call_wait = 30
    heartbeat = "quiet text"
    refresh_margin = 0
    config_query = "?locale=en_US"

    def headers(self, has_body):
        return {"Accept": "application/json", "Content-Type": "application/json", "X-Caller-Service-ID": "chat-web-sdk",
                "X-Trace-ID": new_id(), "x-sdk-platform": "web", "x-sdk-version": self.version}

    def socket_query(self, ids, token):
        pairs = [("v", "1.0.0"), ("sdkPlatform", "web"), ("sdkVersion", self.version), ("brandId", ids["brand"]), ("channelId", ids["channel"])]
        if not token:
            pairs.append(("customerId", ids["customer"]))
        pairs.append(("visitorId", ids["visitor"]))
        return "?" + self.encode(pairs + ([("transactionToken", token)] if token else []))

    def delay(self, attempt, state):
        if attempt == 1:
            state["base"] = random.uniform(1, 5)
            return 0
        return min(state["base"] * 1.3 ** (attempt - 2), 300)

    def short_date(self, time):
        return self.date(time)


def platform_named(name):
    """The SDK of a variant."""
    return {"ios": IOS, "android": Android, "web": Web}[name]()
