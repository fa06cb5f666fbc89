"""The consumer's socket: requests and their answers, and notifications as they come."""
import itertools
import json
import queue
import socket
import ssl
import threading
from contextlib import suppress

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect

from failures import SocketLost, TokenRefused, Unreachable
from habits import has
from settings import client_properties
from web import TIME_OUT, retry_after

ANSWER_TIME_OUT = 30
BEAT = 30  # LivePerson reference 5.2: something has to be said every half minute
BEAT_TIME_OUT = 10
WAKE = object()


class Dialer:
    """Opens the secured connection under a socket; beforehand, where there is time for it."""

    def __init__(self, clock, ca_file, address):
        self._clock, self._trust = clock, ssl.create_default_context(cafile=ca_file)
        self._host, _, port = address.partition(":")
        self._port = int(port or 443)
        self._ready = None

    def prepare(self):
        """Has a connection ready for the next call of `take`. A failure is met then, not here."""
        with suppress(Unreachable):
            self._ready = self.take()

    def take(self):
        ready, self._ready = self._ready, None
        if ready:
            return ready
        try:
            plain = socket.create_connection((self._host, self._port), self._clock.real(TIME_OUT))
            secured = self._trust.wrap_socket(plain, server_hostname=self._host)  # the time-out covers this too
            secured.settimeout(None)
            return secured
        except OSError as error:
            raise Unreachable(f"no connection for the socket: {error}") from error


class ConsumerSocket:
    """One open socket. What it hears besides answers is put into `inbox`; WAKE there means: look around."""

    def __init__(self, app, dialer, token):
        self._clock, self._ordered = app.clock, app.web.ordered
        self.inbox = queue.Queue()
        self.closed, self.forgotten = threading.Event(), False
        self._lost = None
        self._numbers, self._answers, self._lock = itertools.count(1), {}, threading.Lock()
        account, by_message = app.settings.account, app.options.init_by_message
        headers = {} if by_message else {
            "Authorization": f"jwt {token}", "Client-Properties": json.dumps(client_properties(".ClientProperties"))}
        address = f"{app.services['asyncMessagingEnt']}/ws_api/account/{account}/messaging/consumer?v=3"
        try:
            # ws: and not wss:, as the connection is secured already.
            self._connection = connect(
                f"ws://{address}", sock=dialer.take(), additional_headers=app.web.cased(headers), compression=None,
                ping_interval=None, open_timeout=self._clock.real(TIME_OUT), close_timeout=self._clock.real(5))
        except InvalidStatus as refused:
            status = refused.response.status_code
            if status in (401, 403):
                raise TokenRefused(f"the socket is refused with {status}") from refused
            raise Unreachable(f"the socket is refused with {status}", retry_after(refused.response.headers)) from refused
        except (InvalidHandshake, OSError, EOFError, ConnectionClosed) as error:
            raise Unreachable(f"the socket does not open: {error}") from error
        threading.Thread(target=self._read, daemon=True).start()
        if by_message:
            self.post("InitConnection", headers=[client_properties(".ams.headers.ClientProperties"),
                                                 {"type": ".ams.headers.ConsumerAuthentication", "jwt": token}])
        if not has("keeps-nothing-alive"):
            threading.Thread(target=self._beat, daemon=True).start()

    def _beat(self):
        """Keeps the socket alive, and finds out when it is not any more."""
        with suppress(SocketLost):
            while not self.closed.wait(self._clock.real(BEAT)) and not self.forgotten:
                self.request("GetClock", time_out=BEAT_TIME_OUT)

    def _read(self):
        try:
            while True:
                message = json.loads(self._connection.recv())
                waiting = self._answers.pop(message.get("reqId"), None) if message.get("kind") == "resp" else None
                if waiting:
                    waiting.put(message)
                elif message.get("kind") == "notification":
                    self.inbox.put(message)
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else 1006
            self._end(SocketLost(code, closed.rcvd.reason if closed.rcvd else ""))
        except (OSError, ValueError) as error:
            self._end(SocketLost(1006, str(error)))

    def _end(self, lost):
        with self._lock:
            self._lost = self._lost or lost
            self.closed.set()
            waiting = list(self._answers.values())
        for each in waiting:
            each.put(self._lost)
        self.inbox.put(WAKE)

    def check(self):
        """Raises how the socket ended, if it has."""
        if self.closed.is_set():
            raise self._lost

    def request(self, kind, body=None, time_out=ANSWER_TIME_OUT):
        """Asks and waits for the answer. A socket that does not answer is given up: it may be half open."""
        waiting = queue.Queue()
        self.post(kind, body, waiting=waiting)
        try:
            answer = waiting.get(timeout=None if has("misses-no-answer") else self._clock.real(time_out))
        except queue.Empty:
            self.abandon(SocketLost(1006, f"{kind} was not answered"))
            answer = self._lost
        if isinstance(answer, SocketLost):
            raise answer
        return answer

    def post(self, kind, body=None, headers=None, waiting=None):
        """Sends a request whose answer is not waited for here."""
        message = {"kind": "req", "id": str(next(self._numbers)), "type": kind}
        message.update({name: value for name, value in (("body", body), ("headers", headers)) if value is not None})
        with self._lock:
            if self._lost:
                raise self._lost
            if waiting:
                self._answers[message["id"]] = waiting
        try:
            self._connection.send(json.dumps(self._ordered(message)))
        except (ConnectionClosed, OSError) as error:
            self.closed.wait(self._clock.real(5))  # the reader learns the close code
            raise self._lost or SocketLost(1006, str(error)) from error

    def wake(self):
        """Makes the reader of the inbox look around."""
        self.inbox.put(WAKE)

    def close(self):
        """Takes leave properly."""
        self._end(SocketLost(1000, "closed by the app"))
        self._connection.close()

    def abandon(self, lost=None):
        """Cuts the connection without a word."""
        self._end(lost or SocketLost(1006, "cut"))
        with suppress(OSError):
            self._connection.socket.shutdown(socket.SHUT_RDWR)
