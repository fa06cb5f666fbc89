"""Talkdesk's mobile SDK as the guide describes it: a state machine that one queue of events drives."""

import asyncio

from events import Answered, Authorized, AuthorizationTimedOut, Call, Moved, NotAuthorized, PollDue, Requested, Resumed


class TalkdeskSDK:
    """Opens one interaction at a time, and asks its delegate for an authorization when there is none or when it has expired."""

    authorization_timeout_seconds = 30

    def __init__(self, clock, gateway, delegate, observer, variant, habits):
        self.clock = clock
        self.gateway = gateway
        self.delegate = delegate
        self.observer = observer
        self.variant = variant
        self.habits = habits
        self.events = asyncio.Queue()
        self.sending = set()
        self.state = "idle"  # then starting, open, and in the end ended or failed
        self.in_front = True
        self.interaction = None
        self.token = None
        self.first_token = None
        self.waiting = []  # calls that need an authorization
        self.abandoned = []
        self.asked = 0
        self.limit = None  # the timer of the authorization that the app has been asked for
        self.poll = None
        self.handlers = {
            Requested: self.on_requested,
            Resumed: self.on_resumed,
            Authorized: self.on_authorized,
            NotAuthorized: self.on_not_authorized,
            AuthorizationTimedOut: self.on_authorization_timed_out,
            Answered: self.on_answered,
            PollDue: self.on_poll_due,
            Moved: self.on_moved,
        }

    # What the app calls.

    def start(self, app_id, intention):
        self.events.put_nowait(Requested(Call("start", "POST", body={"app_id": app_id, "intention": intention})))

    def resume(self, interaction):
        self.events.put_nowait(Resumed(interaction))

    def say(self, text):
        self.events.put_nowait(Requested(Call("say", "POST", "/messages", {"text": text})))

    def read(self):
        self.events.put_nowait(PollDue())

    def end(self):
        self.events.put_nowait(Requested(Call("end", "DELETE")))

    def authorize(self, authorization):
        self.events.put_nowait(authorization)

    def move(self, to_front):
        self.events.put_nowait(Moved(to_front))

    async def run(self):
        try:
            while True:
                event = await self.events.get()
                await self.handlers[type(event)](event)
        finally:
            self.cancel_timers()
            for task in self.sending:
                task.cancel()

    # Interactions.

    async def on_requested(self, event):
        call = event.call
        if call.kind == "start":
            if self.state in ("starting", "open"):
                return
            self.state = "starting"
            self.interaction = None
        elif self.state != "open":
            return
        if self.habits.has("token-for-each-message"):
            self.token = None
        await self.submit(call)

    async def on_resumed(self, event):
        self.interaction = event.interaction
        self.state = "open"
        await self.submit(Call("read", "GET"))

    async def on_poll_due(self, _):
        if self.state == "open" and self.in_front and not any(call.kind == "read" for call in self.waiting):
            await self.submit(Call("read", "GET"))

    async def on_moved(self, event):
        self.in_front = event.to_front
        if event.to_front:
            await self.on_poll_due(event)

    async def on_answered(self, event):
        call, status = event.call, event.status
        of_another = call.kind != "start" and not call.path.startswith(f"/{self.interaction}")
        if self.state not in ("starting", "open") or of_another:
            return
        if status == 401:
            await self.on_refused(call)
        elif call.kind == "read":
            self.schedule_poll()
            if status == 200:
                self.observer.interaction_read(event.body["messages"])
                if event.body["state"] in ("ended", "failed"):
                    self.finish("ended", event.body.get("reason", ""))
        elif call.kind == "start" and status == 201:
            self.state = "open"
            self.interaction = event.body["id"]
            self.observer.interaction_started(self.interaction)
            self.schedule_poll()
        elif call.kind == "say" and status == 201:
            self.observer.message_sent(call.body["text"])
            if not self.variant.polls_every:
                self.read()
        elif call.kind == "end" and status in (204, 409):
            self.finish("ended", "closed_by_person")
        elif call.kind == "say":
            self.observer.message_failed(call.body["text"])
        else:
            self.finish("failed", "network" if status is None else f"status {status}")

    def schedule_poll(self):
        if self.variant.polls_every:
            if self.poll:
                self.poll.cancel()
            self.poll = self.clock.call_later(self.variant.polls_every, self.read)

    def finish(self, state, reason):
        self.state = state
        self.waiting = []
        self.cancel_timers()
        self.observer.interaction_finished(state, reason)

    def cancel_timers(self):
        for timer in (self.poll, self.limit):
            if timer:
                timer.cancel()
        self.poll = self.limit = None

    # Authorization.

    async def submit(self, call):
        """Sends a call, after an authorization if there is none."""
        if self.token:
            self.transmit(call)
            return
        self.waiting.append(call)
        if not self.limit:
            self.asked += 1
            self.limit = self.clock.call_later(self.authorization_timeout_seconds, self.events.put_nowait, AuthorizationTimedOut(self.asked))
            await self.delegate.should_authorize()

    def transmit(self, call):
        call.token = self.token
        if call.kind == "read" and self.habits.has("polls-with-the-first-token"):
            self.first_token = call.token = self.first_token or self.token
        if call.kind != "start" and not call.path.startswith(f"/{self.interaction}"):
            call.path = f"/{self.interaction}{call.path}"
        task = asyncio.create_task(self.exchange(call))
        self.sending.add(task)
        task.add_done_callback(self.sending.discard)

    async def exchange(self, call):
        self.events.put_nowait(await self.gateway.send(call))

    def flush(self):
        waiting, self.waiting = self.waiting, []
        for call in waiting:
            self.transmit(call)

    async def on_refused(self, call):
        """Talkdesk reference 3.5: asks the delegate again, then repeats the call once."""
        if call.kind == "read" and self.habits.has("polls-with-the-first-token"):
            self.schedule_poll()
            return
        if self.habits.has("resends-the-old-token") and not call.repeated:
            call.repeated = True
            self.transmit(call)
            return
        if call.token == self.token:
            self.token = None
        if call.repeated and not self.habits.has("repeats-without-end") or self.habits.has("ends-at-401"):
            await self.observer.gave_up()
            self.finish("failed", "unauthorized")
            return
        call.repeated = True
        if call.kind != "start" and self.habits.has("new-interaction-at-401"):
            self.state = "starting"
            if call.kind == "say":
                self.observer.message_failed(call.body["text"])
            call = Call("start", "POST", body={"app_id": self.observer.app_id, "intention": "support"})
        await self.submit(call)

    async def on_authorized(self, event):
        if self.limit:
            self.limit.cancel()
            self.limit = None
            self.token = event.token
            self.flush()
        elif self.habits.has("starts-from-a-late-token") and self.abandoned:
            self.token = event.token
            self.state = "starting"
            self.waiting, self.abandoned = self.abandoned, []
            self.flush()
        elif self.variant.keeps_late_tokens and not self.token:
            self.token = event.token  # for the next interaction; the one that it was for has failed (Talkdesk reference 3.2)

    async def on_not_authorized(self, event):
        if not self.limit:
            return
        if self.habits.has("starts-without-a-token"):
            self.limit.cancel()
            self.limit = None
            self.flush()
            return
        self.finish("failed", f"not authorized: {event.reason}")

    async def on_authorization_timed_out(self, event):
        if self.limit and event.number == self.asked:
            self.abandoned = self.waiting
            await self.observer.authorization_timed_out()
            self.finish("failed", "timeout")
