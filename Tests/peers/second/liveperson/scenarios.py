"""The story of each scenario, and whom it can happen to."""

from story import Plan, Story

COMMON = Plan()
LATE = Plan(lingers=45)
UNREACHED = Plan(push=False, lingers=60)
STAYING = Plan(stays=96)  # so that what is to be retried can be
REFUSED = Plan(ends="refused")

# Whom a scenario can happen to.
EVERYBODY = "everybody"
SIGNED_IN = "who is signed in at the brand"
ANONYMOUS = "who is not"
CODE = "who signs in with a code"
IMPLICIT = "who signs in with a JWT"
PUSH = "who gets pushes"
CLOCK = "who believes the phone's clock"
NO_RESENDING = "whose HTTP library does not hide a reset"


SCENARIOS = {
    "anonymous-identity-must-be-extended": (ANONYMOUS, Plan(stays=144)),
    "answer-lost-after-a-message": (EVERYBODY, STAYING),
    "answers-late-by-20s": (EVERYBODY, COMMON),
    "brand-clock-fast-by-five-minutes": (SIGNED_IN, REFUSED),
    "brand-requires-pkce": (CODE, COMMON),
    "brand-sign-in-fails-twice": (SIGNED_IN, COMMON),
    "brand-token-endpoint-down-for-a-minute": (CODE, REFUSED),
    "brand-tokens-without-a-signature": (CODE, REFUSED),
    "claim-missing": (SIGNED_IN, REFUSED),
    "code-expires-before-it-is-redeemed": (CODE, COMMON),
    "code-redeemed-answer-lost": (CODE, COMMON),
    "code-redeemed-answer-lost-at-the-brand": (CODE, COMMON),
    "code-reused-after-back-navigation": (CODE, COMMON),
    "code-verifier-refused": (CODE, COMMON),
    "conversation-list-fails-twice": (EVERYBODY, COMMON),
    "device-clock-fast-by-five-minutes": (IMPLICIT, COMMON),
    "device-clock-slow-by-five-minutes": (CLOCK, Plan(away=250)),
    "domain-lookup-fails-for-ever": (EVERYBODY, Plan(ends="off")),
    "domain-lookup-fails-once": (EVERYBODY, COMMON),
    "duplicate-push": (PUSH, LATE),
    "engagement-without-details": (EVERYBODY, COMMON),
    "first-byte-never-comes": (EVERYBODY, COMMON),
    "gateway-says-502-without-a-body": (EVERYBODY, COMMON),
    "half-open-socket": (EVERYBODY, Plan(stays=72, talks=False)),
    "html-error-page-from-a-gateway": (EVERYBODY, COMMON),
    "idp-slow-then-503-then-well": (EVERYBODY, COMMON),
    "key-rotated-at-midnight": (CODE, Plan(stays=72, ends="refused")),
    "logged-out-from-outside": (SIGNED_IN, Plan(stays=96, push=False)),
    "logged-out-on-another-device": (SIGNED_IN, STAYING),
    "malformed-push": (PUSH, COMMON),
    "message-never-distributed": (EVERYBODY, STAYING),
    "message-refused-as-too-many": (EVERYBODY, STAYING),
    "messages-out-of-order": (EVERYBODY, STAYING),
    "monitoring-down-for-good": (EVERYBODY, Plan(engagements=True, stays=216)),
    "monitoring-loads-the-account": (EVERYBODY, Plan(engagements=True)),
    "one-call-in-five-is-reset": (EVERYBODY, STAYING),
    "push-arrives-30s-late": (PUSH, LATE),
    "push-never-arrives": (PUSH, UNREACHED),
    "push-of-the-brands-own": (PUSH, Plan(away=110)),
    "push-token-changes": (PUSH, Plan(away=110)),
    "push-while-in-chat": (PUSH, Plan(stays=144)),
    "pusher-down-for-31s": (PUSH, COMMON),
    "the-pusher-is-down-by-the-clock": (PUSH, Plan(waits=65)),
    "pusher-down-for-good": (PUSH, UNREACHED),
    "rate-limited-with-retry-after": (EVERYBODY, COMMON),
    "redirect-uri-with-trailing-slash": (CODE, COMMON),
    "registration-refused-as-expired": (PUSH, COMMON),
    "reset-before-the-sign-in": (NO_RESENDING, COMMON),
    "session-revoked-by-the-brand": (SIGNED_IN, STAYING),
    "silent-socket-dropped-after-a-minute": (EVERYBODY, Plan(stays=144, talks=False)),
    "slow-network": (EVERYBODY, COMMON),
    "socket-closed-1001-during-a-message": (EVERYBODY, STAYING),
    "socket-closed-1011-during-a-message": (EVERYBODY, STAYING),
    "socket-dropped-during-a-message": (EVERYBODY, STAYING),
    "socket-refused-for-31s": (EVERYBODY, COMMON),
    "stale-badge": (PUSH, COMMON),
    "token-expired-at-sign-in": (IMPLICIT, COMMON),
    "token-expires-mid-conversation": (SIGNED_IN, Plan(stays=144)),
    "truncated-json": (EVERYBODY, COMMON),
    "unread-count-fails-three-times": (SIGNED_IN, COMMON),
    "unregister-answer-lost": (PUSH, Plan(rests=60)),
    "unregister-fails-twice-at-sign-out": (PUSH, COMMON),
    "unregister-lost": (PUSH, Plan(ends="unregistering")),
    "upload-url-expires": (EVERYBODY, Plan(picture=True)),
    "wifi-login-page": (EVERYBODY, Plan(push=False)),
    "wrong-issuer": (SIGNED_IN, REFUSED),
}

# What these are about is not visible on the network: nothing is to be learned of a client that reports no marks.
UNSEEN = {
    "brand-clock-fast-by-five-minutes",
    "brand-token-endpoint-down-for-a-minute",
    "claim-missing",
    "duplicate-push",
    "key-rotated-at-midnight",
    "push-arrives-30s-late",
}

# A policy is played where it makes a difference; a variant without one is played everywhere.
POLICIES = {
    "defers push": {
        "duplicate-push",
        "push-of-the-brands-own",
        "push-token-changes",
        "pusher-down-for-31s",
        "pusher-down-for-good",
        "registration-refused-as-expired",
        "session-revoked-by-the-brand",
        "socket-refused-for-31s",
        "unregister-fails-twice-at-sign-out",
    },
    "has no push": {
        "engagement-without-details",
        "gateway-says-502-without-a-body",
        "logged-out-from-outside",
        "token-expires-mid-conversation",
        "unread-count-fails-three-times",
    },
    # After 4401 the app logs the user out (SDK flows, User is logged out of the App 1) instead of reconnecting.
    "logs out": {"logged-out-from-outside", "logged-out-on-another-device", "session-revoked-by-the-brand"},
    # The user presses the button while the app still registers.
    "hasty": {
        "answers-late-by-20s",
        "html-error-page-from-a-gateway",
        "idp-slow-then-503-then-well",
        "monitoring-loads-the-account",
        "pusher-down-for-31s",
        "rate-limited-with-retry-after",
        "slow-network",
        "truncated-json",
    },
    # The user closes the window for a while and comes back.
    "leaves": {
        "answer-lost-after-a-message",
        "push-while-in-chat",
        "socket-closed-1001-during-a-message",
    },
    # The process dies with the window open, and starts again.
    "restarts": {
        "answer-lost-after-a-message",
        "code-reused-after-back-navigation",
        "duplicate-push",
        "messages-out-of-order",
        "push-token-changes",
        "stale-badge",
        "token-expires-mid-conversation",
    },
    # Somebody else logs in on the same phone afterwards; proactive pushes go on for the first (unregister AGENT).
    "two people": {
        "answer-lost-after-a-message",
        "push-arrives-30s-late",
        "registration-refused-as-expired",
        "unregister-answer-lost",
        "unregister-fails-twice-at-sign-out",
    },
}


def fits(scenario, variant):
    """Whether the scenario can happen to the variant, and the variant makes a difference."""
    need = SCENARIOS[scenario][0]
    happens = {
        EVERYBODY: True,
        SIGNED_IN: not variant.anonymous,
        ANONYMOUS: variant.anonymous,
        CODE: variant.flow == "code",
        IMPLICIT: variant.flow == "implicit",
        PUSH: variant.gets_pushes,
        CLOCK: variant.ios and variant.flow == "implicit",
        NO_RESENDING: not variant.resends_posts,
    }
    judged = variant.marks or scenario not in UNSEEN
    return happens[need] and judged and (not variant.policy or scenario in POLICIES[variant.policy])


def story(plan):
    async def tell(variant, habit):
        await Story(plan, variant, habit).tell()

    return tell


STORIES = {scenario: story(plan) for scenario, (_, plan) in SCENARIOS.items()}
