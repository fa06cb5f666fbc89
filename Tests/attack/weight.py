"""What clients can make a server hold or do that they need not pay for: handshakes, bodies, floods. Each by itself, as in checks.py."""

import base64
import concurrent.futures
import contextlib
import json
import multiprocessing
import os
import signal
import sqlite3
import ssl
import time

from checks import check, lives
from server import Server
from surface import Neighbour
from wire import connect, head, read_head, status

MEMORY = 200  # MiB that a server may take at most


def processor(server):
    """Seconds that it has used."""
    with open(f"/proc/{server.process.pid}/stat") as stat:
        spent = stat.read().rsplit(")", 1)[1].split()
    return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")


def late_stop(server):
    """In words; None where SIGTERM ends it in time."""
    begun = time.monotonic()
    server.signal(signal.SIGTERM)
    ended = server.wait(20)
    took = time.monotonic() - begun
    return None if ended == 0 and took < 6 else f"SIGTERM: {ended} after {took:.1f} s"


def client_hello():
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    return outgoing.read()


@check("A5: a TLS handshake that stops on its way")
def silent_handshake(binary):
    hello = client_hello()
    pieces = {"a byte": hello[:1], "a record's head": hello[:5], "half a hello": hello[:100], "a hello": hello, "a hello and a byte": hello + b"\x14"}
    with Server(binary, tls=True) as server:
        for what, piece in pieces.items():
            held = [connect(server.tls_port, 5) for _ in range(20)]
            for one in held:
                one.sendall(piece)
            time.sleep(0.3)
            begun = processor(server)
            time.sleep(1.5)
            used = (processor(server) - begun) / 1.5
            wrong = lives(server, what)
            for one in held:
                one.close()
            if wrong or used > 0.2:
                return wrong or f"{what}, and silence: {used * 100:.0f} % of a core"
        # It goes on where it stopped, byte by byte.
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
        with contextlib.closing(connect(server.tls_port, 10)) as plain:
            while True:
                try:
                    session.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    for byte in outgoing.read():
                        plain.sendall(bytes([byte]))
                    incoming.write(plain.recv(65536))
            session.write(head("GET", "/__admin/health", server.tls_port, "Connection: close"))
            plain.sendall(outgoing.read())
            incoming.write(plain.recv(65536))
            with contextlib.suppress(ssl.SSLWantReadError):
                while not (answer := session.read(65536)).startswith(b"HTTP"):
                    pass
                if b" 200 " not in answer:
                    return f"byte by byte: {answer[:100]}"
        held = [connect(server.tls_port, 5) for _ in range(50)]
        for number, one in enumerate(held):
            one.sendall(list(pieces.values())[number % len(pieces)])
        time.sleep(0.3)
        return late_stop(server)


@check("A5: forty slow uploads of 25 MiB, and uploads beside them")
def slow_uploads(binary):
    size = 25 << 20
    with Server(binary) as server, Neighbour(server) as good:
        app = server.tenants()["khoros"]["appId"]
        target = f"/v2/apps/{app}/conversations/x/files"
        fields = ["Content-Type: multipart/form-data; boundary=b", f"Content-Length: {size}"]
        piece = os.urandom(1 << 20)

        def upload(_):
            one = connect(server.port, 60)
            one.sendall(head("POST", target, server.port, *fields))
            for _ in range(24):
                one.sendall(piece)
            return one

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            held = list(pool.map(upload, range(40)))
        one = upload(None)
        one.sendall(piece)
        answered = status(read_head(one)[0])
        most = server.resident()[1]
        left = list(server.temporary.iterdir())
        for one in held:
            one.close()
        if answered not in (401, 404):
            return f"an upload beside them: {answered}"
        if most > MEMORY:
            return f"{most:.0f} MiB"
        if any("body" in path.name for path in left):
            return f"files that others can open: {left}"
    return good.late


@check("A5: a file of 20 MiB")
def large_file(binary):
    with Server(binary) as server:
        chat = server.tenants()["cxone"]
        target = f"/chat/1.0/brand/{chat['brandId']}/channel/{chat['channels'][0]['channelId']}/attachment"
        content = base64.b64encode(os.urandom(20 << 20)).decode()
        body = json.dumps({"content": content, "fileName": "a.jpg", "mimeType": "image/jpeg"}).encode()
        server.call("GET", "/__admin/health")
        before, begun = server.resident()[0], processor(server)
        answered, told = server.call("POST", target, body, timeout=60)
        used, (after, most) = processor(server) - begun, server.resident()
        if answered != 200:
            return f"{answered} {told}"
        if used > 0.6:
            return f"{used:.2f} s of processor time"
        time.sleep(1)
        after = server.resident()[0]
        return None if most - before < 120 and after - before < 10 else f"{before:.0f} MiB before, {most:.0f} at most, {after:.0f} afterwards"


@check("A12: one head for each answer, whatever is amiss with the request's")
def one_head(binary):
    with Server(binary, tls=True) as server:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        for port in (server.port, server.tls_port):
            for lines, expected in [
                ("GET / HTTP/1.1\r\n\r\n", 400), ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
                ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413)]:
                with contextlib.closing(connect(port, 10)) as plain:
                    one = context.wrap_socket(plain, server_hostname="localhost") if port == server.tls_port else plain
                    one.sendall(lines.encode())
                    answer = b""
                    with contextlib.suppress(ConnectionResetError, ssl.SSLEOFError):
                        while piece := one.recv(65536):
                            answer += piece
                if answer.count(b"HTTP/1.1 ") != 1 or not answer.startswith(f"HTTP/1.1 {expected} ".encode()):
                    return f"{lines!r}: {answer!r}"
        return None


@check("A16: another program that has the database's lock")
def locked(binary):
    with Server(binary, database=True) as server:
        account = server.account()
        target = f"/api/account/{account}/service/idp/baseURI.json?version=1.0"
        with contextlib.closing(sqlite3.connect(server.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            took = []
            for _ in range(5):
                begun = time.monotonic()
                answered, told = server.call("GET", target, timeout=30)
                took.append(time.monotonic() - begun)
                if answered != 500 or f"process {os.getpid()} (" not in str(told):
                    return f"{answered} {told}"
            other.execute("ROLLBACK")
        if not 4 < took[0] < 8 or max(took[1:]) > 1:
            return f"the calls took {took}"
        for _ in range(3):
            answered, told = server.call("GET", target)
            if answered != 200:
                return f"afterwards {answered} {told}"
    return None


def attack(flood, server):
    os.nice(10)
    stops = time.monotonic() + 3

    def run(_):
        while time.monotonic() < stops:
            flood(server)

    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        list(pool.map(run, range(64)))


@check("A5: a hostile neighbour with 64 connections, of each kind")
def floods(binary):
    """Each for three seconds."""
    form = "multipart/form-data; boundary=b"

    def bodies(path, kind, piece):
        def flood(server):
            with contextlib.suppress(OSError), contextlib.closing(connect(server.port, 10)) as one:
                one.sendall(head("POST", path(server), server.port, f"Content-Type: {kind}", f"Content-Length: {len(piece)}") + piece)
                one.recv(65536)

        return flood

    def khoros(server):
        return f"/v2/apps/{server.tenants()['khoros']['appId']}/conversations/x/files"

    def login(server):
        return f"/api/account/{server.account()}/login?v=1.3"

    def token(server):
        return "/oauth/token"

    def garbage(server):
        with contextlib.suppress(OSError), contextlib.closing(connect(server.tls_port, 10)) as one:
            one.sendall(os.urandom(3000))
            one.recv(100)

    def heads(server):
        with contextlib.suppress(OSError), contextlib.closing(connect(server.port, 10)) as one:
            one.sendall(b"GET /" + b"x" * 30000)
            one.recv(100)

    kinds = {
        "files of 25 MiB": bodies(khoros, form, b"-" * (25 << 20)), "forms of names": bodies(token, "application/x-www-form-urlencoded", b"a=&b=&" * 170_000),
        "deep JSON": bodies(login, "application/json", b"[" * (1 << 20)), "long JSON": bodies(login, "application/json", b'{"a":[' + b"1," * (1 << 19) + b"1]}"),
        "garbage for TLS": garbage, "long heads": heads}
    with Server(binary, tls=True) as server:
        for what, flood in kinds.items():
            with Neighbour(server, f"good-{list(kinds).index(what)}") as good:
                # In a process of its own, which gives way: what counts is the server's time, not that of its clients.
                attacker = multiprocessing.get_context("fork").Process(target=attack, args=(flood, server))
                attacker.start()
                attacker.join()
            if good.late:
                return f"{what}: {good.late}"
            if (most := server.resident()[1]) > MEMORY:
                return f"{what}: {most:.0f} MiB"
        return late_stop(server)


@check("A17: what the admin API takes long for, beside another sandbox")
def long_calls(binary):
    """Each may take its time; the neighbour's calls may not. Of files, one sandbox has 80 MiB; the other has entries."""
    with Server(binary, database=True) as server:
        for name in ("files", "entries"):
            server.admin("POST", "sandboxes", {"name": name})
        chat = server.tenants("files")["cxone"]
        target = f"/chat/1.0/brand/{chat['brandId']}/channel/{chat['channels'][0]['channelId']}/attachment"
        body = json.dumps({"content": base64.b64encode(os.urandom(2 << 20)).decode(), "fileName": "a.jpg", "mimeType": "image/jpeg"}).encode()
        for _ in range(40):
            server.call("POST", target, body, timeout=60)
        lookup = f"/api/account/{server.account('entries')}/service/idp/baseURI.json?version=1.0"
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: server.call("GET", lookup), range(4000)))
        newest = list(server.entries("entries"))[-1]["number"]
        calls = {
            "a page of the journal": ("GET", "sandboxes/entries/journal?limit=10000", None), "a verdict": ("POST", "sandboxes/entries/verdicts", {}),
            "a fork": ("POST", f"sandboxes/entries/journal/{newest}/fork", {"name": "forked"}),
            "a world": ("GET", f"sandboxes/entries/journal/{newest - 1000}/world", None), "a world of files": ("GET", "sandboxes/files/journal/20/world", None),
            "a reset": ("POST", "sandboxes/entries/reset", None), "a deletion": ("DELETE", "sandboxes/files", None)}
        late = []
        for what, (method, path, given) in calls.items():
            with Neighbour(server, "good-" + what.replace(" ", "-")) as good:
                time.sleep(0.3)
                good.took.clear()
                answered, told = server.call(method, "/__admin/" + path, given, timeout=120)
                time.sleep(0.2)
            if answered >= 300:
                return f"{what}: {answered} {told}"
            late.append((max(good.took) * 1000, what))
        if os.environ.get("ATTACK_FIGURES"):
            print("".join(f"           {what}: a neighbour's call took {took:.0f} ms at most\n" for took, what in late), end="")
        worst = max(late)
        return f"{worst[1]}: a neighbour's call took {worst[0]:.0f} ms" if worst[0] > 250 else None
