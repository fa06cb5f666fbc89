"""What the SDK does while the user is in chat."""

import habits
from calls import Call
from session import pause
from sockets import Socket


class Chat:
    """Holds a socket while the user is in chat. States: closed, asking (for a URL), opening, open, pausing."""

    STEADY = 20.0

    def __init__(self, machine, calls, authority, delegate):
        self.machine = machine
        self.calls = calls
        self.authority = authority
        self.delegate = delegate
        self.state = "closed"
        self.wanted = False
        self.socket = None
        self.url = None
        self.drops = 0
        self.opened_at = 0.0
        self.last_seen = None
        self.seen = set()

    def enter(self):
        self.wanted = True
        if self.state == "closed":
            self.drops = 0
            self.ask()

    def leave(self):
        """Closes the socket, so that messages come as pushes again (Push Notifications, Scenario 2)."""
        self.wanted = False
        if habits.has("stays-in-chat"):
            return
        self.state = "closed"
        if self.socket:
            self.machine.start(self.socket.hang_up())
            self.socket = None

    def ask(self):
        """Each URL opens one socket only (asapp.openapi.yaml, requestSocket)."""
        if not self.wanted:
            self.state = "closed"
            return
        if self.url and habits.has("uses-a-url-twice"):
            self.open(self.url)
            return
        self.state = "asking"
        call = Call("POST", "/socket-url", patience=6)
        self.calls.send(call)
        self.machine.start(self.answer_of(call), self.url_given)

    @staticmethod
    async def answer_of(call):
        return await call.answer

    def url_given(self, answer):
        if self.state != "asking":
            return
        if answer.ok:
            self.open(answer.body["url"])
        else:
            self.state = "closed"
            self.wanted = False
            self.delegate.chat_failed()

    def open(self, url):
        self.state = "opening"
        self.url = url
        self.socket = Socket(self.machine, self, url, self.authority)
        self.machine.start(self.socket.run(), self.over, self.socket)

    def opened(self, socket):
        if socket is not self.socket:
            return
        self.state = "open"
        self.opened_at = self.machine.clock.now()
        self.delegate.entered_chat()
        self.catch_up()

    def over(self, socket, reason):
        if socket is not self.socket:
            return
        self.socket = None
        if habits.has("stays-disconnected"):
            self.state = "closed"
            return
        if self.state == "open" and self.machine.clock.now() - self.opened_at > self.STEADY:
            self.drops = 0
        if reason == 1008:
            # ASAPP has ended the session, and closes its sockets with 1008 (asapp.asyncapi.yaml).
            self.calls.session.lost(self.calls.session.token)
        self.state = "pausing"
        self.machine.after(pause(self.drops), self.ask_again)
        self.drops += 1

    def ask_again(self):
        if self.state == "pausing":
            self.ask()

    def catch_up(self):
        """What was said while no socket was open (asapp.openapi.yaml, readMessages)."""
        after = f"?after={self.last_seen}" if self.last_seen else ""
        call = Call("GET", f"/messages{after}", patience=3)
        self.calls.send(call)
        self.machine.start(self.answer_of(call), self.history_given)

    def history_given(self, answer):
        for message in answer.body.get("messages", []):
            self.show(message)

    def told(self, socket, frame):
        if socket is not self.socket:
            return
        if frame["type"] == "message":
            self.show(frame)
        elif frame["type"] == "event":
            self.delegate.event(frame["name"])

    def show(self, message):
        """A message may come both over the socket and in the history."""
        if message["id"] in self.seen:
            return
        self.seen.add(message["id"])
        self.last_seen = message["id"]
        self.delegate.message(message)

    def drop(self):
        if self.socket:
            self.socket.drop()
