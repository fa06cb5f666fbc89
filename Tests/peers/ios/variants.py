"""Which variants make sense in which scenario."""

SCENARIOS = """
anonymous-identity-must-be-extended answer-lost-after-a-message answers-late-by-20s brand-clock-fast-by-five-minutes
brand-requires-pkce brand-sign-in-fails-twice brand-token-endpoint-down-for-a-minute brand-tokens-without-a-signature certificate-expired
certificate-for-another-host claim-missing code-expires-before-it-is-redeemed code-redeemed-answer-lost-at-the-brand
code-redeemed-answer-lost code-reused-after-back-navigation code-verifier-refused conversation-list-fails-twice device-clock-fast-by-five-minutes
device-clock-slow-by-five-minutes domain-lookup-fails-for-ever domain-lookup-fails-once duplicate-push engagement-without-details
first-byte-never-comes gateway-says-502-without-a-body half-open-socket html-error-page-from-a-gateway idp-slow-then-503-then-well
key-rotated-at-midnight logged-out-from-outside logged-out-on-another-device malformed-push message-never-distributed message-refused-as-too-many
messages-out-of-order monitoring-down-for-good monitoring-loads-the-account one-call-in-five-is-reset push-arrives-30s-late push-never-arrives
push-of-the-brands-own push-token-changes push-while-in-chat the-pusher-is-down-by-the-clock pusher-down-for-31s pusher-down-for-good
rate-limited-with-retry-after redirect-uri-with-trailing-slash registration-refused-as-expired reset-before-the-sign-in session-revoked-by-the-brand
silent-socket-dropped-after-a-minute slow-network socket-closed-1001-during-a-message socket-closed-1011-during-a-message socket-dropped-during-a-message
socket-refused-for-31s stale-badge tls-handshake-stalls token-expired-at-sign-in token-expires-mid-conversation truncated-json
unread-count-fails-three-times unregister-answer-lost unregister-fails-twice-at-sign-out unregister-lost upload-url-expires
wifi-login-page wrong-issuer
""".split()

LOOKUP = {"certificate-expired", "certificate-for-another-host", "domain-lookup-fails-for-ever", "domain-lookup-fails-once",
          "tls-handshake-stalls"}
# Without a challenge nobody can sign in there, and what the plain app does is PKCE already.
PKCE = {"brand-requires-pkce", "code-verifier-refused"}
SESSION = {"logged-out-from-outside", "logged-out-on-another-device", "session-revoked-by-the-brand"}
BRAND = {name for name in SCENARIOS if name.startswith(("brand-", "code-", "token-"))} | {
    "claim-missing", "device-clock-fast-by-five-minutes", "device-clock-slow-by-five-minutes", "first-byte-never-comes",
    "answers-late-by-20s", "idp-slow-then-503-then-well", "key-rotated-at-midnight",
    "rate-limited-with-retry-after", "redirect-uri-with-trailing-slash", "registration-refused-as-expired",
    "reset-before-the-sign-in", "truncated-json", "wrong-issuer", "html-error-page-from-a-gateway", "wifi-login-page"} | SESSION
SOCKET = {name for name in SCENARIOS if name.startswith(("socket-", "message", "token-expires"))} | {
    "answer-lost-after-a-message", "anonymous-identity-must-be-extended", "conversation-list-fails-twice", "half-open-socket",
    "one-call-in-five-is-reset", "silent-socket-dropped-after-a-minute", "slow-network",
    "upload-url-expires"} | SESSION
SCHEDULES = {"brand-sign-in-fails-twice", "conversation-list-fails-twice", "first-byte-never-comes",
             "html-error-page-from-a-gateway",
             "idp-slow-then-503-then-well", "message-refused-as-too-many", "monitoring-down-for-good", "monitoring-loads-the-account",
             "one-call-in-five-is-reset", "the-pusher-is-down-by-the-clock", "pusher-down-for-31s", "pusher-down-for-good",
             "rate-limited-with-retry-after", "socket-refused-for-31s", "unread-count-fails-three-times",
             "unregister-fails-twice-at-sign-out", "unregister-lost", "wifi-login-page"}
PUSHES = {"duplicate-push", "malformed-push", "push-arrives-30s-late", "push-never-arrives", "push-of-the-brands-own",
          "push-token-changes", "push-while-in-chat", "stale-badge"}
# The app is given up on before a second person, a second device or a second start could matter.
SHORT = LOOKUP - {"domain-lookup-fails-once"} | {
    "brand-clock-fast-by-five-minutes", "brand-tokens-without-a-signature", "claim-missing", "wrong-issuer"}

CODE_FLOW = {name for name in SCENARIOS if name.startswith(("code-", "brand-"))}

WHERE = {
    "code": (BRAND - PKCE) | {"socket-closed-1011-during-a-message", "one-call-in-five-is-reset", "slow-network", "push-token-changes"},
    "pkce": (CODE_FLOW - PKCE) | {"redirect-uri-with-trailing-slash", "reset-before-the-sign-in", "truncated-json",
                         "rate-limited-with-retry-after"},
    "parallel": LOOKUP | {"slow-network", "gateway-says-502-without-a-body", "answer-lost-after-a-message"},
    "page": CODE_FLOW | {"claim-missing", "device-clock-slow-by-five-minutes", "reset-before-the-sign-in",
                         "token-expires-mid-conversation",
                         "wrong-issuer", "token-expired-at-sign-in"},
    "jitter": SCHEDULES | {"domain-lookup-fails-once", "socket-dropped-during-a-message", "code-verifier-refused"},
    "patient": {"rate-limited-with-retry-after", "message-refused-as-too-many"},
    "three": SCHEDULES,
    "no-push": PKCE | SESSION | {"claim-missing", "monitoring-loads-the-account", "socket-refused-for-31s",
                "rate-limited-with-retry-after",
                "unread-count-fails-three-times", "socket-dropped-during-a-message", "token-expires-mid-conversation"},
    "two-users": {name for name in SCENARIOS if name.startswith("unregister-")} | PKCE | {
        "logged-out-from-outside", "push-of-the-brands-own", "push-token-changes", "session-revoked-by-the-brand",
        "answer-lost-after-a-message", "duplicate-push", "push-arrives-30s-late", "pusher-down-for-31s",
        "silent-socket-dropped-after-a-minute",
        "socket-dropped-during-a-message", "engagement-without-details", "one-call-in-five-is-reset"},
    "two-devices": (SOCKET | PUSHES | PKCE) - {"anonymous-identity-must-be-extended"},
    "restart": ((SOCKET - {"half-open-socket"}) | PUSHES | PKCE | {"domain-lookup-fails-once", "pusher-down-for-31s", "unregister-fails-twice-at-sign-out",
                                   "gateway-says-502-without-a-body"}),
    "other-case": {name for name in SCENARIOS if name not in SHORT and name not in PUSHES} | {"push-of-the-brands-own", "push-token-changes"},
    "by-message": SOCKET | PKCE,
    "no-marks": {"answer-lost-after-a-message", "duplicate-push", "domain-lookup-fails-for-ever", "unregister-lost",
                 "stale-badge", "brand-requires-pkce", "logged-out-from-outside", "push-of-the-brands-own", "push-token-changes",
                 "session-revoked-by-the-brand",
                 "messages-out-of-order"},
    "impatient-user": (SCHEDULES | SOCKET | PKCE) - {"half-open-socket", "monitoring-down-for-good", "monitoring-loads-the-account"},
}


def pairs():
    """Every scenario with every variant that makes sense there."""
    for scenario in SCENARIOS:
        yield scenario, "plain"
        for variant, where in WHERE.items():
            if scenario in where:
                yield scenario, variant
