"""The messaging window: `showConversation` until `removeConversation`."""
import threading
from contextlib import suppress

from chat import Chat
from failures import AuthenticationFailed, Cancelled, Failure, SessionOver, SocketLost, TokenRefused, Unreachable
from habits import has
from wire import ConsumerSocket, Dialer

A_FEW_SECONDS = 3  # LivePerson reference 5.3: what to wait before connecting again after an ordinary close
A_WHILE = 10
AUTHENTICATION_CODES = (4401, 4407)
FRESH_TOKEN_CODES = (*AUTHENTICATION_CODES, 1011)


class Window:
    """Connects, connects again when the socket ends, and gives up in the end; all in a thread of its own."""

    def __init__(self, app):
        self._app, self._memory, self._identity = app, app.memory, app.identity
        self._stop = threading.Event()
        self._socket = self._second = None
        self.loaded = False  # everything has been downloaded once
        self.connected = False
        self.failure = None
        self._dialer = Dialer(app.clock, app.settings.ca_file, app.services["asyncMessagingEnt"])
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self, politely=True):
        """The user leaves. "Closing the View Controller": the socket is closed, so that pushes come again."""
        self._stop.set()
        if politely:
            self.wake()
            self._thread.join(self._app.clock.real(1))  # what is being said is said to its end
        if has("leaves-the-socket-open", "forgets-its-socket") and politely:
            if self._socket:
                self._socket.forgotten = has("forgets-its-socket")
            return
        if self._socket:
            self._socket.close() if politely else self._socket.abandon()
            if self._second:
                self._second.close()
            if has("opens-the-socket-after-the-window") and politely:
                self._second = self._another()
            self._thread.join(self._app.clock.real(10))

    def wake(self):
        """There is something to send."""
        if self._socket:
            self._socket.wake()

    def _another(self):
        """Another socket with the token that there is."""
        return ConsumerSocket(self._app, self._dialer, self._identity.token)

    def stray(self):
        """A push has come while the window is open: nothing to be done, for most."""
        if has("leaves-the-window-at-a-push"):
            self._socket.close()
        if has("opens-another-socket-at-a-push") and not self._second:
            self._second = self._another()

    def open_again(self):
        """Opens a socket that nobody looks at."""
        self._second = self._another()

    def _renew(self):
        """Keeps signing in again as long as the window is open, though nobody asks for it."""
        with suppress(Cancelled):
            while True:
                self._app.clock.wait(1, self._stop)
                self._identity.sign_in(self._stop)

    def _run(self):
        try:
            self._live()
        except Cancelled:
            pass
        except SessionOver as failure:
            self.failure = failure
            self._app.session_ended()
        except Failure as failure:
            if not self._stop.is_set():
                self._app.give_up("messaging", failure)
                self.failure = failure
                if self._socket:
                    self._socket.close()
        self.connected = False
        self._app.changed()

    def _live(self):
        # "Showing the conversation": authentication parameters are needed each time.
        self._identity.sign_in(self._stop)
        if not self._stop.is_set():
            self._app.signed_in()
        retries, renewals = self._app.socket_retries, 0
        retries.begin(self._stop)
        if has("signs-in-every-second"):
            threading.Thread(target=self._renew, daemon=True).start()
        while not self._stop.is_set():
            token, begun, unsent = self._identity.token, self._app.clock.elapsed(), len(self._memory.pending())
            try:
                self._connect(token)
                if has("polls-by-reopening"):
                    threading.Timer(self._app.clock.real(0.3), self._socket.close).start()
                if has("has-two-sockets"):
                    self._second = self._another()
                if has("has-a-socket-for-each-token") and not self._second:
                    self._app.clock.wait(2, self._stop)  # within a second the token would be the same
                    self._identity.sign_in(self._stop, refused=token)
                    self._second = self._another()
                self._until_it_ends(self._chat.serve, self._stop)
            except (SocketLost, TokenRefused, Unreachable) as lost:
                if self._stop.is_set():
                    return
                if has("never-reconnects") and self.connected:
                    self._stop.wait()
                    return
                if has("polls-by-reopening", "opens-a-socket-for-each-message") and getattr(lost, "code", None) == 1000:
                    continue
                # Only a socket that was of some use makes the next failure a first one again.
                lasted = self.connected and self._app.clock.elapsed() - begun > A_WHILE
                if lasted or len(self._memory.pending()) < unsent:
                    retries.reset()
                self.connected, renewals = False, 0 if lasted else renewals
                fresh = isinstance(lost, TokenRefused) or getattr(lost, "code", None) in FRESH_TOKEN_CODES
                renewals += fresh and not has("brings-the-refused-token", "insists-on-the-refused-token")
                fresh = fresh or has("renews-without-need")
                if renewals == 2:
                    raise AuthenticationFailed(f"a fresh token does not help: {lost}") from lost
                self._recover(lost, token, fresh, retries)

    def _connect(self, token):
        self._socket = ConsumerSocket(self._app, self._dialer, token)
        if self._stop.is_set():
            self._socket.close()
        self._chat = Chat(self._app, self._memory, self._identity.consumer, self._socket)
        self._until_it_ends(self._chat.load)
        # "User clicks messaging button" 4: all is downloaded, the badge is reset.
        self.loaded = self.connected = True
        self._app.window_ready()

    def _until_it_ends(self, step, *given):
        """A wait that the end of the socket breaks off is the end of the socket."""
        try:
            step(*given)
        except Cancelled:
            self._socket.check()
            raise

    def _recover(self, lost, token, fresh, retries):
        """Gets ready to connect again: with fresh credentials where it is about those, else with the token there is."""
        def prepare():
            if fresh:
                self._identity.sign_in(self._stop, refused=token)
            self._dialer.prepare()

        if isinstance(lost, TokenRefused) or getattr(lost, "code", None) in AUTHENTICATION_CODES:
            prepare()  # "The SDK encounters an authentication failure": at once, nobody is overloaded
        else:
            retries.pause(lost, prepare, at_least=A_FEW_SECONDS if isinstance(lost, SocketLost) else 0)
