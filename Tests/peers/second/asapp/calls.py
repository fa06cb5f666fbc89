"""The calls that need a session."""

import asyncio
from dataclasses import dataclass, field

import habits
from session import pause
from wire import Answer


@dataclass(eq=False)
class Call:
    """One call: what is sent, how often it may be sent again, and where its answer is awaited."""

    method: str
    path: str
    body: dict | None = None
    patience: int = 1
    with_context: bool = False
    attempts: int = 0
    sessions: int = 0
    refreshed: bool = False
    answer: asyncio.Future = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Calls:
    """The calls of one user. They wait for the session, and are sent again after a new one, after a pause, or with fresh credentials."""

    def __init__(self, machine, wire, session):
        self.machine = machine
        self.wire = wire
        self.session = session
        self.waiting = []

    def send(self, call):
        if self.session.state == "ended":
            self.finish(call, Answer(0))
        elif self.session.state == "open":
            self.machine.start(self.perform(call, self.session.token), self.answered, call, self.session.token)
        else:
            self.waiting.append(call)
            self.session.need()

    async def perform(self, call, token):
        body = call.body
        if call.with_context:
            context = await self.session.user.context(call.refreshed)
            body = {**body, "context": context or {}}
        return await self.wire.call(call.method, call.path, token, body)

    def answered(self, call, token, answer):
        if answer.session_gone and call.sessions < 2:
            call.sessions += 1
            if not habits.has("uses-a-dead-session"):
                self.session.lost(token)
            self.send(call)
        elif answer.context_expired and call.with_context and not call.refreshed:
            call.refreshed = True
            self.send(call)
        elif answer.passing and call.attempts + 1 < call.patience:
            wait = 0.0 if habits.has("ignores-retry-after") else answer.retry_after or pause(call.attempts)
            call.attempts += 1
            if habits.has("new-id-for-a-retry") and "clientMessageId" in (call.body or {}):
                call.body = {**call.body, "clientMessageId": f"{call.body['clientMessageId']}-{call.attempts}"}
            self.machine.after(wait, self.send, call)
        else:
            self.finish(call, answer)

    @staticmethod
    def finish(call, answer):
        if not call.answer.done():
            call.answer.set_result(answer)

    def resume(self):
        """The session is open."""
        ready, self.waiting = self.waiting, []
        for call in ready:
            self.send(call)

    def abandon(self):
        """There will be no session."""
        lost, self.waiting = self.waiting, []
        for call in lost:
            self.finish(call, Answer(401))
