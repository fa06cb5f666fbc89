"""Bad habits of an otherwise good bot."""

import contextlib

from bot import Bot
from channel import Channel
from failures import Failure, GaveUp

HABITS = {
    "bot-retries-at-once": "repeats a failed login at once, without a pause",
    "bot-retries-each-second": "repeats a failed login each second",
    "bot-ignores-429": "repeats a throttled login at once, whatever Retry-After says",
    "bot-hurries-after-429": "repeats a throttled login after 1.3 s",
    "bot-insists-on-its-password": "signs in with a wrong password, unchanged, each second, eight times",
    "bot-signs-in-in-a-storm": "signs in again thirty times in ten seconds, though each login works",
    "bot-reconnects-in-a-storm": "opens a new socket thirty times in ten seconds, though each opens",
    "bot-never-reconnects": "goes on for three minutes without the socket that it has lost",
    "bot-keeps-its-old-bearer": "goes on opening its socket with the bearer that was refused, every ten seconds for three minutes",
    "bot-says-nothing": "sends nothing to keep its socket alive, for three minutes",
}
STORM, STORM_LASTS = 30, 10
DEED_LASTS = 180


class BadBot(Bot):
    """A bot with one of the habits."""

    def __init__(self, habit, *parts):
        super().__init__(*parts)
        self.habit, self.has_done_it = habit, False
        self.silent_until = None

    def live(self, *lengths):
        if self.habit == "bot-insists-on-its-password":
            return self.insist()
        if self.habit.endswith("in-a-storm"):
            self.storm()
        super().live(*lengths)
        if not self.has_done_it:
            raise GaveUp(f"nothing led the bot to its habit {self.habit}")

    def pause(self, seconds, failure):
        if failure.operation == "login":
            instead = {"bot-retries-at-once": 0, "bot-retries-each-second": 1}
            if failure.is_throttled:
                instead |= {"bot-ignores-429": 0, "bot-hurries-after-429": 1.3}
            self.has_done_it |= self.habit in instead
            seconds = instead.get(self.habit, seconds)
        super().pause(seconds, failure)

    def recover(self, failure):
        if self.habit == "bot-never-reconnects" and failure.close_code:
            self.sandbox.sleep(DEED_LASTS)
        elif self.habit == "bot-keeps-its-old-bearer" and failure.wants_a_new_bearer:
            self.insist_on_the_bearer()
        else:
            return super().recover(failure)
        self.sign_out()
        raise SystemExit(0)

    def stay(self, channel, seconds):
        if self.habit == "bot-says-nothing":  # for three minutes in all, on however many sockets
            self.silent_until = self.silent_until or self.sandbox.now() + DEED_LASTS
            seconds = self.silent_until - self.sandbox.now()
        super().stay(channel, seconds)

    def keep_alive(self, channel):
        if self.habit == "bot-says-nothing":
            self.has_done_it = True
        else:
            super().keep_alive(channel)

    def insist(self):
        for _ in range(8):
            try:
                self.login.sign_in("agent-sceret")
                raise GaveUp("the wrong password is taken")
            except Failure:
                self.sandbox.sleep(1)

    def storm(self):
        """Thirty times in ten seconds; then it lives on with the last session."""
        channel, started = self.connect(), self.sandbox.now()
        for beat in range(1, STORM + 1):
            self.sandbox.sleep(started + beat * STORM_LASTS / STORM - self.sandbox.now())
            if self.habit == "bot-signs-in-in-a-storm":
                self.session = self.login.sign_in()
            else:
                channel.close()
                channel = self.connect()
        channel.close()
        self.has_done_it = True

    def insist_on_the_bearer(self):
        """Each ten seconds; where the bearer is taken after all, it keeps the socket."""
        until = self.sandbox.now() + DEED_LASTS
        while self.sandbox.now() < until:
            self.sandbox.sleep(10)
            with contextlib.suppress(Failure):
                with contextlib.closing(Channel(self.sandbox, self.session)) as channel:
                    channel.subscribe()
                    self.stay(channel, until - self.sandbox.now())
        self.sandbox.sleep(60)
