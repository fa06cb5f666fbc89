"""Getting to the chat, and staying there."""

from state import State
from store import Token


class Connection:
    """Availability, transaction token, socket; and all again after a loss (CXone reference 3.2, 3.6, 9 and 10)."""

    LOSSES = 20
    AVAILABILITY = 60  # seconds; how long an answer holds (CXone reference 3.2)

    def __init__(self, chat):
        self.chat = chat
        self.attempt = 0
        self.losses = 0
        self.was_open = False
        self.url = None
        self.availability = None
        chat.events.on("connect", self.connect)
        chat.events.on("disconnect", self.disconnect)
        chat.events.on("availability", self.availability_known)
        chat.events.on("transaction-token", self.transaction_token)
        chat.events.on("socket-open", self.socket_open)
        chat.events.on("socket-refused", self.socket_refused)
        chat.events.on("socket-lost", self.socket_lost)
        chat.events.on("reconnect", self.reconnect)

    def connect(self):
        """The user opens the chat (Event diagrams, Open Chat)."""
        if self.chat.state in (State.INITIAL, State.PREPARING):
            self.chat.tell("illegal-state")
        elif self.chat.state in (State.PREPARED, State.OFFLINE):
            self.chat.state = State.CONNECTING
            self.attempt += 1
            self.losses = 0
            self.was_open = False
            if self.chat.configuration.mode == "live" and not self.chat.habits.has("asks-for-no-availability"):
                self.ask_availability()
            else:
                self.sign_in()

    def is_current(self, attempt):
        return attempt == self.attempt and self.chat.state == State.CONNECTING

    def ask_availability(self):
        if self.availability and self.availability[1] > self.chat.clock.now():
            self.go_where_staffed(self.availability[0])
        else:
            self.chat.calls.send("availability", "GET", self.chat.wire.availability_url, attempt=self.attempt)

    def availability_known(self, status, body, attempt):
        if not self.is_current(attempt):
            return
        found = "offline"
        if status == 200:
            found = body["status"]
            self.availability = (found, self.chat.clock.now() + self.AVAILABILITY)
        self.go_where_staffed(found)

    def go_where_staffed(self, availability):
        if availability == "online" or self.chat.habits.has("connects-to-nobody"):
            self.sign_in()
        else:
            self.chat.state = State.OFFLINE
            self.chat.tell("offline")

    def sign_in(self):
        """With secured sessions the customer is signed in before the socket is opened (CXone reference 8.1 and 8.3)."""
        token = self.chat.store.transaction_token
        margin = self.chat.platform.token_margin if self.chat.platform.name == "ios" else 0
        if not self.chat.configuration.secured:
            self.open(None)
        elif token and token.expires - margin > self.chat.clock.now():
            self.open(token.value)
        else:
            self.chat.calls.send("transaction-token", "POST", self.chat.wire.token_url(), self.chat.wire.anonymous_customer(), attempt=self.attempt)

    def transaction_token(self, status, body, attempt):
        if not self.is_current(attempt):
            return
        if status != 200:
            self.not_let_in()
            return
        lifetime = body["expiresIn"]
        self.chat.store.transaction_token = Token(body["accessToken"], lifetime, self.chat.clock.now() + lifetime)
        self.chat.store.customer = {name: value for name, value in body["customerIdentity"].items() if value is not None}
        self.open(body["accessToken"])

    def open(self, transaction_token):
        self.url = self.chat.wire.socket_url(transaction_token)
        self.chat.gateway.open(self.url, self.attempt)

    def not_let_in(self):
        """The first connection is not tried again (CXone reference 10)."""
        if self.was_open:
            self.lose()
        else:
            self.tear_down("connection-failed")

    def socket_refused(self, attempt, status):
        if not self.is_current(attempt):
            return
        if status == 401 and not self.keeps_refused_token():
            self.chat.store.transaction_token = None
        self.not_let_in()

    def keeps_refused_token(self):
        return self.chat.habits.has("keeps-a-refused-transaction-token") or self.chat.habits.has("hammers-the-gateway")

    def socket_open(self, socket, attempt):
        if not self.is_current(attempt):
            self.chat.gateway.spawn(socket.close(self.chat.platform.close_code))
            return
        self.chat.gateway.take(socket, attempt)
        self.chat.state = State.CONNECTED
        self.was_open = True
        if not self.chat.wire.is_web or self.chat.configuration.secured:
            self.chat.gateway.start_heartbeat()
        if self.chat.configuration.secured or self.chat.habits.has("signs-nobody-in"):
            self.chat.threads.load()
        else:
            self.chat.signing.authorize()

    def socket_lost(self, attempt, code):
        if attempt != self.attempt or not self.chat.gateway.socket:
            return
        if code == 1000 and self.chat.wire.is_android:
            self.tear_down("unexpected-disconnect")  # Android opens no other (CXone reference 9.2); the app shows it
        else:
            self.lose()

    def lose(self, pause=None):
        """Another attempt after a pause; what was sent may have arrived or not."""
        self.chat.gateway.forget()
        self.chat.exchange.forget()
        self.chat.signing.forget()
        self.chat.outbox.doubt()
        self.attempt += 1
        self.losses += 1
        if self.losses > self.LOSSES:
            self.tear_down("gave-up")
            return
        self.chat.state = State.CONNECTING
        if self.chat.habits.has("hammers-the-gateway"):
            pause = 0
        self.chat.events.after(self.chat.platform.reconnect_pause(self.losses) if pause is None else pause, "reconnect")

    def reconnect(self):
        """iOS opens the same URL again, whatever has become of the token in it (CXone reference 8.3)."""
        if self.chat.state != State.CONNECTING:
            return
        has_token = self.chat.configuration.secured and self.chat.store.transaction_token
        if has_token and (self.chat.platform.name == "ios" or self.keeps_refused_token()):
            self.chat.gateway.open(self.url, self.attempt)
        else:
            self.sign_in()

    def disconnect(self):
        """The app goes to the background, or the chat is left (Event diagrams, Application Enters Background)."""
        if self.chat.state == State.PREPARING:
            self.chat.preparation.abandon()
        elif self.chat.state == State.OFFLINE:
            self.chat.state = State.PREPARED
        elif self.chat.state != State.INITIAL and self.chat.state != State.PREPARED:
            self.tear_down()

    def tear_down(self, why=None):
        self.attempt += 1
        self.chat.events.cancel("reconnect")
        self.chat.gateway.close(self.chat.platform.close_code)
        self.chat.exchange.forget()
        self.chat.signing.forget()
        self.chat.outbox.doubt()
        self.chat.threads.forget()
        self.chat.state = State.PREPARED
        if why:
            self.chat.tell(why)
