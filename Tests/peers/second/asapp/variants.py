"""How good clients differ."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Variant:
    """A phone, an app's policies, and a user. The documents leave all of these open."""

    platform: str = "ios"
    marks: bool = True
    user: str = "present"
    devices: int = 1
    has_backend: bool = True
    is_middleware: bool = False
    device_token: str = "apns"
    context_with_push: bool = True
    starts_session_early: bool = False
    keeps_session: bool = False
    renews_early: bool = False
    registers_anonymous: bool = False
    removes_old_token: bool = True
    postpones_sign_out: bool = False
    user_sends_again: bool = False
    reads_status_after_push: bool = False
    reads_status_again: bool = False


IOS = Variant()
ANDROID = Variant(platform="android", device_token="fcm", context_with_push=False, keeps_session=True, removes_old_token=False)

VARIANTS = {
    "ios": IOS,
    "ios-no-marks": replace(IOS, marks=False, reads_status_after_push=True),
    "ios-built-in-backend": replace(IOS, has_backend=False, postpones_sign_out=True, user_sends_again=True),
    "ios-returning": replace(IOS, user="returning", reads_status_again=True),
    "ios-restarted": replace(IOS, user="restarting", starts_session_early=True),
    "ios-two-devices": replace(IOS, devices=2, reads_status_after_push=True),
    "android": ANDROID,
    "android-no-marks-built-in-backend": replace(ANDROID, marks=False, has_backend=False, context_with_push=True),
    "android-restarted": replace(ANDROID, user="restarting", registers_anonymous=True),
    "android-slow": replace(ANDROID, user="slow", postpones_sign_out=True, user_sends_again=True, reads_status_again=True),
    "android-middleware": replace(ANDROID, is_middleware=True, device_token="own", renews_early=True, removes_old_token=True),
    "android-anonymous-first": replace(ANDROID, starts_session_early=True, registers_anonymous=True, user="returning"),
}


def fits(scenario, variant):
    """The renewal is of ada's device, and the sandbox cannot say which if she has two."""
    return not (scenario == "device-token-renewed" and variant.devices > 1)
