"""Which story is played in which variants."""

import stories
from variants import HABITS, MODES, PLATFORMS

MOBILE = ("ios", "android")

# scenario: (story, platforms, modes)
SCENARIOS = {
    "configuration-fails": (stories.opens_and_talks, PLATFORMS, MODES),
    "visitor-update-cut": (stories.opens_and_talks, MOBILE, MODES),
    "analytics-down": (stories.analytics_down, MOBILE, MODES),
    "background-during-prepare": (stories.background_during_prepare, MOBILE, MODES),
    "live-chat-offline": (stories.live_chat_offline, PLATFORMS, ("live",)),
    "code-reused-at-authorize": (stories.signs_in, PLATFORMS, MODES),
    "code-expired-at-authorize": (stories.signs_in, PLATFORMS, MODES),
    "wrong-key-at-authorize": (stories.signs_in, PLATFORMS, MODES),
    "token-expires-before-a-message": (stories.token_expires, PLATFORMS, MODES),
    "recover-failed-is-no-failure": (stories.recover_failed, PLATFORMS, ("single",)),
    "large-event-fetched": (stories.large_event, PLATFORMS, MODES),
    "large-event-404": (stories.large_event, PLATFORMS, MODES),
    "quiet-sockets-are-closed": (stories.sits_for_a_minute, PLATFORMS, MODES),
    "heartbeat-unanswered": (stories.sits_for_three_minutes, PLATFORMS, MODES),
    "gateway-drops-during-a-message": (stories.gateway_drops, PLATFORMS, MODES),
    "thread-closed-by-the-agent": (stories.thread_closed, PLATFORMS, MODES),
    "end-contact": (stories.ends_contact, PLATFORMS, ("live",)),
    "end-contact-refused": (stories.ends_contact, PLATFORMS, ("live",)),
    "sdk-version-refused": (stories.opens_only, PLATFORMS, MODES),
    "welcome-before-the-first-message": (stories.welcome, PLATFORMS, MODES),
    "form-before-the-first-message": (stories.opens_and_talks, PLATFORMS, MODES),
    "two-threads": (stories.two_threads, PLATFORMS, ("multi",)),
    "visit-expires": (stories.visit_expires, MOBILE, ("single", "live")),
    "message-refused": (stories.gateway_drops, PLATFORMS, MODES),
    "transaction-token-expires": (stories.transaction_token_expires, PLATFORMS, MODES),
}


def variants_of(scenario):
    """All variants of a scenario: every SDK and mode, and some of them with habits."""
    _, platforms, modes = SCENARIOS[scenario]
    plain = [f"{platform}-{mode}" for platform in platforms for mode in modes]
    if scenario == "sdk-version-refused":
        return plain
    return plain + [f"{plain[(number * 2) % len(plain)]}-{habit}" for number, habit in enumerate(HABITS)] \
        + [f"{plain[(number * 2 + 1) % len(plain)]}-{habit}" for number, habit in enumerate(HABITS) if len(plain) > 1]


def lines():
    """The listing, one line a scenario and variant."""
    return [f"{scenario} {variant}" for scenario in SCENARIOS for variant in variants_of(scenario)]
