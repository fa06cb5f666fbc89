"""In what the three SDKs differ."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """One of the SDKs. Seconds are the sandbox's."""

    name: str
    version: str
    system: str
    reconnect: str
    seen: str
    close_code: int
    configuration_attempts: int
    visitor_attempts: int
    visitor_pause: float
    token_margin: float
    opener: str
    heartbeat: float = 0
    pong_limit: float = 0
    ping: float = 0
    reply_limit: float = 0
    says_consumer: frozenset = frozenset()

    @property
    def reports_visitors(self):
        """The Web SDK never does (CXone reference 3.3)."""
        return self.visitor_attempts > 0

    def reconnect_pause(self, attempt):
        """CXone reference 10."""
        if self.name == "ios":
            return min(1.3 ** min(attempt, 10) + random.random(), 30)
        if self.name == "android":
            return min((1 + random.uniform(1, 5)) * 1.3 ** (attempt - 1), 500)
        return 0 if attempt == 1 else min(random.uniform(1, 5) * 1.3 ** (attempt - 2), 300)


IOS = Platform(
    name="ios",
    version="3.3.1",
    system="iOS",
    reconnect="ReconnectCustomer",
    seen="MessageSeenByCustomer",
    close_code=1001,
    configuration_attempts=4,
    visitor_attempts=4,
    visitor_pause=0,
    token_margin=30,
    opener="Begin Conversation",
    heartbeat=10,
    pong_limit=5,
    reply_limit=10,
    says_consumer=frozenset({"ReconnectCustomer", "RefreshToken", "SendOutbound", "EndContact"}),
)

ANDROID = Platform(
    name="android",
    version="3.2.2",
    system="Android",
    reconnect="ReconnectConsumer",
    seen="MessageSeenByCustomer",
    close_code=1000,
    configuration_attempts=1,
    visitor_attempts=3,
    visitor_pause=30,
    token_margin=10,
    opener="Begin Conversation",
    ping=10,
    says_consumer=frozenset({"ReconnectConsumer", "RefreshToken", "SendOutbound", "EndContact"}),
)

WEB = Platform(
    name="web",
    version="3.3.0",
    system="Linux",
    reconnect="ReconnectConsumer",
    seen="MessageSeenByConsumer",
    close_code=1000,
    configuration_attempts=5,
    visitor_attempts=0,
    visitor_pause=0,
    token_margin=0,
    opener="Begin conversation",
    heartbeat=15,
)

PLATFORMS = {platform.name: platform for platform in (IOS, ANDROID, WEB)}
