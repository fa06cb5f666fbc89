"""How the clients differ: what the platforms' SDKs do, and what is left to the app."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Variant:
    platform: str
    # Which refusal makes the SDK ask the app for a new JWT.
    trigger: str = "code"
    # How long a call may take, in seconds.
    limit: float = 60
    # Where the credentials of a subscription stand: in ext, beside it, or both.
    credentials: str = "ext"
    # A refused subscription makes the SDK ask for a new JWT.
    hears_refused_subscription: bool = True
    # A monitor that reconnects goes on with the JWT that it was started with.
    keeps_first_jwt: bool = False
    # After "Unknown client" the SDK shakes hands on the same socket, else on a new one.
    same_socket: bool = False
    # JSON with \/ and a Host header without a port.
    escapes: bool = False
    # The monitor says /meta/disconnect before it closes.
    says_goodbye: bool = False
    # The monitor runs even while there is no conversation.
    always_connected: bool = False
    # Messages are read with their conversation, else by themselves.
    reads_conversation: bool = False
    # The app tells that the user types.
    tells_typing: bool = True
    # The app gets push notifications.
    pushes: bool = True
    # A push token that was not taken is sent again: with the next start, or at once.
    resends_token: str = "next-start"
    pkce: bool = True
    secret_in_header: bool = True
    # A browser: calls have an Origin, and preflights before them.
    browser: bool = False
    # The conversation counts as read whenever it is shown, even if nothing in it is new.
    always_reports_read: bool = False
    # The app gets a new JWT when the old one has ended by its expiresIn, and logs in with it, before a call is refused.
    renews_early: bool = False
    # The user signs in at the brand before the app starts the SDK, and logs out at the end of the story.
    logs_out: bool = False
    # The delegate logs in again with the new JWT before the refused call is sent again.
    relogs_in: bool = False
    jitter: bool = False
    thinking: float = 0
    two_devices: bool = False
    marks: bool = True
    # The app makes several calls at once.
    at_once: bool = False
    tls: bool = False
    # The user leaves the app while they wait, and comes back.
    leaves: bool = False
    # A third device comes in by an auth code.
    redeems_code: bool = False


IOS = Variant(platform="ios")
ANDROID = Variant(
    platform="android", trigger="status", limit=10, credentials="both", hears_refused_subscription=False, keeps_first_jwt=True,
    same_socket=True, escapes=True, redeems_code=True, resends_token="at-once", tells_typing=False,
    secret_in_header=False,
)
WEB = Variant(
    platform="web", trigger="both", credentials="beside", same_socket=True, says_goodbye=True, always_connected=True, reads_conversation=True, pushes=False, pkce=False, browser=True,
    always_reports_read=True,
)

VARIANTS = {
    "ios": IOS,
    "android": ANDROID,
    "web": WEB,
    "ios-relogin": replace(IOS, relogs_in=True),
    "android-relogin": replace(ANDROID, relogs_in=True, keeps_first_jwt=False),
    "android-restart": replace(ANDROID, keeps_first_jwt=False),
    "ios-jitter": replace(IOS, jitter=True),
    "ios-slow-user": replace(IOS, thinking=7),
    "ios-two-devices": replace(IOS, two_devices=True),
    "no-marks": replace(IOS, marks=False),
    "ios-concurrent": replace(IOS, at_once=True),
    "ios-leaves": replace(IOS, leaves=True),
    "android-leaves": replace(ANDROID, leaves=True, keeps_first_jwt=False),
    "ios-early": replace(IOS, renews_early=True),
    "ios-logs-out": replace(IOS, logs_out=True),
    "android-logs-out": replace(ANDROID, logs_out=True, keeps_first_jwt=False),
    "ios-tls": replace(IOS, tls=True),
}
