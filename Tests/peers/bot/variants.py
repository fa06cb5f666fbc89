"""Ways of being a good bot."""

from typing import Callable, NamedTuple

from pauses import advised, doubling, of_the_sdk


class Variant(NamedTuple):
    schedule: Callable = advised  # of the pauses between retries
    spread: float = 0  # of the pauses, see Pauses
    before_reopening: str = "nothing"  # or "refresh" the session, or "sign-in" again
    keeps_cookie: bool = True
    keep_alive: str = "clock"  # .GetClock, "ping", or as the SDK and its sample bot "both"
    settled_after: float = 60  # seconds that a socket has to last for the pauses to begin at the first again
    waits_for_a_new_bearer: bool = False  # before it signs in after a 401; else at once, which repeats nothing


VARIANTS = {
    "plain": Variant(),
    "patient": Variant(schedule=doubling),
    "jitter": Variant(spread=0.2),
    "bearer-only": Variant(before_reopening="sign-in", keeps_cookie=False, keep_alive="ping"),
    "sdk": Variant(schedule=of_the_sdk, keep_alive="both", settled_after=0, waits_for_a_new_bearer=True),
    "refreshes": Variant(before_reopening="refresh"),
}
