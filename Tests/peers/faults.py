"""What a client sees on the wire when a fault strikes: bytes, FIN or errno, plain and within TLS, at each phase of an exchange; and whether
the code it redeemed was spent.

    python faults.py http://127.0.0.1:8080

Raw sockets and Python's ssl; knows RFC 9110 and 9112, RFC 6749 and the admin API. Prints a line for each check; the first that fails ends
it with status 1.
"""

import json
import socket
import ssl
import time
import urllib.parse
import uuid

from peer import admin, base, check, finish, http

SILENCE = 0.3  # seconds without a byte that count as silence

name = f"faults-{uuid.uuid4().hex[:8]}"
made = admin("POST", "sandboxes", {"name": name, "seed": 42, "clock": {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}})
identity = made["tenants"]["identity"]
address = urllib.parse.urlsplit(made["baseURL"])
secure = urllib.parse.urlsplit(made["tlsBaseURL"]) if made.get("tlsBaseURL") else None
trust = ssl.create_default_context(cadata=http.get(f"{base}/__admin/ca", timeout=60).text) if secure else None


class Wire:
    """A connection of which nothing is hidden."""

    def __init__(self, is_tls):
        where = secure if is_tls else address
        self.socket = socket.create_connection((where.hostname, where.port), timeout=60)
        self.bytes = b""
        self.end = None  # "FIN", "RST": TCP's, which Python's own TLS sockets do not distinguish
        self.session = None
        if is_tls:
            self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            self.session = trust.wrap_bio(self.incoming, self.outgoing, server_hostname=where.hostname)
            self.in_session(self.session.do_handshake)

    def in_session(self, act):
        """Does something in the TLS session, with as many bytes from the server as that needs."""
        while True:
            try:
                result = act()
                self.socket.sendall(self.outgoing.read())
                return result
            except ssl.SSLWantReadError:
                self.socket.sendall(self.outgoing.read())
                self.incoming.write(self.socket.recv(65536))

    def send(self, data):
        if self.session:
            self.in_session(lambda: self.session.write(data))
        else:
            self.socket.sendall(data)

    def opened(self, piece):
        """What TCP brought, out of the TLS session where there is one."""
        if not self.session:
            return piece
        self.incoming.write(piece)
        opened = b""
        try:
            while data := self.session.read(65536):
                opened += data
        except (ssl.SSLWantReadError, ssl.SSLZeroReturnError):
            pass
        return opened

    def read(self, until=lambda data: False, limit=60.0):
        """Until `until` holds, the connection ends, or nothing comes for so long."""
        self.socket.settimeout(limit)
        while not until(self.bytes) and self.end is None:
            try:
                piece = self.socket.recv(65536)
            except TimeoutError:
                break
            except ConnectionResetError:
                self.end = "RST"
                break
            if not piece:
                self.end = "FIN"
            self.bytes += self.opened(piece)
        return self.bytes

    @property
    def head(self):
        return self.bytes.partition(b"\r\n\r\n")[0].decode("latin-1")

    @property
    def body(self):
        return self.bytes.partition(b"\r\n\r\n")[2]

    @property
    def length(self):
        fields = dict(line.lower().split(": ", 1) for line in self.head.split("\r\n")[1:])
        return int(fields["content-length"])

    def has(self, share):
        """Head and so much of the body have come."""
        return lambda data: b"\r\n\r\n" in data and len(data.partition(b"\r\n\r\n")[2]) >= int(self.length * share)

    def close(self):
        self.socket.close()


def redemption(code):
    """Head and body of the request that redeems a code."""
    form = urllib.parse.urlencode({
        "grant_type": "authorization_code", "code": code, "client_id": identity["clientId"], "client_secret": identity["clientSecret"],
        "redirect_uri": identity["redirectURIs"][0]})
    path = urllib.parse.urlsplit(identity["tokenEndpoint"]).path
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(form)}\r\n\r\n")
    return head.encode(), form.encode()


def new_code():
    return admin("POST", f"sandboxes/{name}/credentials", {"form": "code", "subject": "ada"})["credential"]


def is_spent(code):
    wire = Wire(False)
    head, body = redemption(code)
    wire.send(head + body)
    wire.read(wire.has(1))
    wire.close()
    if b"200 OK" in wire.bytes[:20]:
        return False
    return json.loads(wire.body)["error"] == "invalid_grant"


def advance(by):
    return admin("POST", f"sandboxes/{name}/clock/advance", {"by": by})


def pending():
    return admin("GET", f"sandboxes/{name}/clock")["pending"]


# What comes: a word for the bytes, and how the connection ends.
WHOLE, HALF, NONE, JUNK, CHUNKS = "the whole answer", "head and half of the body", "nothing", "what is no HTTP", "a sound chunk, then none"
OPEN = "stays open"
BEFORE = ["onRequestStart", "onRequestBody", "onRequestEnd"]

rows = [(effect, phase, NONE, end) for effect, end in [("CONNECTION_RESET_BY_PEER", "RST"), ("EMPTY_RESPONSE", "FIN"), ("STALL", OPEN)]
        for phase in [*BEFORE, "onResponseStart"]]
rows += [("RANDOM_DATA_THEN_CLOSE", phase, JUNK, "FIN") for phase in [*BEFORE, "onResponseStart"]]
rows += [
    ("CONNECTION_RESET_BY_PEER", "onResponseBody", HALF, "RST"),
    ("CONNECTION_RESET_BY_PEER", "onResponseEnd", WHOLE, "RST"),
    ("STALL", "onResponseBody", HALF, OPEN),
    ("truncate", "onResponseBody", HALF, "FIN"),
    ("DISCONNECT_AT_END", "onResponseEnd", WHOLE, "FIN"),
    ("MALFORMED_RESPONSE_CHUNK", "onRequestEnd", CHUNKS, "FIN"),
    ("MALFORMED_RESPONSE_CHUNK", "onResponseBody", CHUNKS, "FIN"),
]
junk = {}


def what_came(wire):
    if not wire.bytes:
        return NONE
    if not wire.bytes.startswith(b"HTTP/1.1 "):
        return JUNK
    if "chunked" in wire.head.lower():
        rest = wire.body
        while True:
            size, _, rest = rest.partition(b"\r\n")
            try:
                count = int(size, 16)
            except ValueError:
                return CHUNKS
            if count == 0:
                return "chunks in order"
            rest = rest[count + 2:]
    return {wire.length: WHOLE, wire.length // 2: HALF}.get(len(wire.body), f"{len(wire.body)} of {wire.length} bytes")


def strike(effect, phase, came, end, is_tls):
    what = f"{effect} {phase} {'TLS' if is_tls else 'plain'}"
    code = new_code()
    head, body = redemption(code)
    number = admin("POST", f"sandboxes/{name}/faults", {"fault": f"identity.token {effect} phase={phase} times=1"})["number"]
    wire = Wire(is_tls)
    # What strikes before the request is whole does so without the rest of it.
    wire.send({"onRequestStart": head, "onRequestBody": head + body[:10]}.get(phase, head + body))
    if end == OPEN:
        if came == HALF:
            wire.read(wire.has(0.5))
        wire.read(limit=SILENCE)
        check(f"{what}: the connection stays up", wire.end is None, wire.end)
    else:
        wire.read()
        check(f"{what}: ends with {end}", wire.end == end, (wire.end, wire.bytes[:80]))
    check(f"{what}: {came}", what_came(wire) == came, (what_came(wire), wire.bytes[:300]))
    if effect == "RANDOM_DATA_THEN_CLOSE":
        check(f"{what}: 64 bytes", len(wire.bytes) == 64, len(wire.bytes))
    if effect == "DISCONNECT_AT_END":
        check(f"{what}: unannounced", "connection: close" not in wire.head.lower(), wire.head)
    wire.close()
    hits = admin("GET", f"sandboxes/{name}/faults/{number}")
    check(f"{what}: struck once", hits["hits"] == 1 and hits["left"] == 0, hits)
    check(f"{what}: {'nothing was decided' if phase in BEFORE else 'decided'}", is_spent(code) == (phase not in BEFORE))
    entry = [e for e in admin("GET", f"sandboxes/{name}/journal?operation=identity.token&limit=1000")["entries"] if number in e.get("faults", []) and "answer" in e]
    check(f"{what}: the journal names the fault once, and says what became of the exchange", entry and entry[0]["answer"]["delivery"], entry)


for effect, phase, came, end in rows:
    for is_tls in [False, True] if secure else [False]:
        strike(effect, phase, came, end, is_tls)


# Answers that are changed, slow or late.
def redeem(fault, is_tls, until=None):
    code = new_code()
    admin("POST", f"sandboxes/{name}/faults", {"fault": f"identity.token {fault} times=1"})
    head, body = redemption(code)
    wire = Wire(is_tls)
    begun = time.monotonic()
    wire.send(head + body)
    wire.read(until or wire.has(1))
    return wire, code, time.monotonic() - begun


for is_tls in [False, True] if secure else [False]:
    how = "TLS" if is_tls else "plain"
    wire, code, _ = redeem("malformed-json", is_tls)
    broken = True
    try:
        json.loads(wire.body)
        broken = False
    except ValueError:
        pass
    check(f"malformed-json {how}: 200 with a length that fits, and half of the JSON", broken and wire.head.startswith("HTTP/1.1 200"), wire.bytes)
    check(f"malformed-json {how}: decided", is_spent(code))
    wire, code, _ = redeem("wrong-content-type type=text/plain", is_tls)
    check(f"wrong-content-type {how}", "content-type: text/plain" in wire.head.lower() and "id_token" in json.loads(wire.body), wire.bytes)
    wire, code, _ = redeem("empty-body", is_tls)
    check(f"empty-body {how}", wire.head.startswith("HTTP/1.1 200") and wire.length == 0 and wire.body == b"", wire.bytes)
    check(f"empty-body {how}: decided", is_spent(code))
    wire, code, _ = redeem("status code=502 type=text/html retry-after=90s", is_tls)
    check(f"a gateway's page {how}", b"<h1>502 Bad Gateway</h1>" in wire.body and "retry-after: 90" in wire.head.lower(), wire.bytes)
    check(f"a gateway's page {how}: nothing was decided", not is_spent(code))
    wire, code, _ = redeem('status code=504 body="too slow" phase=onResponseStart', is_tls)
    check(f"a gateway that gave up {how}", wire.head.startswith("HTTP/1.1 504") and wire.body == b"too slow", wire.bytes)
    check(f"a gateway that gave up {how}: decided behind its back", is_spent(code))
    wire, code, took = redeem("slicer size=100 gap=10ms", is_tls)
    check(f"slicer {how}: whole in the end", "id_token" in json.loads(wire.body), wire.bytes)
    gaps = (wire.length - 1) // 100
    check(f"slicer {how}: {gaps} gaps take their time", took >= 0.01 * gaps and gaps > 1, took)
    wire, code, took = redeem("bandwidth rate=20000", is_tls)
    check(f"bandwidth {how}: no faster than that", "id_token" in json.loads(wire.body) and took >= wire.length / 20000 * 0.8, took)
    wire, code, _ = redeem("truncate bytes=7", is_tls, until=lambda data: False)
    check(f"truncate bytes=7 {how}", len(wire.body) == 7 and wire.end == "FIN", (wire.end, wire.body))
    for phase in [*BEFORE, "onResponseStart", "onResponseBody"]:
        admin("POST", f"sandboxes/{name}/faults", {"fault": f"identity.token delay by=2s phase={phase} times=1"})
        code = new_code()
        head, body = redemption(code)
        wire = Wire(is_tls)
        wire.send({"onRequestStart": head, "onRequestBody": head + body[:10]}.get(phase, head + body))
        while not pending():
            pass
        if phase == "onResponseBody":
            wire.read(wire.has(0.5))
        check(f"delay {phase} {how}: {HALF if phase == 'onResponseBody' else NONE} comes meanwhile",
              what_came(wire) == (HALF if phase == "onResponseBody" else NONE), wire.bytes)
        advance("2s")
        wire.send({"onRequestStart": body, "onRequestBody": body[10:]}.get(phase, b""))
        wire.read(wire.has(1))
        check(f"delay {phase} {how}: the whole answer after 2 s of sandbox time", what_came(wire) == WHOLE and b"200 OK" in wire.bytes[:20], wire.bytes)
        wire.send(b"".join(redemption(new_code())))
        wire.bytes = b""
        wire.read(wire.has(1))
        check(f"delay {phase} {how}: the connection serves the next request", what_came(wire) == WHOLE, wire.bytes)
        wire.close()

# A client that gives up is journalled.
admin("POST", f"sandboxes/{name}/faults", {"fault": "identity.token STALL times=1"})
wire = Wire(False)
wire.send(b"".join(redemption(new_code())))
wire.read(limit=SILENCE)
wire.close()
found = admin("GET", f"sandboxes/{name}/journal/wait?kind=hang-up&timeout=30s")["entries"]
check("who leaves a stalled connection is journalled as having given up", found and "gave up" in found[-1]["cause"], found)

# The same seed, the same bytes.
twins = []
for twin in "ab":
    other = admin("POST", "sandboxes", {"name": f"{name}-{twin}", "seed": 7})
    account = other["tenants"]["liveperson"]["accountId"]
    admin("POST", f"sandboxes/{name}-{twin}/faults", {"fault": "*.lookUpService RANDOM_DATA_THEN_CLOSE bytes=200"})
    wire = Wire(False)
    wire.send(f"GET /api/account/{account}/service/idp/baseURI.json?version=1.0 HTTP/1.1\r\nHost: x\r\nX-Sparring-Lane: ada\r\n\r\n".encode())
    twins.append(wire.read())
check("random data are drawn from the seed", len(twins[0]) == 200 and twins[0] == twins[1], twins)
finish()
