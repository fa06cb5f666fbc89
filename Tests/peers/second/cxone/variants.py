"""Clients that are good, each in its way."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """A platform, a kind of channel, and a policy.

    `leaves` is how the user goes between two visits: home, in-chat (home, straight from the chat), window (only the chat is left, the app stays),
    dies (the process ends), signs-out (somebody else uses the phone next). `pages` is the order in which a page's end and a new visit are
    reported, `refreshes` when an access token is renewed. `thinks` and `away` are seconds: before an action, and between two visits. `beside`
    names the variant that another customer uses at the same time; with `is_same_customer` it is the same customer's other device, used
    afterwards. `only` has the scenarios that show the policy, if not all do.
    """

    name: str
    platform: str
    mode: str
    reports_marks: bool = True
    leaves: str = "home"
    pages: str = "page-first"
    refreshes: str = "early"
    fetches_again: bool = False
    screen_stays_on: bool = False
    reports_window: bool = False
    thinks: float = 2
    away: float = 8
    beside: str = ""
    is_same_customer: bool = False
    only: tuple = ()


RETURNS = (
    "analytics-down",
    "code-reused-at-authorize",
    "configuration-fails",
    "form-before-the-first-message",
    "gateway-drops-during-a-message",
    "large-event-404",
    "large-event-fetched",
    "message-refused",
    "recover-failed-is-no-failure",
    "thread-closed-by-the-agent",
    "two-threads",
    "visitor-update-cut",
    "welcome-before-the-first-message",
)
STAYS_CONNECTED = tuple(scenario for scenario in RETURNS if not scenario.startswith(("large-event", "recover-failed")))
# The next customer would be refused as well, and has no threads.
SHARED_PHONE = tuple(scenario for scenario in STAYS_CONNECTED if scenario not in ("message-refused", "two-threads"))
SIGN_IN = ("code-expired-at-authorize", "code-reused-at-authorize", "token-expires-before-a-message", "wrong-key-at-authorize")
TOGETHER = ("analytics-down", "configuration-fails", "gateway-drops-during-a-message", "message-refused", "recover-failed-is-no-failure")


def plain():
    """Each platform in each kind of channel, with marks and without."""
    for platform in ("ios", "android", "web"):
        for mode in ("single", "multi", "live"):
            yield Variant(f"{platform}-{mode}", platform, mode)
            yield Variant(f"{platform}-{mode}-no-marks", platform, mode, reports_marks=False)


def with_a_policy():
    yield Variant("ios-single-dies", "ios", "single", leaves="dies", only=RETURNS)
    yield Variant("android-multi-dies-no-marks", "android", "multi", leaves="dies", reports_marks=False, only=RETURNS)
    yield Variant("ios-live-in-chat", "ios", "live", leaves="in-chat", only=RETURNS)
    yield Variant("android-single-in-chat-no-marks", "android", "single", leaves="in-chat", reports_marks=False, only=RETURNS)
    yield Variant("android-single-window", "android", "single", leaves="window", only=STAYS_CONNECTED)
    yield Variant("ios-multi-signs-out", "ios", "multi", leaves="signs-out", only=SHARED_PHONE)
    yield Variant("ios-single-quick", "ios", "single", thinks=0.5, away=1, only=("background-during-prepare", *RETURNS))
    yield Variant("web-live-quick-no-marks", "web", "live", reports_marks=False, thinks=0.5, away=1, only=("background-during-prepare", *RETURNS))
    yield Variant("ios-single-reactive", "ios", "single", refreshes="when-refused", only=("token-expires-before-a-message",))
    yield Variant("web-live-reactive", "web", "live", refreshes="when-refused", only=("token-expires-before-a-message",))
    yield Variant("android-single-fetches-again", "android", "single", fetches_again=True, only=("large-event-404",))
    yield Variant("ios-single-screen-on", "ios", "single", screen_stays_on=True, only=("visit-expires",))
    yield Variant("android-single-visit-first", "android", "single", screen_stays_on=True, pages="visit-first", only=("visit-expires",))
    yield Variant("ios-single-as-the-page", "ios", "single", screen_stays_on=True, pages="as-the-page", only=("visit-expires",))
    yield Variant("android-multi-slow", "android", "multi", thinks=8, reports_window=True, only=RETURNS)
    yield Variant("ios-single-and-web", "ios", "single", beside="web-single", only=TOGETHER)
    yield Variant("ios-single-and-android", "ios", "single", beside="android-single", is_same_customer=True, only=SIGN_IN)


VARIANTS = {variant.name: variant for variant in (*plain(), *with_a_policy())}
