"""The apps that play: each is good by the documents, and no two decide alike where the documents leave it open."""

from dataclasses import dataclass

ADA = (("ada", "brand-app-phone"),)
TWO_DEVICES = (("ada", "brand-app-phone"), ("ada", "ada-tablet"))
TWO_PEOPLE = (("ada", "brand-app-phone"), ("ben", "ben-phone"))


@dataclass(frozen=True)
class Variant:
    """One app with its backend and its users."""

    platform: str  # ios fetches tokens as the guide does, android as the published samples do (Talkdesk reference 3.3)
    reports_marks: bool = True
    signs_in: bool = True
    phones: tuple = ADA

    # The brand's backend: built into the mock, or the brand's own.
    own_backend: bool = False
    grant: str = "client_credentials"
    proof: str = "secret"
    backend_caches: bool = False
    backend_persists: bool = False  # solves within the app's request what can be solved, where others leave it to the app's next one

    # The app.
    fetches_ahead: bool = False
    keeps_late_tokens: bool = True
    cancels_fetches: bool = False  # when the interaction that a fetch was for has failed
    polls_every: float | None = 5  # seconds; None: reads only when something was said, or when the user comes back

    # The user.
    patience: float = 8  # seconds until the user tries again
    types_fast: bool = False  # sends two messages at once
    interlude: str = "stays"  # or wanders: leaves the app and comes back; or dies: the system ends the app, and the user opens it again


VARIANTS = {
    "ios": Variant("ios"),
    "ios-no-marks": Variant("ios", reports_marks=False, keeps_late_tokens=False, patience=20),
    "ios-ahead": Variant("ios", fetches_ahead=True),
    "ios-dies": Variant("ios", cancels_fetches=True, interlude="dies"),
    "ios-two-devices": Variant("ios", phones=TWO_DEVICES),
    "android": Variant("android", keeps_late_tokens=False, polls_every=None),
    "android-hasty": Variant("android", patience=1, polls_every=2, types_fast=True),
    "android-wanders": Variant("android", interlude="wanders", cancels_fetches=True),
    "android-no-sign-in": Variant("android", signs_in=False, patience=12),
    "android-two-people-no-marks": Variant("android", reports_marks=False, phones=TWO_PEOPLE, patience=1),
    "ios-own": Variant("ios", own_backend=True, proof="assertion"),
    "ios-own-code": Variant("ios", own_backend=True, grant="authorization_code", interlude="wanders"),
    "android-own-caches": Variant("android", own_backend=True, backend_caches=True, patience=1, phones=TWO_PEOPLE),
    "android-own-persists": Variant(
        "android", own_backend=True, grant="authorization_code", proof="assertion", backend_persists=True, polls_every=None, types_fast=True
    ),
    "android-own-persists-no-marks": Variant(
        "android", reports_marks=False, own_backend=True, proof="assertion", backend_persists=True, interlude="dies"
    ),
}
