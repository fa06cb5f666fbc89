"""The SDK as the app sees it."""

import habits
from calls import Call, Calls
from chat import Chat
from machine import Machine
from session import Session


class SDK:
    """Has one user at a time. Each method posts an event; those that the app awaits give an `Answer`."""

    def __init__(self, clock, wire, store, variant, authority, delegate):
        self.machine = Machine(clock)
        self.wire = wire
        self.store = store
        self.variant = variant
        self.authority = authority
        self.delegate = delegate
        self.calls = None
        self.chat = None

    def set_user(self, user):
        """Starts as that user. An anonymous user who signs in goes on with the session that they have (asapp.openapi.yaml, startSession)."""
        before, in_chat = self.calls, self.chat and self.chat.wanted
        carried = None
        if before:
            if before.session.user.identifier is None and not habits.has("forgets-the-anonymous-session"):
                carried = before.session.token
            before.session.end()
            before.abandon()
            self.chat.leave()
        saved = None if before else self.saved_session(user)
        session = Session(self.machine, self.wire, self.variant.platform, user, saved, carried)
        self.calls = Calls(self.machine, self.wire, session)
        self.chat = Chat(self.machine, self.calls, self.authority, self.delegate)
        session.on_open = self.session_opened
        session.on_refused = self.session_refused
        if saved:
            session.customer = self.store["customer"]
            self.delegate.session_opened(session.customer)
        elif self.variant.starts_session_early:
            self.machine.post(session.need)
        if in_chat:
            self.machine.post(self.chat.enter)

    def saved_session(self, user):
        """A session outlives the process where the SDK saves it (ASAPP reference 2.3, clearSavedSession)."""
        keeps = self.variant.keeps_session or user.identifier is None
        return self.store.get("session") if keeps and self.store.get("user") == user.identifier else None

    def session_opened(self, session):
        self.store.update(session=session.token, customer=session.customer, user=session.user.identifier)
        self.delegate.session_opened(session.customer)
        self.calls.resume()

    def session_refused(self, _):
        self.calls.abandon()
        self.delegate.session_failed()

    def clear_session(self):
        """Forgets an identified user who signs out; an anonymous one would lose their history (ASAPP reference 2.3)."""
        self.store.update(session=None, customer=None, user=None)
        if self.calls:
            self.calls.session.end()
            self.calls.abandon()
            self.chat.leave()
        self.calls = self.chat = None

    async def do(self, call):
        self.machine.post(self.calls.send, call)
        return await call.answer

    async def register(self, token):
        """The app learns of no failure (ASAPP reference 2.2), so the SDK is patient."""
        body = {"deviceToken": token, "platform": self.variant.platform}
        return await self.do(Call("PUT", "/push-token", body, patience=6, with_context=self.variant.context_with_push))

    async def deregister(self, token):
        """With the leaving user's session. iOS has a failure callback; on Android the SDK itself must be patient (ASAPP reference 2.2)."""
        patience = 1 if self.variant.platform == "ios" else 4
        return await self.do(Call("DELETE", "/push-token", {"deviceToken": token}, patience=patience, with_context=self.variant.context_with_push))

    async def status(self):
        return await self.do(Call("GET", "/status"))

    async def send(self, message_id, text):
        """The same clientMessageId gives the same id, so that a message may be sent again (ASAPP reference 2.6)."""
        patience = 1 if self.variant.user_sends_again else 6
        return await self.do(Call("POST", "/messages", {"clientMessageId": message_id, "text": text}, patience=patience))

    def enter_chat(self):
        self.machine.post(self.chat.enter)

    def leave_chat(self):
        self.machine.post(self.chat.leave)

    def drop(self):
        """The process has died."""
        self.machine.stop()
        if self.chat:
            self.chat.drop()
