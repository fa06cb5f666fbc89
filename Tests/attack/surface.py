"""What an attack on the whole surface brought about, and what people meet who use mock servers all day: each by itself, as in checks.py."""

import concurrent.futures
import contextlib
import gzip
import json
import os
import re
import resource
import signal
import socket
import sqlite3
import ssl
import struct
import subprocess
import time
import zlib

from checks import answer_to, check, lives, tried
from server import PATIENCE, Server, basic, mint, sign_in
from wire import TEXT, Socket, connect, consumer, head, read_head, status

BINARY = 2
PATIENT = 0.25  # seconds that another sandbox's call may take beside an attack


class Neighbour:
    """Another sandbox's client, who looks a service up all the time; the longest it took, in seconds."""

    def __init__(self, server, name="good"):
        server.admin("POST", "sandboxes", {"name": name})
        self.server, self.target = server, f"/api/account/{server.account(name)}/service/idp/baseURI.json?version=1.0"
        self.took, self.stops = [], False

    def _call(self):
        while not self.stops:
            begun = time.monotonic()
            answered, _ = self.server.call("GET", self.target)
            self.took.append(time.monotonic() - begun if answered == 200 else PATIENCE)
            time.sleep(0.005)

    def __enter__(self):
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.calls = self.pool.submit(self._call)
        return self

    def __exit__(self, *_):
        self.stops = True
        self.calls.result()
        self.pool.shutdown()

    @property
    def late(self):
        """p99, in words; None where that is soon enough."""
        took = sorted(self.took)
        p99 = took[int(len(took) * 0.99)] if took else PATIENCE
        return None if p99 <= PATIENT else f"another sandbox's call took {p99 * 1000:.0f} ms (p99 of {len(took)})"


def journal(server, sandbox="default", **conditions):
    return [entry for entry in server.entries(sandbox) if all(entry.get(name) == value for name, value in conditions.items())]


def stopped(server):
    server.signal(signal.SIGTERM)
    return server.wait(20)


# 1. URLs


@check("A1: a URL that nobody can call, wherever one is configured")
def urls(binary):
    places = [
        ("liveperson", lambda url: {"issuers": [{"iss": "https://b", "jwksURI": url}]}),
        ("liveperson", lambda url: {"issuers": [{"iss": "https://b", "jwksURI": "/k", "tokenEndpoint": url}]}),
        ("liveperson", lambda url: {"push": {"apps": [{"appId": "a", "pushType": "APNS", "proxy": {"url": url}}]}}),
        ("cxone", lambda url: {"issuers": [{"iss": "https://b", "jwksURI": url}]}),
        ("asapp", lambda url: {"push": {"url": url}}), ("asapp", lambda url: {"context": {"url": url}})]
    wrong = [
        "http://127.0.0.1:70000/", "http://127.0.0.1:65536/", "https://[::1]:99999", "http://127.0.0.1:0/", "http://a:b@c/", "http:///x",
        "http://[::g]/", "http://a b/", "http://ü/", "ftp://a/", "//a/b", "http://a:1/%zz", "http://a#b"]
    with Server(binary) as server:
        for vendor, patch in places:
            for url in wrong:
                answered, problem = server.call("PATCH", f"/__admin/sandboxes/default/tenants/{vendor}", patch(url))
                if answered != 422 or not problem.get("violations"):
                    return f"{vendor} takes {url}: {answered} {problem}"
            answered, problem = server.call("PATCH", f"/__admin/sandboxes/default/tenants/{vendor}", patch("http://127.0.0.1:65535/a?b=c"))
            if answered != 200:
                return f"{vendor} takes no sound URL: {answered} {problem}"
        for url in ["http://127.0.0.1:70000", "http://[::1]:99999", "ftp://a", "http://a/b"]:
            done = subprocess.run([binary, "health", "--url", url], capture_output=True, text=True, timeout=30, check=False)
            if done.returncode != 64 or "--url" not in done.stderr:
                return f"--url {url}: exit {done.returncode} {done.stderr}"
        return lives(server, "a URL")


@check("A1: a database with work that ended three processes, and with a configuration that is refused now")
def put_aside(binary):
    with Server(binary, database=True) as server:
        account = server.account()
        server.admin("PUT", "sandboxes/default/clock", {"mode": "frozen"})
        stopped(server)
        with contextlib.closing(sqlite3.connect(server.database)) as database:
            database.execute(
                "INSERT INTO due_work (sandbox, due, vendor, kind, what, lane, body, attempts) VALUES ('default', 0, 'liveperson', 'playStep', 'x', 'ada', '{}', 3)")
            database.execute(
                "UPDATE tenant SET configuration = json_set(configuration, '$.issuers[0].jwksURI', 'http://127.0.0.1:70000/') WHERE vendor = 'liveperson'")
            database.commit()
        with Server(binary, folder=server.folder, database=True) as again:
            if "70000" not in again.said():
                return f"standard error says nothing of the configuration: {again.said()!r}"
            answered, _ = again.call("GET", f"/api/account/{account}/service/idp/baseURI.json?version=1.0")
            if answered != 200:
                return f"the account answers {answered}"
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline:
                found = [finding["code"] for entry in again.entries() for finding in entry.get("findings", [])]
                if "put-aside" in found and "configuration-refused" in found:
                    return lives(again, "such a database")
                time.sleep(0.05)
            return f"the journal has the findings {found}"


# 2. Sockets


@check("A2: messages that no channel knows, as fast as they can be sent")
def misunderstood(binary):
    with Server(binary) as server, Neighbour(server) as good:
        app = server.tenants()["khoros"]["appId"]
        target = f"/faye/{app}"
        for kind, message in [(BINARY, b"\0" * 100), (TEXT, b"no JSON" * 10), (TEXT, b'{"channel":"/none"}')]:
            one = Socket(server.port, target)
            one.connection.settimeout(0.05)
            end = time.monotonic() + 4
            while time.monotonic() < end:
                with contextlib.suppress(TimeoutError):
                    one.send(kind, message)
                if not int(time.monotonic() * 20) % 3:
                    with contextlib.suppress(TimeoutError):
                        one.connection.recv(1 << 20)
            one.connection.close()
        resident = server.resident()[1]
        if resident > 200:
            return f"it took {resident:.0f} MiB"
    if good.late:
        return good.late


# 3. Quadratic readers


@check("A3: bodies that a naive reader takes minutes for")
def slow_bodies(binary):
    with Server(binary) as server, Neighbour(server) as good:
        tenants = server.tenants()
        app, identity = tenants["khoros"]["appId"], tenants["identity"]
        answered, user = server.call("POST", f"/v2/apps/{app}/appusers", {"client": {"id": "c1", "platform": "ios", "integrationId": tenants["khoros"]["iosIntegrationId"]}, "intent": "conversation:start"})
        if answered >= 300:
            return f"no user: {answered} {user}"
        conversation, appuser = user["conversations"][0]["_id"] if user.get("conversations") else "x", user["appUser"]["_id"]
        token = basic(appuser, user["sessionToken"])
        names = "&".join(f"n{number}=1" for number in range(130_000)).encode()
        shapes = [
            (f"/v2/apps/{app}/conversations/{conversation}/files", b"-" * (5 << 20), {"Content-Type": "multipart/form-data; boundary=" + "-" * 14_000 + "x"}),
            (f"/v2/apps/{app}/conversations/{conversation}/files", b"\n--b" * (1 << 20), {"Content-Type": "multipart/form-data; boundary=b"}),
            (f"/v2/apps/{app}/conversations/{conversation}/files", b"-" * (5 << 20), {"Content-Type": "multipart/form-data; boundary=" + "-" * 69 + "x"}),
            (f"/identity/{identity['tenantId']}/token", names[:1 << 20], {"Content-Type": "application/x-www-form-urlencoded"}),
            (f"/identity/{identity['tenantId']}/token", names[:64 << 10], {"Content-Type": "application/x-www-form-urlencoded"})]
        for target, body, headers in shapes:
            begun = time.monotonic()
            server.call("POST", target, body, {"Authorization": token, **headers})
            if (took := time.monotonic() - begun) > 3:
                return f"{len(body):,} bytes to {target} took {took:.1f} s"
    return good.late


# 6, 7. What is shown to others


@check("A7: exports that go to strangers")
def exports(binary):
    with Server(binary) as server, contextlib.closing(socket.create_server(("127.0.0.1", 0))) as stranger:
        port = stranger.getsockname()[1]
        path = f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0"
        targets = [(f"http://127.0.0.1:{port}{path}", f"127.0.0.1:{port}"), (f"gopher://127.0.0.1:{port}{path}", f"127.0.0.1:{port}"),
                   (path, f"127.0.0.1:{port}"), (path, f"x.localhost:{port}"), (path, "api.example.com")]
        for target, host in targets:
            answer_to(server, f"GET {target} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer abc\r\nConnection: close\r\n\r\n".encode())
        entries = [entry["number"] for entry in journal(server, kind="exchange")]
        if len(entries) < 3:
            return f"only {len(entries)} of the calls are in the journal"
        for number in entries:
            for kind in ("curl", "python", "swift"):
                _, code = server.call("GET", f"/__admin/sandboxes/default/journal/{number}/export?as={kind}")
                for url in re.findall(r"[a-z]+://[^\s'\"/?]*", code):
                    if url != server.url:
                        return f"{kind} of entry {number} goes to {url}"


# 8, 10, 18. Files


@check("A10: a database by another name, and names that are none")
def names(binary):
    with Server(binary, database=True) as server:
        for name, make in [("by-symlink.db", os.symlink), ("by-link.db", os.link)]:
            make(server.database, server.folder / name)
            try:
                with Server(binary, "--database", str(server.folder / name)) as other:
                    return f"a second server serves {name}, on port {other.port}"
            except RuntimeError as error:
                if f"process {server.process.pid}" not in str(error):
                    return f"{name}: it does not say which process serves it: {error}"
        if lives(server, "a second one"):
            return lives(server, "a second one")
        for name in (":memory:", "file:x?mode=memory"):
            done = subprocess.run(
                [binary, "serve", "--port", "0", "--no-tls", "--quiet", "--database", name], cwd=server.folder, capture_output=True, text=True, timeout=60, check=False)
            if done.returncode == 0 or name not in done.stderr or (server.folder / name).exists():
                return f"{name}: exit {done.returncode} {done.stderr}"
        victim = server.folder / "victim"
        victim.write_text("precious")
        os.symlink(victim, server.folder / "other.db-lock")
        with Server(binary, "--database", str(server.folder / "other.db")):
            pass
        return None if victim.read_text() == "precious" else "a file behind a symbolic link was emptied"


@check("A18: a ready file that stands for something else, and a start that fails")
def ready_file(binary):
    with Server(binary) as server:
        folder = server.folder / "files"
        folder.mkdir()
        os.mkfifo(folder / "fifo")
        (folder / "target").write_text("precious")
        os.symlink(folder / "target", folder / "link")
        (folder / "folder").mkdir()
        before = {path.name: path.lstat().st_mode for path in folder.iterdir()}
        environment = {**os.environ, "TMPDIR": str(folder)}

        def serve(*options):
            return subprocess.run(
                [binary, "serve", "--port", "0", "--no-tls", "--quiet", *options], env=environment, capture_output=True, text=True, timeout=60, check=False)

        for name in ("fifo", "link", "folder"):
            done = serve("--ready-file", str(folder / name))
            if done.returncode == 0 or "not replaced" not in done.stderr:
                return f"{name}: exit {done.returncode} {done.stderr}"
        (folder / "bad.yaml").write_text("nonsense: [")
        serve("--config", str(folder / "bad.yaml"))
        (folder / "bad.yaml").unlink()
        after = {path.name: path.lstat().st_mode for path in folder.iterdir()}
        return None if after == before and (folder / "target").read_text() == "precious" else f"before {sorted(before)}, after {sorted(after)}"


# 9. Scripts


@check("A9: a fault that makes a page of an answer")
def script(binary):
    with Server(binary) as server:
        identity = server.tenants()["identity"]["tenantId"]
        target = f"/identity/{identity}/authorize?client_id=%3Cscript%3Ealert(1)%3C/script%3E"
        for fault in [None, "identity.* wrong-content-type", "identity.* status code=502 type=text/html", "identity.* wrong-content-type type=image/svg+xml"]:
            if fault:
                server.admin("DELETE", "sandboxes/default/faults")
                server.arm(fault)
            answer, _ = answer_to(server, head("GET", target, server.port))
            text = answer.decode().lower()
            if "x-content-type-options: nosniff" not in text:
                return f"{fault}: a browser may take it for a page: {text}"
            if any(kind in text for kind in ("text/html", "svg")) and "sandbox" not in text:
                return f"{fault}: its scripts run: {text}"
        answer, _ = answer_to(server, head("GET", "/__admin/sandboxes", server.port, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"))
        return None if status(answer) == 403 else f"a page of another site gets {status(answer)}"


# 11. Bodies


@check("A11: bodies that break off, are too long, or are compressed")
def bodies(binary):
    with Server(binary) as server:
        path = f"/api/account/{server.account()}/app/default/authenticate?v=2.0"
        with contextlib.closing(connect(server.port)) as one:
            one.sendall(head("POST", path, server.port, "Content-Type: application/json", "Content-Length: 5000") + b'{"id_token":"')
            one.shutdown(socket.SHUT_WR)
            with contextlib.suppress(OSError):
                one.recv(1000)
        with contextlib.closing(connect(server.port)) as one:
            one.sendall(head("POST", path, server.port, "Content-Type: application/json", "Content-Length: 5000") + b'{"id_token":"')
            time.sleep(0.2)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with contextlib.closing(connect(server.port)) as one:
            one.sendall(head("POST", path, server.port, "Content-Type: application/json", "Transfer-Encoding: chunked") + b"5\r\n{\"id_\r\nzz\r\n")
            with contextlib.suppress(OSError):
                one.recv(1000)
        time.sleep(1)
        told = [entry["cause"] for entry in server.entries() for finding in entry.get("findings", []) if finding["code"] == "body-broken-off"]
        if len(told) != 3 or not all(words[0].isdigit() for words in told):
            return f"of three bodies that broke off the journal says {told}"
        body = json.dumps({"id_token": mint(server, "ada")}).encode()
        raw = zlib.compressobj(wbits=-15)
        for coding, sent in [("gzip", gzip.compress(body)), ("x-gzip", gzip.compress(body)), ("deflate", zlib.compress(body)),
                             ("deflate", raw.compress(body) + raw.flush()), ("identity", body)]:
            answered, told = server.call("POST", path, sent, {"Content-Encoding": coding})
            if answered != 200:
                return f"{coding}: {answered} {told}"
        for coding, sent, expected in [("br", body, 415), ("gzip", body, 400), ("gzip", gzip.compress(body)[:-9], 400), ("gzip", gzip.compress(b"a" * (2 << 20)), 413)]:
            answered, told = server.call("POST", path, sent, {"Content-Encoding": coding})
            if answered != expected:
                return f"{coding}: {answered} {told}"
        tenants = server.tenants()
        if tenants["cxone"].get("brandId"):
            long = json.dumps({"content": "a" * (66 << 20), "mimeType": "image/png", "fileName": "a.png"}).encode()
            answered, told = server.call("POST", f"/chat/1.0/brand/{tenants['cxone']['brandId']}/channel/{tenants['cxone'].get('channelId', 'x')}/attachment", long)
            if "not JSON" in json.dumps(told):
                return f"a body above the limit is blamed for its syntax: {answered} {told}"


# 13. The admin API


@check("A13: unknown conditions, and waits that are over")
def conditions(binary):
    with Server(binary) as server:
        base = "/__admin/sandboxes/default/journal"
        for query in ["?opration=liveperson.authenticateV2", "?operation=liveperson.nothingLikeIt", "?operation=typo.zzz", "/wait?operation=typo.zzz&timeout=1ms", "?answer=unauthorized"]:
            answered, told = server.call("GET", base + query)
            if answered != 400:
                return f"{query}: {answered} {told}"
        answered, told = server.call("GET", base + "/wait?count=100&timeout=1ms")
        if answered != 200 or told.get("timedOut") is not True:
            return f"a wait that is over: {answered} {told}"
        done = subprocess.run([binary, "journal", "--operation", "liveperson.nothingLikeIt", "--url", server.url], capture_output=True, text=True, timeout=60, check=False)
        return None if done.returncode == 1 and "nothingLikeIt" in done.stderr else f"exit {done.returncode} {done.stderr}"


# 15. Words


@check("A15: a value with quotation marks, a file with a byte order mark, a clock that went back")
def words(binary):
    with Server(binary, database=True) as server:
        server.admin("PUT", "sandboxes/default/clock", {"mode": "real"})
        server.arm('liveperson.* status code=200 type=application/json body={"a": "b c"} times=1')
        answered, told = server.call("GET", f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0")
        if told != {"a": "b c"}:
            return f"the body became {told}"
        config = server.folder / "config.yaml"
        config.write_bytes(b"\xef\xbb\xbfsandboxes:\n  - name: marked\n")
        with Server(binary, "--config", str(config)) as marked:
            if "marked" not in json.dumps(marked.admin("GET", "sandboxes")):
                return "a file with a byte order mark was read otherwise"
        newest = list(server.entries())[-1]["sandboxTime"]
        stopped(server)
        with contextlib.closing(sqlite3.connect(server.database)) as database:
            # As if the machine's clock had gone back since.
            ahead = 3 * 86_400_000
            database.execute("UPDATE sandbox SET clock = json_set(clock, '$.wall', json_extract(clock, '$.wall') + ?)", (ahead * 1_000_000,))
            later = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + ahead / 1000))
            database.execute("UPDATE journal SET record = CAST(json_set(CAST(record AS TEXT), '$.arrival.wall', ?) AS BLOB)", (later,))
            database.commit()
        with Server(binary, folder=server.folder, database=True) as again:
            now = again.admin("GET", "sandboxes/default/clock")["now"]
            if now < newest:
                return f"the sandbox's time went back from {newest} to {now}"
            return None if "behind" in again.said() else f"there was no warning: {again.said()!r}"


# 17. Many


@check("A17: thousands of faults, removed at once")
def many_faults(binary):
    with Server(binary) as server:
        server.admin("POST", "sandboxes", {"name": "many"})
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: server.arm(f"* delay by=0s subject=s{number}", "many"), range(8000)))
        with Neighbour(server) as good:
            begun = time.monotonic()
            server.admin("DELETE", "sandboxes/many/faults", timeout=120)
            took = time.monotonic() - begun
        if good.late or took > 10:
            return f"{took:.1f} s; {good.late}"


@check("A17: a port that never answers, and all descriptors")
def stalled(binary):
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))

    with Server(binary, "--tls-defects", tls=True, preexec=few) as server:
        port = server.tls_defects["stalled-handshake"]
        held = []
        for _ in range(1500):
            try:
                held.append(connect(port, 5))
            except OSError:
                break
        time.sleep(0.5)
        wrong = lives(server, f"{len(held)} connections")
        spent = open(f"/proc/{server.process.pid}/stat").read().rsplit(")", 1)[1].split()
        begun = int(spent[11]) + int(spent[12])
        time.sleep(2)
        spent = open(f"/proc/{server.process.pid}/stat").read().rsplit(")", 1)[1].split()
        used = (int(spent[11]) + int(spent[12]) - begun) / os.sysconf("SC_CLK_TCK") / 2
        for one in held:
            one.close()
        return wrong or (f"it burns {used * 100:.0f} % of a core" if used > 0.3 else None)


@check("A12: old TLS, and clients that speak HTTP/2 only")
def tls(binary):
    with Server(binary, tls=True) as server:
        def shake(offered=None, highest=None):
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            if highest:
                context.set_ciphers("ALL:@SECLEVEL=0")
                context.minimum_version = ssl.TLSVersion.TLSv1
                context.maximum_version = highest
            if offered:
                context.set_alpn_protocols(offered)
            with contextlib.closing(connect(server.tls_port, 10)) as plain, context.wrap_socket(plain, server_hostname="localhost") as one:
                path = f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0"
                one.sendall(head("GET", path, server.tls_port, "Connection: close"))
                read_head(one)
                return one.version(), one.selected_alpn_protocol()

        for highest in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
            with contextlib.suppress(ssl.SSLError, OSError):
                return f"{shake(highest=highest)} is spoken"
        try:
            return f"a client of h2 alone gets {shake(['h2'])}"
        except ssl.SSLError as error:
            if "NO_APPLICATION_PROTOCOL" not in str(error).upper().replace(" ", "_"):
                return f"a client of h2 alone gets no alert of its own: {error}"
        reasons = [call["reason"] for call in server.admin("GET", "unplaced")["entries"]]
        if not any("offers h2 only" in reason for reason in reasons):
            return f"nothing says that a client offered h2 alone: {reasons}"
        for offered, version, expected in [(["h2", "http/1.1"], None, ("TLSv1.3", "http/1.1")), (None, None, ("TLSv1.3", None)), (None, ssl.TLSVersion.TLSv1_2, ("TLSv1.2", None))]:
            if (found := shake(offered, version)) != expected:
                return f"{offered}: {found}"
        told = [(entry["request"].get("tls"), entry["request"].get("alpn")) for entry in journal(server, kind="exchange")]
        return None if told == [("TLS1.3", "http/1.1"), ("TLS1.3", None), ("TLS1.2", None)] else f"the journal says {told}"


# 4, 8, 16. The past


@check("A4, A8, A16: files whose past would fill the disk, SQL in a database, pasts that fill the memory")
def past(binary):
    with Server(binary, "--journal-size", "64", database=True) as server:
        account = server.account()
        ada = consumer(server, sign_in(server, "ada", account), account)
        answer = ada.ask("ms.GenerateURLForUploadFile", {"fileSize": 3 << 20, "fileType": "PNG"})["body"]
        query = "&".join(f"{name}={value}" for name, value in answer["queryParams"].items())
        for number in range(60):
            body = b"\x89PNG\r\n\x1a\n" + os.urandom((3 << 20) - 8)
            put, told = server.call("PUT", f"{answer['relativePath']}?{query}", body, {"Content-Type": "image/png"})
            if put != 201:
                return f"upload {number}: {put} {told}"
        size = server.database.stat().st_size + (server.folder / "sparring.db-wal").stat().st_size
        if size > 220 << 20:
            return f"the files' past takes {size >> 20} MiB"
        newest = list(server.entries())[-1]["number"]
        before = server.resident()[0]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda number: server.call("GET", f"/__admin/sandboxes/default/journal/{number}/world"), range(newest - 15, newest + 1)))
        if any(answered not in (200, 410) for answered, _ in answers) or answers[-1][0] != 200:
            return f"the past answers {[answered for answered, _ in answers]}"
        if (grown := server.resident()[1] - before) > 100:
            return f"looking at pasts takes {grown:.0f} MiB"
        ada.connection.close()
        with Neighbour(server) as good:
            server.admin("DELETE", "sandboxes/default/journal")
        if good.late:
            return good.late
        server.admin("DELETE", "sandboxes/default")
        time.sleep(3)
        with contextlib.closing(sqlite3.connect(server.database)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if (size := server.database.stat().st_size) > 64 << 20:
            return f"the file keeps {size >> 20} MiB when all is deleted"
    with Server(binary, database=True) as server:
        server.call("GET", f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0")
        server.call("GET", f"/api/account/{server.account()}/service/idp/baseURI.json?version=1.0")
        stopped(server)
        planted = server.folder / "planted.db"
        with contextlib.closing(sqlite3.connect(server.database)) as database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(history)")]
            statement = f"ATTACH DATABASE '{planted}' AS p; CREATE TABLE p.x (y)"
            place = (database.execute("SELECT max(place) FROM journal").fetchone()[0] or 0) + 1000
            values = {"place": place, "entry": 1000, "size": len(statement), "undo": statement}
            database.execute(f"INSERT INTO history ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})", [values[name] for name in columns])
            database.commit()
        with Server(binary, folder=server.folder, database=True) as again:
            number = list(again.entries())[0]["number"]
            tried(again.call, "GET", f"/__admin/sandboxes/default/journal/{number}/world")
            tried(again.call, "POST", f"/__admin/sandboxes/default/journal/{number}/fork", {})
            if planted.exists():
                return "a statement in a database was run"
            return lives(again, "such a database")
