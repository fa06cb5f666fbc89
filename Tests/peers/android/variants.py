"""The ways of being equally good: each within what the document allows."""
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Options:
    """How the app is built, and what its user is like."""

    flow: str = "code"  # or implicit, or pkce
    page: bool = False  # signs in on the provider's page
    parallel: bool = False  # looks the services up one by one, at the same time
    jitter: bool = False  # waits of a schedule are off by up to 15 %
    patient: bool = False  # waits longer than a Retry-After asks
    retries: int = 5
    pushes: bool = True
    two_users: bool = False
    two_devices: bool = False
    restart: bool = False  # the app is killed in the middle, and started again
    other_case: bool = False  # header names in other case, members in other order, more headers
    by_header: bool = False  # the socket is authenticated by header, not by InitConnection
    marks: bool = True
    impatient: bool = False  # the user does not wait for anything


PLAIN = Options()
VARIANTS = {
    "plain": PLAIN,
    "implicit": replace(PLAIN, flow="implicit"),
    "pkce": replace(PLAIN, flow="pkce"),
    "parallel": replace(PLAIN, parallel=True),
    "page": replace(PLAIN, page=True),
    "jitter": replace(PLAIN, jitter=True),
    "patient": replace(PLAIN, patient=True),
    "three": replace(PLAIN, retries=3),
    "no-push": replace(PLAIN, pushes=False),
    "two-users": replace(PLAIN, two_users=True),
    "two-devices": replace(PLAIN, two_devices=True),
    "restart": replace(PLAIN, restart=True),
    "other-case": replace(PLAIN, other_case=True),
    "by-header": replace(PLAIN, by_header=True),
    "no-marks": replace(PLAIN, marks=False),
    "impatient-user": replace(PLAIN, impatient=True),
}
