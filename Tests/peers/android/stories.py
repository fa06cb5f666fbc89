"""What user and agent do in each scenario, and which variants make sense there. What goes wrong meanwhile is not known here.

A story is a row of steps of `stage.py`. `log-in` ends it where messaging does not work then, unless it is `log-in:stays`; `agent` says
something that the user reads in the open window, `agent:unread` something that nobody waits for, `read` waits for all of it;
`middle` is where some variants do what they do; `until:75` waits until the program has run for so many seconds.
"""
CHAT = "log-in open say agent middle say agent close"
LATER = "log-in:stays until-signed-in:75 open say agent middle close"
STUBBORN = "tries:4 log-in:stays open say agent middle say agent close log-out"
LEFT_OUT = "log-in open say agent:unread wait:3 agent read middle say close"
AGAIN = "log-in open say agent middle say connected-again agent say close foreground"
HIDDEN = f"{CHAT} agent:unread wait:3 agent:unread push:2 foreground open read close"

BACK = "log-in open say agent middle say connected-again agent say close agent:unread push:1 tap-push read close"
PUT_OUT = "log-in open say agent middle say brand-ends-session logged-out"
TOLD = "log-in open say agent middle close push:{}:110 tap-push say agent close"
PKCE_BRANDS = ("brand-requires-pkce", "code-verifier-refused")  # every app of theirs is built for it

EVERYWHERE = ["plain", "implicit", "pkce", "other-case", "no-marks"]
TALKING = [*EVERYWHERE, "parallel", "page", "jitter", "three", "no-push", "two-devices", "restart", "by-header", "impatient-user"]
LEAVING = [*TALKING, "two-users"]
CHALLENGED = [name for name in LEAVING if name not in ("implicit", "pkce")]
PUSHED = [name for name in LEAVING if name != "no-push"]
REFUSED = [*EVERYWHERE, "parallel", "page", "no-push", "impatient-user", "two-devices"]
UNREACHABLE = ["plain", "parallel", "jitter", "other-case", "no-marks", "no-push"]
NAMELESS = ["plain", "parallel", "jitter", "three", "restart", "other-case", "by-header", "no-marks"]

PLAYS = {
    "anonymous-identity-must-be-extended": ("log-in:nameless open say agent middle connected-again say agent close", NAMELESS),
    "answer-lost-after-a-message": (CHAT, LEAVING),
    "answers-late-by-20s": (CHAT, LEAVING),
    "brand-clock-fast-by-five-minutes": (CHAT, REFUSED),
    "brand-requires-pkce": (CHAT, CHALLENGED),
    "brand-sign-in-fails-twice": (CHAT, LEAVING),
    "brand-token-endpoint-down-for-a-minute": (LATER, [name for name in TALKING if name != "implicit"]),
    "brand-tokens-without-a-signature": (CHAT, REFUSED),
    "certificate-expired": (CHAT, UNREACHABLE),
    "certificate-for-another-host": (CHAT, UNREACHABLE),
    "claim-missing": (CHAT, REFUSED),
    "code-expires-before-it-is-redeemed": (CHAT, LEAVING),
    "code-redeemed-answer-lost": (CHAT, LEAVING),
    "code-redeemed-answer-lost-at-the-brand": (CHAT, LEAVING),
    "code-reused-after-back-navigation": (CHAT, LEAVING),
    "code-verifier-refused": (CHAT, CHALLENGED),
    "conversation-list-fails-twice": (CHAT, LEAVING),
    "device-clock-fast-by-five-minutes": (CHAT, LEAVING),
    "device-clock-slow-by-five-minutes": (AGAIN, LEAVING),
    "domain-lookup-fails-for-ever": (CHAT, UNREACHABLE),
    "domain-lookup-fails-once": (CHAT, LEAVING),
    "duplicate-push": (f"{CHAT} agent:unread push:2 tap-push read close", PUSHED),
    "engagement-without-details": ("log-in look report middle look open-if-offered close", [*REFUSED, "restart"]),
    "first-byte-never-comes": (CHAT, LEAVING),
    "gateway-says-502-without-a-body": (STUBBORN, TALKING),
    # An app that is restarted in the middle has another socket before the first one freezes.
    "half-open-socket": ("log-in open say agent middle say wait:15 agent say close", [name for name in LEAVING if name != "restart"]),
    "html-error-page-from-a-gateway": (f"{CHAT} agent:unread push:1 tap-push read close", LEAVING),
    "idp-slow-then-503-then-well": (
        "tries:2 log-in open say agent middle say close until:22 open close until:33 open close until:75 open agent close",
        TALKING,
    ),
    "key-rotated-at-midnight": (f"{CHAT} until:35 open agent close", TALKING),
    "logged-out-from-outside": (BACK, LEAVING),
    "logged-out-on-another-device": (AGAIN, TALKING),
    "malformed-push": (HIDDEN, PUSHED),
    "message-never-distributed": (LEFT_OUT, LEAVING),
    "message-refused-as-too-many": ("log-in open say:3 agent middle close", LEAVING),
    "messages-out-of-order": (
        "log-in open say agent:unread agent:unread say read agent:unread agent middle agent:unread say agent read say close",
        LEAVING,
    ),
    "monitoring-down-for-good": ("log-in look middle open-if-offered close", ["plain", "implicit", "other-case", "jitter", "three", "no-push"]),
    "monitoring-loads-the-account": (CHAT, LEAVING),
    "one-call-in-five-is-reset": (STUBBORN, TALKING),
    "push-arrives-30s-late": (f"{CHAT} agent:unread wait:5 foreground open read close push:1 foreground", PUSHED),
    "push-never-arrives": (HIDDEN, PUSHED),
    "push-of-the-brands-own": (TOLD.format(2), PUSHED),
    "push-token-changes": (TOLD.format(1), PUSHED),
    "push-while-in-chat": ("log-in open say agent middle say push:2:130 agent say close", [name for name in TALKING if name != "no-push"]),
    "pusher-down-for-31s": (f"{CHAT} agent:unread push:1 tap-push read close", PUSHED),
    "the-pusher-is-down-by-the-clock": (f"{CHAT} kill until:61 log-in:stays open agent close", TALKING),
    "pusher-down-for-good": (CHAT, TALKING),
    "rate-limited-with-retry-after": (CHAT, [*LEAVING, "patient"]),
    "redirect-uri-with-trailing-slash": (CHAT, LEAVING),
    "registration-refused-as-expired": (f"{CHAT} agent:unread push:1 tap-push read close", PUSHED),
    "reset-before-the-sign-in": (CHAT, LEAVING),
    "session-revoked-by-the-brand": (PUT_OUT, LEAVING),
    "silent-socket-dropped-after-a-minute": ("log-in open say agent middle say wait:95 agent close", LEAVING),
    "slow-network": (CHAT, LEAVING),
    "socket-closed-1001-during-a-message": (CHAT, LEAVING),
    "socket-closed-1011-during-a-message": (CHAT, LEAVING),
    "socket-dropped-during-a-message": (CHAT, LEAVING),
    "socket-refused-for-31s": (f"tries:2 {CHAT}", LEAVING),
    "stale-badge": (HIDDEN, PUSHED),
    "tls-handshake-stalls": (CHAT, UNREACHABLE),
    "token-expired-at-sign-in": (CHAT, LEAVING),
    "token-expires-mid-conversation": (AGAIN, LEAVING),
    "truncated-json": (CHAT, LEAVING),
    "unread-count-fails-three-times": (f"{CHAT} agent:unread push:1 foreground tap-push read close", LEAVING),
    "unregister-answer-lost": (f"{CHAT} log-out", PUSHED),
    "unregister-fails-twice-at-sign-out": (f"{CHAT} log-out", PUSHED),
    "unregister-lost": (f"{CHAT} log-out", [name for name in PUSHED if name != "two-users"]),
    "upload-url-expires": ("log-in open say agent middle photo agent close", LEAVING),
    "wifi-login-page": (LATER, TALKING),
    "wrong-issuer": (CHAT, REFUSED),
}
