"""A bot that stays connected."""

import contextlib
from collections import Counter

from channel import Channel
from failures import Failure, GaveUp
from login import Login
from pauses import Pauses

KEEP_ALIVE = 30  # seconds: LivePerson, retry policy, wants something on the socket every 30 s
REFRESH = 600  # node-agent-sdk extends its session every ten minutes
PATIENCE = 240  # how long a play may take


class Bot:
    """Signs in, opens its socket, subscribes, keeps alive what it has, and gets back what it has lost. It answers nobody."""

    def __init__(self, sandbox, variant, random):
        self.sandbox, self.variant = sandbox, variant
        self.login = Login(sandbox, variant.keeps_cookie)
        self.pauses = Pauses(variant.schedule, variant.spread, random)
        self.session = None
        self.has_opened = False  # a socket with this session's bearer
        self.refresh_at = 0
        self.failed = Counter()  # by operation: how often in a row

    def live(self, seconds, in_all=0):
        """Until a subscribed socket has lasted so long, and the bot's life too; then the bot signs out."""
        until = self.sandbox.now() + in_all
        while True:
            channel = self.connect()
            try:
                self.stay(channel, max(seconds, until - self.sandbox.now()))
                break
            except Failure as failure:
                self.recover(failure)
                self.prepare_reopening()
            finally:
                channel.close()
        self.sign_out()

    def connect(self):
        """An open and subscribed socket, however many attempts that takes."""
        while True:
            try:
                return self.try_to_connect()
            except Failure as failure:
                self.recover(failure)

    def try_to_connect(self):
        if not self.session:
            self.session, self.has_opened = self.login.sign_in(), False
            self.failed["login"], self.refresh_at = 0, self.sandbox.now() + REFRESH
        channel = Channel(self.sandbox, self.session)
        try:
            channel.subscribe()
        except Failure:
            channel.close()
            raise
        self.has_opened = True
        return channel

    def stay(self, channel, seconds):
        """Keeps the socket and the session alive for so long; a Failure if either is lost."""
        opened = self.sandbox.now()
        keep_alive = opened + KEEP_ALIVE
        while (now := self.sandbox.now()) < opened + seconds:
            if now >= opened + self.variant.settled_after:
                self.failed["socket"] = self.failed["request"] = self.failed["bearer"] = 0
            if now >= keep_alive:
                self.keep_alive(channel)
                keep_alive += KEEP_ALIVE
            if now >= self.refresh_at and self.variant.keeps_cookie:
                self.refresh()
            channel.receive((min(keep_alive, opened + seconds) - now) * self.sandbox.scale)

    def keep_alive(self, channel):
        channel.keep_alive(self.variant.keep_alive)

    def refresh(self):
        """Extends the session; a Failure where it is over."""
        try:
            self.login.refresh(self.session)
        except Failure as failure:
            if failure.wants_a_new_bearer:
                raise
            self.failed["refresh"] += 1
            self.refresh_at = self.sandbox.now() + self.pauses.before(self.failed["refresh"], failure)
        else:
            self.failed["refresh"], self.refresh_at = 0, self.sandbox.now() + REFRESH

    def prepare_reopening(self):
        """What a variant does between losing a socket and opening the next."""
        if self.variant.before_reopening == "sign-in":
            self.session = None
        elif self.variant.before_reopening == "refresh" and self.session:
            try:
                self.refresh()
            except Failure:
                self.session = None

    def recover(self, failure):
        """What has to be done after a failure, before the next attempt."""
        if failure.is_the_bots_own:
            raise GaveUp(f"{failure}; that is not to be repeated unchanged")
        operation = failure.operation
        if failure.wants_a_new_bearer:
            self.session, operation = None, "bearer"
        self.failed[operation] += 1
        # Signing in again repeats nothing, except where the bearer has never been good, or was lost a moment ago.
        is_repeated = self.failed[operation] > 1 or operation != "bearer" or not self.has_opened
        if is_repeated or self.variant.waits_for_a_new_bearer:
            self.pause(self.pauses.before(self.failed[operation], failure), failure)

    def pause(self, seconds, failure):
        if self.sandbox.now() + seconds > PATIENCE:
            raise GaveUp(f"no open socket in {PATIENCE} s of the sandbox's time; at last {failure}")
        self.sandbox.sleep(seconds)

    def sign_out(self):
        # A session that LivePerson has ended itself needs no end.
        with contextlib.suppress(Failure):
            self.login.sign_out(self.session)
        self.session = None
