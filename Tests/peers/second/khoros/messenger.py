"""The SDK of one device, as the app sees it."""

import asyncio
from dataclasses import dataclass
from typing import Callable

import habits
from calls import Calls
from machine import Machine
from realtime import Realtime
from registration import Registration
from session import Session
from stage import Refused, Stage
from talk import Talk
from wire import Wire


@dataclass(frozen=True)
class Asked:
    """The app called."""

    act: Callable
    arguments: tuple
    promise: asyncio.Future


class Messenger:
    """All calls return a future at once. The app gives JWTs (`on_invalid_token`) and hears `on_message` and `on_reauthenticated`."""

    def __init__(self, variant, clock, store, authority, app, failed):
        self.variant = variant
        self.store = store
        self.app = app
        self.stage = Stage.CLOSED
        self.postponed = []
        self.in_foreground = True
        self.machine = Machine(clock, failed)
        self.machine.on(Asked, self.on_asked)
        self.wire = Wire(variant.platform, store, clock, variant.limit, variant.allows_pushes, authority)
        self.calls = Calls(self.machine, self.wire, store, variant, app.on_invalid_token)
        self.talk = Talk(self)
        self.realtime = Realtime(self.machine, self.calls, store, variant, self.talk, authority)
        self.registration = Registration(self)
        self.session = Session(self)
        self.calls.on_renewed_call = self.session.on_renewed_call

    @property
    def conversation(self):
        return self.talk.conversation

    @property
    def is_subscribed(self):
        return self.realtime.subscribed

    def start(self):
        return self.ask(self.session.start)

    def login(self, user_id, jwt):
        return self.ask(self.session.login, user_id, jwt)

    def logout(self):
        return self.ask(self.session.logout)

    def send(self, text):
        return self.ask(self.talk.send, text)

    def report_activity(self, kind):
        return self.ask(self.talk.report_activity, kind)

    def read_messages(self):
        return self.ask(self.talk.read_messages)

    def set_push_token(self, token):
        return self.ask(self.registration.set_token, token)

    def enter_foreground(self):
        return self.ask(self.session.enter_foreground)

    def enter_background(self):
        return self.ask(self.session.enter_background)

    def ask(self, act, *arguments):
        promise = asyncio.get_running_loop().create_future()
        self.machine.post(Asked(act, arguments, promise))
        return promise

    def on_asked(self, event):
        if self.stage in (Stage.READY, Stage.CLOSED) or self.stage is Stage.LOGGING_IN and habits.has("talks-before-the-login"):
            event.act(event.promise, *event.arguments)
        else:
            # Once a login has succeeded, the SDK is ready to communicate, and not before (End User Login).
            self.postponed.append(event)

    def enter(self, stage):
        self.stage = stage
        while self.stage is Stage.READY and self.postponed:
            self.on_asked(self.postponed.pop(0))

    def settle(self, promise, what, answer):
        """Tells the app how its call ended."""
        if answer.good:
            promise.set_result(None)
        else:
            promise.set_exception(Refused(what, answer))

    def stop(self):
        self.machine.stop()
