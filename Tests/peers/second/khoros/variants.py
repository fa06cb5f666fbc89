"""The apps that are played: platforms, users, and the choices that the documents leave open."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """One app and its user. `limit` is how long a request may take, in seconds."""

    platform: str
    reports_marks: bool = True
    limit: float = 60
    allows_pushes: bool = True
    renewals: int = 5
    follows_policy: bool = True
    is_urgent: bool = False
    connects_eagerly: bool = False
    logs_in_early: bool = False
    renews_subscriptions: bool = True
    shakes_hands_again_on_the_same_socket: bool = True
    repeats_push_token_soon: bool = False
    tells_of_typing: bool = False
    has_tablet: bool = False
    user: str = "steady"


VARIANTS = {
    "ios": Variant("ios", is_urgent=True),
    "ios-no-marks": Variant("ios", reports_marks=False, tells_of_typing=True),
    "ios-early": Variant("ios", logs_in_early=True, connects_eagerly=True, shakes_hands_again_on_the_same_socket=False),
    "ios-leaving": Variant("ios", user="leaves"),
    "ios-dying": Variant("ios", user="dies", is_urgent=True),
    "ios-with-tablet": Variant("ios", has_tablet=True, connects_eagerly=True),
    "android": Variant("android", limit=10, renews_subscriptions=False, repeats_push_token_soon=True),
    "android-no-marks": Variant("android", reports_marks=False, renews_subscriptions=False, shakes_hands_again_on_the_same_socket=False),
    "android-hasty": Variant("android", connects_eagerly=True, tells_of_typing=True, repeats_push_token_soon=True, user="hasty"),
    "android-patient": Variant("android", allows_pushes=False, renewals=1, follows_policy=False, renews_subscriptions=False, user="slow"),
    "android-dying": Variant("android", renews_subscriptions=False, shakes_hands_again_on_the_same_socket=False, user="dies"),
    "web": Variant("web", allows_pushes=False, limit=30, is_urgent=True),
}

NEED_PUSHES = ("push-from-another-sender", "push-token-refused-once")
# The story has a second device itself.
NEED_ONE_DEVICE = ("second-device-joins",)


def fits(scenario, variant):
    """Whether the variant can tell the scenario's story."""
    if scenario in NEED_PUSHES and not variant.allows_pushes:
        return False
    return not (scenario in NEED_ONE_DEVICE and variant.has_tablet)
