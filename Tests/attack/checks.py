"""What a hostile or careless client once brought about, each by itself on a server of its own. A check returns what is wrong, in words."""

import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import os
import signal
import socket
import sqlite3
import stat
import threading
import time
import urllib.parse
from pathlib import Path

from server import Server, agent_bearer, sign_in
from wire import PING, TEXT, agent, connect, consumer, head, open_dialog, read_head, status

ALL = []
LONGEST = 9223372036854775807
NUMBERS = [LONGEST, -LONGEST - 1, LONGEST // 1000 + 1]


def check(name):
    def keep(work):
        ALL.append((name, work))
        return work

    return keep


def lives(server, what):
    try:
        answered, _ = server.call("GET", "/__admin/health", timeout=10)
        return None if answered == 200 else f"after {what} it answers {answered}"
    except OSError as error:
        server.wait(5)
        return f"{what} ended it: {server.process.returncode}, {error}"


def tried(work, *arguments):
    """A call whose answer does not matter, as long as the server is there afterwards."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        return work(*arguments)


def answer_to(server, request, timeout=5):
    """The head of the answer, and the seconds it took; empty where none came."""
    begun = time.monotonic()
    with contextlib.closing(connect(server.port, timeout)) as connection:
        connection.sendall(request)
        try:
            return read_head(connection)[0], time.monotonic() - begun
        except OSError:
            return b"", time.monotonic() - begun


# Numbers


@check("F1: a time to respond that no clock can hold")
def time_to_respond(binary):
    with Server(binary, database=True) as server:
        account = server.account()
        server.admin("PUT", "sandboxes/default/clock", {"mode": "frozen"})
        bot = agent(server, agent_bearer(server, account), account)
        bot.ask(".ams.routing.SetAgentState", {"availability": "ONLINE", "channels": ["MESSAGING"]})
        bot.ask(".ams.routing.SubscribeRoutingTasks", {})
        for number in NUMBERS:
            one = consumer(server, sign_in(server, f"ada-{number}", account), account)
            conversation = open_dialog(one)
            field = {"field": "TTRField", "ttrType": "CUSTOM", "value": number}
            tried(one.ask, "cm.UpdateConversationField", {"conversationId": conversation, "conversationField": field})
            tried(server.call, "POST", "/__admin/sandboxes/default/clock/advance", {"by": "2m"})
            if wrong := lives(server, f"the value {number}"):
                return wrong
        server.kill()
        with Server(binary, folder=server.folder, database=True) as again:
            tried(again.call, "POST", "/__admin/sandboxes/default/clock/advance", {"by": "1h"})
            return lives(again, "the next start")


@check("F2: a file's URL that ended before time began")
def file_url(binary):
    with Server(binary) as server:
        account = server.account()
        for expires in ["-9999999999999999", str(-LONGEST - 1), "0"]:
            path = f"/v1/AUTH_async-images/{account}/x.PNG"
            parts = ["temp_url_sig", account, "download", path, expires]
            signature = hashlib.sha256(("1" + "".join(f"|{len(part)}|{part}" for part in parts)).encode()).hexdigest()[:40]
            tried(server.call, "GET", f"{path}?temp_url_sig={signature}&temp_url_expires={expires}")
            if wrong := lives(server, f"expires={expires}"):
                return wrong


@check("F3, F4: numbers of the admin API at their ends")
def numbers(binary):
    with Server(binary) as server:
        base = "/__admin/sandboxes/default"
        for number in NUMBERS:
            for name in ("socket", "code", "number", "sequence", "value"):
                tried(server.call, "POST", f"{base}/journal/marks", {"mark": "badge", name: number})
            calls = [
                ("POST", f"{base}/verdicts", {}), ("GET", f"{base}/journal?since={number}&limit={number}", None), ("GET", f"{base}/journal/{number}", None),
                ("GET", f"{base}/journal/wait?count={number}&since={number}&timeout=10ms", None),
                ("GET", f"{base}/devices/x/notifications?since={number}&limit={number}", None), ("GET", f"{base}/devices/x/notifications/{number}", None),
                ("GET", f"{base}/devices/x/notifications/wait?since={number}&timeout=10ms", None), ("DELETE", f"{base}/faults/{number}", None),
                ("POST", f"{base}/faults", {"fault": f"* slicer size={abs(number)} times={abs(number)} skip={abs(number)}"}),
                ("PUT", f"{base}/clock", {"mode": "rate", "rate": number})]
            for method, target, body in calls:
                tried(server.call, method, target, body)
                if wrong := lives(server, f"{method} {target}"):
                    return wrong
            tried(answer_to, server, head("GET", f"{base}/devices/x/notifications/stream", server.port, f"Last-Event-ID: {number}"), 1)
            if wrong := lives(server, f"Last-Event-ID: {number}"):
                return wrong


@check("L10: a database with values that nobody wrote")
def edited(binary):
    with Server(binary, database=True) as server:
        server.call("GET", f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0")
        server.arm("* delay by=1s subject=nobody")
        server.signal(signal.SIGTERM)
        server.wait(20)
        original = server.database.read_bytes()
        for statement in [
            f"UPDATE sandbox SET position = {LONGEST}", "UPDATE sandbox SET clock = json_set(clock, '$.base', 9223372036854775807)",
            "UPDATE sandbox SET clock = 'x'", f"UPDATE sandbox SET journal_floor = {LONGEST}", f"UPDATE fault SET matched = {LONGEST}, hits = {LONGEST}",
            f"UPDATE fault SET since = {-LONGEST}", "UPDATE fault SET text = 'x'", f"UPDATE journal SET place = {LONGEST}",
            "UPDATE journal SET lane = NULL", "UPDATE tenant SET configuration = '[]'",
        ]:
            for suffix in ("-wal", "-shm"):
                Path(f"{server.database}{suffix}").unlink(missing_ok=True)
            server.database.write_bytes(original)
            with contextlib.closing(sqlite3.connect(server.database)) as database:
                database.execute("PRAGMA ignore_check_constraints = ON")
                with contextlib.suppress(sqlite3.Error):
                    database.execute(statement)
                    database.commit()
            server.errors.unlink(missing_ok=True)
            try:
                with Server(binary, folder=server.folder, database=True) as again:
                    for part in ("", "/faults", "/journal", "/clock"):
                        tried(again.call, "GET", f"/__admin/sandboxes/default{part}")
                    tried(again.call, "POST", "/__admin/sandboxes/default/journal/marks", {"mark": "x"})
                    if wrong := lives(again, statement):
                        return wrong
            except RuntimeError as error:
                if "exit status -" in str(error) or "sparring.db" not in str(error):
                    return f"{statement}: {error}"[:400]


@check("L13: a time beyond the year 9999")
def late(binary):
    with Server(binary) as server:
        answered, clock = server.call("PUT", "/__admin/sandboxes/default/clock", {"mode": "frozen", "now": "9999-12-31T23:59:60.999Z"})
        if answered == 200 and not clock["now"].startswith("9999"):
            return f"9999-12-31T23:59:60.999Z became {clock['now']}"
        tried(server.call, "POST", "/__admin/sandboxes/default/clock/advance", {"by": "10y"})
        return lives(server, "ten years more")


# One who stops others


@contextlib.contextmanager
def bystander(server, limit):
    """Another sandbox's client, who calls all the while. Yields a list of what was wrong for it."""
    wrong, is_over = [], threading.Event()
    server.admin("POST", "sandboxes", {"name": "other"})
    lookup = f"/api/account/{server.account('other')}/service/idp/baseURI.json?version=1.0"

    def call():
        while not is_over.is_set():
            begun = time.monotonic()
            try:
                answered, _ = server.call("GET", lookup, timeout=limit * 10)
            except OSError as error:
                answered = error
            took = time.monotonic() - begun
            if answered != 200 or took > limit:
                wrong.append(f"another client had {answered} after {took:.1f} s")
            is_over.wait(0.02)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    try:
        yield wrong
    finally:
        is_over.set()
        thread.join(limit * 12)


@check("H2: patterns of a script, and texts that they have a hard time with")
def patterns(binary):
    with Server(binary) as server:
        script = [
            {"on": "text", "matching": pattern, "do": {"act": "say", "text": "?"}} for pattern in ("(a+)+$", ".*order.*number.*[0-9]+.*$", "(.*a){20}")]
        answered, told = server.call(
            "PATCH", "/__admin/sandboxes/default/tenants/liveperson", {"agents": [{"userId": "55", "nickname": "Alex", "script": script}]})
        account = server.account()
        one = consumer(server, sign_in(server, "ada", account), account)
        dialog = open_dialog(one)
        with bystander(server, 1) as wrong:
            for text in ("a" * 40 + "!", "order number " * 800, "a" * 8000 + "!"):
                one.tell("ms.PublishEvent", {"dialogId": dialog, "event": {"type": "ContentEvent", "contentType": "text/plain", "message": text}})
            time.sleep(1)
        return next(iter(wrong), None) or (f"the script was refused: {told}" if answered != 200 else None)


@check("M2: a query of 300 arguments")
def long_query(binary):
    with Server(binary) as server:
        answer, took = answer_to(server, head("GET", "/x?" + "&".join(["a=1"] * 300), server.port))
        return None if status(answer) else f"no answer after {took:.1f} s"


@check("M3: long paths, names and numbers")
def long_names(binary):
    with Server(binary) as server:
        account = server.account()
        requests = [head("GET", "/a" * 7000, server.port)] * 12
        requests += [head("GET", f"/api/account/{'1' * 14000}/app/default/authenticate?v=2.0", server.port)] * 4
        bodies = [
            ("/__admin/sandboxes/default/verdicts", {"rules": ["a" * 1_000_000]}), ("/__admin/sandboxes/default/clock/advance", {"by": "1" * 1_000_000}),
            (f"/api/account/{account}/app/default/authenticate?v=2.0", {"id_token": "a" * 1_000_000})]
        for target, body in bodies:
            data = json.dumps(body).encode()
            requests.append(head("POST", target, server.port, "Content-Type: application/json", f"Content-Length: {len(data)}") + data)
        with bystander(server, 1) as wrong, concurrent.futures.ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda request: answer_to(server, request, 20), requests))
        unanswered = sum(not status(answer) for answer, _ in answers)
        return next(iter(wrong), None) or (f"{unanswered} of {len(answers)} had no answer" if unanswered else None)


@check("M1: ten thousand heads that are never finished")
def partial_heads(binary):
    with Server(binary) as server:
        refused = 0
        for _ in range(10_700):
            try:
                with contextlib.closing(connect(server.port, 0.2)) as one:
                    one.sendall(b"GET / HTTP/1.1\r\nHost: 12")
            except OSError:
                refused += 1
                if refused > 5:
                    break  # no place is left
        answer, took = answer_to(server, head("GET", "/__admin/health", server.port), 90)
        return None if status(answer) == 200 and took < 10 else f"another client was served after {took:.1f} s"


@check("M10: 300 waits whose clients have left")
def abandoned(binary):
    with Server(binary) as server:
        descriptors = Path(f"/proc/{server.process.pid}/fd")
        before = len(list(descriptors.iterdir()))
        waits = [connect(server.port) for _ in range(300)]
        for one in waits:
            one.sendall(head("GET", "/__admin/sandboxes/default/journal/wait?count=1000&timeout=300s", server.port))
        time.sleep(0.5)
        for one in waits:
            one.close()
        time.sleep(3)
        left = len(list(descriptors.iterdir())) - before
        return f"{left} descriptors are still held" if left > 20 else None


# Memory and disk


def shouts(server, one, data, seconds):
    """Sends for so long and reads nothing."""
    one.connection.settimeout(0.2)
    end = time.monotonic() + seconds
    left = b""
    while time.monotonic() < end:
        left = left or data
        try:
            left = left[one.connection.send(left) :]
        except TimeoutError:
            continue
        except OSError:
            return


def grown(server, before, limit):
    """What it took above what it had before, both in MiB."""
    most = server.resident()[1] - before
    return f"its memory grew by {most:.0f} MiB" if most > limit else None


@check("H3: a socket that pings and does not read")
def pings(binary):
    with Server(binary) as server:
        account = server.account()
        one = consumer(server, sign_in(server, "ada", account), account, receive_buffer=4096)
        before = server.resident()[0]
        shouts(server, one, bytes([0x80 | PING, 0x80, 1, 2, 3, 4]) * 10_000, 8)
        return grown(server, before, 40)


@check("M4: a socket that asks faster than it is answered")
def inbox(binary):
    with Server(binary) as server:
        account = server.account()
        one = consumer(server, sign_in(server, "ada", account), account, receive_buffer=4096)
        text = json.dumps({"kind": "req", "id": "1", "type": "GetClock", "body": {}}).encode()
        before = server.resident()[0]
        shouts(server, one, (bytes([0x80 | TEXT, 0x80 | len(text), 0, 0, 0, 0]) + text) * 200, 10)
        return grown(server, before, 40)


@check("M5: a journal of megabytes, read at once")
def journal(binary):
    with Server(binary, database=True) as server:
        account, before = server.account(), server.resident()[0]
        body = json.dumps({"id_token": "a" * 1_000_000}).encode()
        for _ in range(200):
            server.call("POST", f"/api/account/{account}/app/default/authenticate?v=2.0", body)
        log = Path(f"{server.database}-wal").stat().st_size >> 20
        most = 0
        since = 0
        for _ in range(300):
            page = server.call("GET", f"/__admin/sandboxes/default/journal?since={since}&limit=10000")[1]
            most = max(most, len(json.dumps(page)) >> 20)
            if not page["entries"]:
                break
            since = page["next"]
        if log > 160:
            return f"the log has {log} MB"
        if most > 64:
            return f"an answer had {most} MB"
        return grown(server, before, 300)


@check("M5: a log that is never taken in, life after life")
def log_grows(binary):
    folder = None
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(Server(binary, database=True))
        folder = first.folder
        lookup = f"/api/account/{first.account()}/service/idp/baseURI.json?version=1.0"
        server, sizes = first, []
        for _ in range(6):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            for _ in range(1500):
                connection.request("GET", lookup)
                connection.getresponse().read()
            server.kill()
            sizes.append(Path(f"{server.database}-wal").stat().st_size >> 20)
            server = stack.enter_context(Server(binary, folder=folder, database=True))
        return f"the log has {sizes} MB, life by life" if sizes[-1] > 2 * max(sizes[0], 10) else None


@check("L9: YAML whose aliases multiply, at SIGHUP")
def aliases(binary):
    lines = ["sandboxes: []"]
    with Server(binary) as probe:
        configuration = probe.folder / "sparring.yaml"
        configuration.write_text("\n".join(lines) + "\n")
        with Server(binary, "--config", str(configuration)) as server:
            bomb = [f"{chr(97 + n)}: &{chr(97 + n)} [" + ", ".join(["x" if n == 0 else "*" + chr(96 + n)] * 9) + "]" for n in range(7)]
            configuration.write_text("\n".join(bomb + lines) + "\n")
            before = server.resident()[0]
            server.signal(signal.SIGHUP)
            time.sleep(4)
            return lives(server, "the file") or grown(server, before, 100)


# Files


@check("M7: two servers on one database, and a database of a newer version")
def two(binary):
    with Server(binary, database=True) as server:
        try:
            with Server(binary, "--database", str(server.database)) as other:
                return f"a second one serves on port {other.port}"
        except RuntimeError as error:
            if "sparring.db" not in str(error):
                return f"it does not say which file: {error}"
        server.signal(signal.SIGTERM)
        server.wait(20)
        with contextlib.closing(sqlite3.connect(server.database)) as database:
            database.execute("INSERT INTO grdb_migrations (identifier) VALUES ('engine.99')")
            database.commit()
        try:
            with Server(binary, "--database", str(server.database)):
                return "a database of a newer version is served"
        except RuntimeError as error:
            return None if "sparring.db" in str(error) else f"it does not say which file: {error}"


@check("M8: another program that holds the database for a moment")
def locked(binary):
    with Server(binary, database=True) as server:
        lookup = f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0"
        with contextlib.closing(sqlite3.connect(server.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                call = pool.submit(server.call, "GET", lookup)
                time.sleep(0.5)
                other.execute("ROLLBACK")
                answered, told = call.result(30)
        return None if answered == 200 else f"{answered} {told}"


@check("M9: who may read the database")
def modes(binary):
    before = os.umask(0o022)
    try:
        with Server(binary, database=True) as server:
            server.call("GET", "/__admin/health")
            open_ones = [
                path.name for path in server.folder.glob("sparring.db*") if stat.S_IMODE(path.stat().st_mode) & 0o077]
            return f"others may read {', '.join(open_ones)}" if open_ones else None
    finally:
        os.umask(before)


# HTTP


@check("L2: lengths and codings that two readers take for two things")
def smuggled(binary):
    with Server(binary) as server:
        second = head("GET", "/__admin/version", server.port)
        for name, field in [("a NUL behind the length", b"Content-Length: 0\0"), ("a vertical tab before the coding", b"Transfer-Encoding: \x0bchunked")]:
            request = b"POST /__admin/health HTTP/1.1\r\nHost: localhost\r\n" + field + b"\r\n\r\n"
            with contextlib.closing(connect(server.port, 4)) as one:
                one.sendall(request + second)
                data = b""
                with contextlib.suppress(OSError):
                    while piece := one.recv(65536):
                        data += piece
            if not data:
                return f"{name}: no answer"
            if b'"sparring"' in data:
                return f"{name}: what came behind it was taken as another request"
        with contextlib.closing(connect(server.port, 4)) as one:
            one.sendall(second)
            one.shutdown(socket.SHUT_WR)
            with contextlib.suppress(OSError):
                if status(read_head(one)[0]) == 200:
                    return None
        return "a client that has closed its side gets no answer"


@check("L3: an answer whose head is too long")
def long_head(binary):
    with Server(binary) as server:
        # That it may not be armed is an answer too.
        server.call("POST", "/__admin/sandboxes/default/faults", {"fault": "liveperson.lookUpService status code=503 type=text/" + "x" * 20_000})
        identity = server.tenants()["identity"]
        form = urllib.parse.urlencode({
            "response_type": "code", "client_id": identity["clientId"], "redirect_uri": identity["redirectURI"], "scope": "openid",
            "login_hint": "ada", "username": "ada", "subject": "ada", "state": "s" * 70_000}).encode()
        fields = ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}"]
        for request in [
            head("GET", f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0", server.port),
            head("POST", f"/identity/{identity['tenantId']}/authorize", server.port, *fields) + form,
        ]:
            answer, took = answer_to(server, request)
            if not status(answer):
                return f"the connection ended without an answer, after {took:.1f} s"


@check("L4: hosts that are not this one")
def foreign_hosts(binary):
    with Server(binary) as server:
        for target, host in [
            ("http://evil.test/__admin/sandboxes", "localhost"), ("/__admin/health", "localhost:evil.test"), ("/__admin/health", "[localhost"),
            ("/__admin/health", "x/.localhost"), ("/__admin/sandboxes", "evil.test")]:
            answer, _ = answer_to(server, f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            if status(answer) not in (400, 403, 421):
                return f"GET {target} with Host: {host} has {status(answer)}"
        account = server.account()
        for host in ["<script>", 'a"b', "ev il", "x/../y"]:
            answer_to(server, f"GET /api/account/{account}/service/idp/baseURI.json?version=1.0 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        found = server.admin("GET", "sandboxes/default/journal?kind=finding")["entries"]
        return f"such a host got into an answer: {found[0]['findings']}" if found else None


@check("L8: a sandbox that goes away under its callers")
def race(binary):
    with Server(binary) as server:
        server.admin("POST", "sandboxes", {"name": "short-lived"})
        wrong, is_over = [], threading.Event()

        def call(target, body):
            while not is_over.is_set():
                answered, told = server.call("POST", f"/__admin/sandboxes/short-lived/{target}", body)
                if answered >= 500:
                    wrong.append(f"POST {target}: {answered} {told}")

        threads = [
            threading.Thread(target=call, args=call_of, daemon=True)
            for call_of in [("journal/marks", {"mark": "x"}), ("faults", {"fault": "* delay by=1s"}), ("credentials", {"form": "code", "subject": "ada"})] * 2]
        for thread in threads:
            thread.start()
        for turn in range(150):
            server.call("POST", "/__admin/sandboxes/short-lived/reset")
            if turn % 10 == 9:
                server.call("DELETE", "/__admin/sandboxes/short-lived")
                server.call("POST", "/__admin/sandboxes", {"name": "short-lived"})
        is_over.set()
        for thread in threads:
            thread.join(10)
        return f"{len(wrong)} calls failed, such as {wrong[0]}"[:300] if wrong else None
