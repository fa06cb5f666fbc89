"""How the SDK makes its calls: repeated with a new JWT where the old one is refused, and by the policy of the configuration."""

import random
from dataclasses import dataclass, field
from typing import Any, Callable

import habits
from wire import Answer

DEFAULT_POLICY = {"intervals": {"regular": 60, "aggressive": 15}, "backoffMultiplier": 2, "maxRetries": 5}


@dataclass(eq=False)
class Call:
    """One request of the SDK with all its transmissions."""

    method: str
    path: str
    body: dict | None
    then: Callable[[Answer], None]
    follows_policy: bool = False
    era: int = 0
    jwt: str | None = None
    renewals: int = 0
    retries: int = 0


@dataclass(frozen=True)
class Answered:
    """A transmission has its answer, or has none."""

    call: Call
    answer: Answer


@dataclass(frozen=True)
class Renewed:
    """The app's delegate has a new JWT, or none."""

    jwt: str | None
    era: int
    then: Callable[[Any], None] = field(repr=False)


class Calls:
    """The calls in flight."""

    def __init__(self, machine, wire, store, variant, delegate):
        self.machine = machine
        self.wire = wire
        self.store = store
        self.variant = variant
        self.delegate = delegate
        self.policy = DEFAULT_POLICY
        self.era = 0
        self.on_renewed_call = None
        machine.on(Answered, self.on_answered)
        machine.on(Renewed, self.on_renewed)

    def make(self, method, path, body, then, follows_policy=False):
        self.transmit(Call(method, path, body, then, follows_policy, self.era))

    def forget(self):
        """The user has gone: nothing of theirs is repeated (KBM-10)."""
        self.era += 1

    def transmit(self, call):
        if call.era == self.era:
            call.jwt = self.store.jwt
            self.machine.perform(self.wire.send(call.method, call.path, call.body), lambda answer: Answered(call, answer))

    def on_answered(self, event):
        call, answer = event.call, event.answer
        if call.era != self.era:
            return
        if self.refuses_jwt(answer) and call.jwt and self.may_renew(call):
            call.renewals += 1
            # Another call may have brought a new JWT meanwhile, which this one has not tried.
            if call.jwt != self.store.jwt and not habits.has("asks-the-brand-for-each-call"):
                self.transmit(call)
            else:
                self.renew(lambda jwt: self.transmit(call) if jwt else call.then(answer))
        elif call.follows_policy and answer.overloaded and call.retries < self.policy["maxRetries"]:
            self.machine.later(max(self.wait(call.retries), answer.retry_after), lambda: self.transmit(call))
            call.retries += 1
        else:
            call.then(answer)
            if answer.good and call.renewals:
                self.on_renewed_call(call)

    def may_renew(self, call):
        return call.renewals < (30 if habits.has("asks-for-jwts-too-often") else self.variant.renewals)

    def refuses_jwt(self, answer):
        """iOS and Web look at the code, Android at the status (Khoros reference 1.6)."""
        if habits.has("sets-no-delegate"):
            return False
        if self.variant.platform == "android":
            return answer.status == 401
        return answer.code == "invalid_auth"

    def wait(self, retries):
        """Khoros reference 1.10: the interval of the configuration, times the multiplier for each retry, and some jitter."""
        interval = self.policy["intervals"]["aggressive" if self.variant.is_urgent else "regular"]
        if habits.has("retries-logins-at-once"):
            return 0
        if habits.has("never-waits-longer"):
            return interval
        return interval * self.policy["backoffMultiplier"] ** retries * random.uniform(1, 1.1)

    def renew(self, then):
        """Asks the app for another JWT; without one the refusal stands."""
        era = self.era
        self.machine.perform(self.delegate(), lambda jwt: Renewed(jwt, era, then))

    def on_renewed(self, event):
        if event.era == self.era:
            if event.jwt:
                self.store.jwt = event.jwt
            event.then(event.jwt)
