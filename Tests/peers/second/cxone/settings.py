"""Where the chat is."""

from dataclasses import dataclass

from shared.sandbox import Sandbox


@dataclass(frozen=True)
class Settings:
    """What the brand's engineer gives the SDK."""

    brand: str
    channel: str
    chat_url: str
    socket_url: str
    token_url: str

    @classmethod
    def of(cls, mode):
        channel = {"single": "SINGLE_THREAD", "multi": "MULTI_THREAD", "live": "LIVE_CHAT"}[mode]
        return cls(
            brand=Sandbox.setting("CXONE_BRAND_ID"),
            channel=Sandbox.setting(f"CXONE_{channel}_CHANNEL_ID"),
            chat_url=Sandbox.setting("CXONE_CHAT_URL"),
            socket_url=Sandbox.setting("CXONE_SOCKET_URL"),
            token_url=Sandbox.setting("CXONE_TOKEN_URL"),
        )
