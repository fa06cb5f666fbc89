"""What a server may be in the middle of when it is asked to stop. Each situation is set up, holds while `yield`ed, and is cleared away."""

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections import namedtuple

from server import PATIENCE, agent_bearer, mint, sign_in
from wire import PING, TEXT, Socket, agent, connect, consumer, head, open_dialog, publish, read_head, secure

# `second`: it is signalled twice, and the clock runs from the second time; `number`: the signal that it gets.
Situation = namedtuple("Situation", "name set_up tls grace second number options")
ALL = []


def situation(name, tls=False, grace=None, second=False, number=signal.SIGTERM, options=()):
    def keep(set_up):
        ALL.append(Situation(name, contextlib.contextmanager(set_up), tls, grace, second, number, options))
        return set_up

    return keep


def waiting(server, target, settle=0.15):
    """A call that is not answered yet, on a connection of its own."""
    return left_waiting(server, head("GET", target, server.port), settle)


def left_waiting(server, request, settle=0.15):
    connection = connect(server.port)
    connection.sendall(request)
    time.sleep(settle)  # until it is being worked on
    connection.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        begun = connection.recv(1 << 16, socket.MSG_PEEK)
        answer, _, body = begun.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\ncontent-length: *(\d+)", answer)
        if not begun or (length and len(body) >= int(length[1])):
            raise RuntimeError(f"it was to wait, and was answered at once: {begun[:300]}")
    connection.settimeout(PATIENCE)
    return connection


@contextlib.contextmanager
def threads(count, work):
    """`work(number, is_over)` in so many threads, until the end; that its server goes away under it is no error."""
    is_over = threading.Event()

    def run(number):
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            work(number, is_over)

    running = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(count)]
    for thread in running:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in running:
            thread.join(10)


def post(target, server, body):
    return head("POST", target, server.port, "Content-Type: application/json", f"Content-Length: {len(body)}") + body


def lookup(server):
    return f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0"


# Nothing special


@situation("idle")
def idle(server):
    yield


@situation("idle, told by SIGINT", number=signal.SIGINT)
def interrupted(server):
    yield


@situation("64 idle keep-alive connections")
def keep_alive(server):
    connections = [connect(server.port) for _ in range(64)]
    for connection in connections:
        connection.sendall(head("GET", "/__admin/health", server.port))
        read_head(connection)
    yield
    for connection in connections:
        connection.close()


@situation("requests under load")
def load(server):
    target = lookup(server)

    def work(_, is_over):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        while not is_over.is_set():
            connection.request("GET", target)
            connection.getresponse().read()

    with threads(24, work):
        time.sleep(0.3)
        yield


# Sockets


@situation("50 open consumer sockets")
def consumer_sockets(server):
    account = server.account()
    token = sign_in(server, "ada", account)
    sockets = [consumer(server, token, account) for _ in range(50)]
    yield
    for one in sockets:
        one.close()


@situation("10 open agent sockets")
def agent_sockets(server):
    account = server.account()
    bearer = agent_bearer(server, account)
    sockets = [agent(server, bearer, account) for _ in range(10)]
    yield
    for one in sockets:
        one.close()


@situation("consumers in the middle of talking")
def talking(server):
    account = server.account()
    tokens = [sign_in(server, f"user-{number}", account) for number in range(8)]

    def work(number, is_over):
        one = consumer(server, tokens[number], account)
        dialog = open_dialog(one)
        while not is_over.is_set():
            publish(one, dialog, "hello")

    with threads(8, work):
        time.sleep(0.4)
        yield


@situation("a consumer's socket over TLS", tls=True)
def secure_socket(server):
    account = server.account()
    one = consumer(server, sign_in(server, "ada", account), account, tls=True)
    yield
    one.close()


@situation("a frozen socket")
def frozen_socket(server):
    account = server.account()
    server.arm("liveperson.openConsumerSocket freeze after-frames=1")
    one = consumer(server, sign_in(server, "ada", account), account)
    one.tell("GetClock", {})
    time.sleep(0.1)
    yield
    one.close()


@situation("a socket that pings and reads nothing")
def pinging_socket(server):
    account = server.account()
    one = consumer(server, sign_in(server, "ada", account), account, receive_buffer=4096)

    def work(_, is_over):
        one.connection.settimeout(0.05)
        while not is_over.is_set():
            with contextlib.suppress(TimeoutError):
                one.send(PING, b"x" * 100)

    with threads(1, work):
        time.sleep(0.3)
        yield
    one.close()


@situation("a socket's message half sent")
def half_message(server):
    account = server.account()
    one = consumer(server, sign_in(server, "ada", account), account)
    one.connection.sendall(bytes([TEXT, 0xFE, 0x40, 0x00]) + b"mask" + b"x" * 100)  # a fragment, of 16 kB
    yield
    one.close()


# Who waits


@situation("an open stream of notifications")
def stream(server):
    one = waiting(server, "/__admin/sandboxes/default/devices/x/notifications/stream")
    yield
    one.close()


@situation("sparring journal --follow")
def follow(server):
    process = subprocess.Popen(
        [server.process.args[0], "journal", "--follow", "--url", server.url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "NO_PROXY": "127.0.0.1"})
    time.sleep(1)  # until it has read the first page and waits for the next
    yield
    process.kill()
    process.wait()


@situation("journal/wait")
def journal_wait(server):
    one = waiting(server, "/__admin/sandboxes/default/journal/wait?count=1000&timeout=300s")
    yield
    one.close()


@situation("journal/wait whose client has left")
def abandoned_wait(server):
    waiting(server, "/__admin/sandboxes/default/journal/wait?count=1000&timeout=300s").close()
    time.sleep(0.2)
    yield


@situation("notifications/wait")
def notifications_wait(server):
    one = waiting(server, "/__admin/sandboxes/default/devices/x/notifications/wait?count=1000&timeout=300s")
    yield
    one.close()


@situation("clock/wait")
def clock_wait(server):
    one = waiting(server, "/__admin/sandboxes/default/clock/wait?for=1h&timeout=300s")
    yield
    one.close()


@situation("a verdict that waits for things to settle")
def verdict(server):
    server.arm("liveperson.lookUpService status code=503")
    server.call("GET", lookup(server))  # a good client tries again, and is waited for
    connection = left_waiting(server, post("/__admin/sandboxes/default/verdicts", server, b'{"settle":"300s"}'))
    yield
    connection.close()


# Faults


def faulty(name, fault, settle=0.15):
    @situation(name)
    def set_up(server):
        server.arm(fault)
        one = waiting(server, lookup(server), settle)
        yield
        one.close()


faulty("a stalled exchange", "liveperson.lookUpService STALL")
faulty("an exchange stalled within its answer", "liveperson.lookUpService STALL phase=onResponseBody")
faulty("a delay of an hour", "liveperson.lookUpService delay by=1h")
faulty("a delay of an hour before the request is read", "liveperson.lookUpService delay by=1h phase=onRequestStart")
faulty("a delay of an hour within the answer", "liveperson.lookUpService delay by=1h phase=onResponseBody")
faulty("an answer in slices", "liveperson.lookUpService slicer size=1 gap=10s")
faulty("an answer at a byte a second", "liveperson.lookUpService bandwidth rate=1")


# Calls that the vendors make


@contextlib.contextmanager
def black_hole():
    """A port that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        taken = []

        def take():
            with contextlib.suppress(OSError):
                while True:
                    taken.append(listening.accept()[0])

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/never"
        listening.shutdown(socket.SHUT_RDWR)
        for one in taken:
            one.close()


def calling_out(server, issuer, body):
    """A sign-in that waits for a server of the brand."""
    account = server.account()
    issuer = {"displayName": "Brand", "iss": "https://idp.brand.test", "clientId": "us", "clientSecret": "secret", **issuer}
    server.admin("PATCH", "sandboxes/default/tenants/liveperson", {"issuers": [issuer], "tokenEndpointTimeout": "10m"})
    return left_waiting(server, post(f"/api/account/{account}/app/default/authenticate?v=2.0", server, body), settle=0.4)


@situation("a call to a token endpoint that says nothing")
def token_endpoint(server):
    with black_hole() as url:
        issuer = {"certificate": "publicKey", "publicKey": server.tenants()["liveperson"]["encryptionPublicKey"], "tokenEndpoint": url}
        one = calling_out(server, issuer, b'{"code":"SplxlOBeZQQYbYS6WxSbIA"}')
        yield
        one.close()


@situation("a call for keys to a server that says nothing")
def key_set(server):
    token = mint(server, "ada")
    issuer = {"certificate": "jwks", "iss": server.tenants()["identity"]["issuer"]}
    with black_hole() as url:
        one = calling_out(server, {**issuer, "jwksURI": url}, b'{"id_token":"%s"}' % token.encode())
        yield
        one.close()


# Half a request, half a handshake


@situation("a request's head half sent")
def half_head(server):
    one = connect(server.port)
    one.sendall(b"GET /__admin/health HTTP/1.1\r\nHost: 127")
    yield
    one.close()


@situation("a request's body half sent")
def half_body(server):
    fields = ["Content-Type: application/json", "Content-Length: 1000"]
    one = left_waiting(server, head("POST", "/__admin/sandboxes", server.port, *fields) + b'{"name":')
    yield
    one.close()


@situation("a client that closed in the middle of its head")
def closed_half(server):
    for _ in range(20):
        one = connect(server.port)
        one.sendall(b"GET / HTTP/1.1\r\nHost: 127")
        one.close()
    yield


@situation("an answer of megabytes that nobody reads")
def unread(server):
    target = f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0&pad=" + "x" * 8000
    for _ in range(400):
        server.call("GET", target)
    one = connect(server.port, receive_buffer=4096)
    one.sendall(head("GET", "/__admin/sandboxes/default/journal?limit=5000", server.port))
    time.sleep(1)
    if not one.recv(12, socket.MSG_PEEK).endswith(b"200"):
        raise RuntimeError("the journal was not sent")
    yield
    one.close()


@situation("the port with the stalled TLS handshake", tls=True, options=("--tls-defects",))
def stalled_handshake(server):
    one = connect(server.tls_defects["stalled-handshake"])
    one.sendall(bytes.fromhex("1603010005010000010303"))
    yield
    one.close()


@situation("a TLS handshake half done", tls=True)
def half_handshake(server):
    one = connect(server.tls_port)
    one.sendall(bytes.fromhex("16030100"))
    yield
    one.close()


@situation("an idle TLS connection", tls=True)
def idle_tls(server):
    one = secure(connect(server.tls_port))
    yield
    one.close()


# Other signals


@situation("SIGHUP again and again meanwhile")
def hang_ups(server):
    server.arm("liveperson.lookUpService delay by=1h")
    one = waiting(server, lookup(server))

    def work(_, is_over):
        while not is_over.is_set() and server.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(server.process.pid, signal.SIGHUP)
            time.sleep(0.005)

    with threads(1, work):
        yield
    one.close()


@situation("a second SIGTERM does not wait for the grace", grace=30, second=True)
def second_signal(server):
    server.arm("liveperson.lookUpService delay by=1h")
    one = waiting(server, lookup(server))
    yield
    one.close()
