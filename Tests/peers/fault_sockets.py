"""What a client's WebSocket shows when a fault strikes it: close codes, 1006, RST, silence without a pong, messages that are lost, doubled,
late, out of order, broken; plain and within TLS; and whether what the client said was committed.

    python fault_sockets.py http://127.0.0.1:8080 [liveperson|cxone]

Python's websockets is the judge. Knows RFC 6455, the vendors' wire references and the admin API. Prints a line for each check; the first that
fails ends it with status 1.
"""

import importlib
import json
import sys
import uuid

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from consumer import plain
from peer import admin, check, finish, scheme
from relay import Relay

vendor = importlib.import_module("talk_" + (sys.argv[2:] or ["liveperson"])[0])
OPEN, SAY, TOLD, ALL = vendor.OPEN, vendor.SAY, vendor.TOLD, vendor.ALL

SILENCE = 0.3  # seconds without anything that count as silence

name = f"fault-sockets-{uuid.uuid4().hex[:8]}"
made = admin("POST", "sandboxes", {"name": name, "seed": 42, "clock": {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}})
party = vendor.Party(name, made)
wires = [("plain", "ws", None)]
if scheme(made) == "https":
    wires.append(("TLS", "wss", made["tlsBaseURL"].split("://")[1]))


seen = 0


def news():
    """What the journal has got since this was last asked."""
    global seen
    entries = []
    while more := admin("GET", f"sandboxes/{name}/journal?since={seen + 1}&limit=1000")["entries"]:
        entries += more
        seen = more[-1]["number"]
    return entries


def arm(fault):
    return admin("POST", f"sandboxes/{name}/faults", {"fault": fault})["number"]


def advance(by):
    admin("POST", f"sandboxes/{name}/clock/advance", {"by": by})


def connect(wire):
    relay = Relay(wire[2] or plain)
    talk = party.talk(wire[2], wire[1], relay.client)
    talk.relay = relay
    return talk


def begin(wire):
    """A client that talks, and hears what is said."""
    talk = connect(wire)
    talk.begin()
    return talk


def look(what, talk):
    """Has a fresh socket look at the talk."""
    fresh = connect(wires[0])
    seen = what(talk, fresh)
    fresh.wire.close()
    return seen


def come(talk, least=0):
    """Everything until the socket ends or, once so much has come, nothing more does for a while: 'resp', the unprompted messages, and how
    it ended."""
    came = []
    while True:
        try:
            message = json.loads(talk.wire.recv(timeout=60 if len(came) < least else SILENCE))
        except TimeoutError:
            return came
        except ConnectionClosed as closed:
            if closed.rcvd:
                return [*came, f"closed {closed.rcvd.code} {closed.rcvd.reason}".strip()]
            return [*came, "RST" if talk.relay.end == "RST" else "1006"]
        except ValueError:
            came.append("no JSON")
            continue
        came.append(talk.read(message))


def has_pong(talk):
    return talk.wire.ping().wait(SILENCE)


# Fault, what comes of one message, and whether it was committed.
ends = [("close code=1011 reason=boom", "closed 1011 boom"), ("close code=1001", "closed 1001"), ("abort", "1006"),
        ("CONNECTION_RESET_BY_PEER", "RST")]
rows = [(f"{SAY} {effect} phase=onRequestEnd", [end], False) for effect, end in ends]
rows += [(f"{SAY} {effect} phase=onResponseStart", [end], True) for effect, end in ends]
rows += [(f"{SAY} {effect} phase=onResponseEnd", ["resp", end], True) for effect, end in ends]
rows += [
    (f"{TOLD} {effect}", ["resp", end], True) for effect, end in ends
]
rows += [
    (f"{SAY} EMPTY_RESPONSE phase=onResponseStart", ["1006"], True),
    (f"{SAY} drop phase=onRequestEnd", [], False),
    (f"{SAY} drop", [[0]], True),
    (f"{SAY} duplicate", ["resp", "resp", [0]], True),
    (f"{SAY} reorder", [[0], "resp"], True),
    (f"{SAY} truncate bytes=20", ["no JSON", [0]], True),
    (f"{SAY} corrupt", ["closed 1007"], True),
    (f"{SAY} {vendor.REFUSAL}", ["resp"], False),
    (f"{TOLD} drop", ["resp"], True),
    (f"{TOLD} duplicate", ["resp", [0], [0]], True),
    (f"{TOLD} reorder", ["resp"], True),
    (f"{TOLD} truncate", ["resp", "no JSON"], True),
    (f"{TOLD} corrupt", ["resp", "closed 1007"], True),
    (f"{ALL} drop message:{vendor.WORDS}=hello", [[0]], True),
    (f"{ALL} drop message:{vendor.WORDS}=goodbye", ["resp", [0]], True),
    (f"{TOLD} drop message:{vendor.TOLD_WORDS}=he*o", ["resp"], True),
    (f"{SAY} drop subject=bob", ["resp", [0]], True),
    (f"{SAY} drop subject={party.lane} account={party.tenant}", [[0]], True),
    (f"{SAY} drop account=somebody", ["resp", [0]], True),
]
for fault, expected, is_committed in rows:
    for wire in wires:
        what = f"{fault} {wire[0]}"
        talk = begin(wire)
        number = arm(fault + " times=1")
        talk.post("hello")
        came = come(talk, len(expected))
        # websockets fails the connection itself over what is no UTF-8, as RFC 6455 §8.1 wants.
        if expected[-1:] == ["closed 1007"]:
            check(f"{what}: no UTF-8", came[:-1] == expected[:-1] and talk.wire.protocol.close_sent.code == 1007, came)
        else:
            # An RST may overtake what is still being sealed for TLS.
            overtaken = wire[1] == "wss" and expected == ["resp", "RST"] and came == ["RST"]
            check(f"{what}: {expected}", came == expected or overtaken, came)
        check(f"{what}: {'committed' if is_committed else 'nothing was decided'}", look(party.said, talk) == (["hello"] if is_committed else []))
        struck = admin("GET", f"sandboxes/{name}/faults/{number}")["hits"]
        # The end of a socket has the fault that ended it, and so has the message that it struck.
        told = [e for e in news() if number in e.get("faults", []) and e["kind"] not in ("fault", "socket")]
        check(f"{what}: the journal has the hit", len(told) == struck and (struck == 1 or "goodbye" in fault or "bob" in fault or "somebody" in fault), told)
        admin("DELETE", f"sandboxes/{name}/faults")
        talk.wire.close()
        look(party.close, talk)

for wire in wires:
    how = wire[0]
    # A message that overtakes, and one that waits.
    talk = begin(wire)
    arm(f"{TOLD} reorder times=1")
    talk.post("one", "1")
    talk.post("two", "2")
    came = come(talk, 4)
    check(f"reorder {how}: the notification comes after the next message, which is a response", came == ["resp", "resp", [0], [1]], came)
    arm(f"{TOLD} delay by=2s times=1")
    talk.post("three", "3")
    talk.post("four", "4")
    check(f"delay {how}: what is late holds up what follows", come(talk, 1) == ["resp"], "")
    advance("2s")
    check(f"delay {how}: in order, after 2 s of sandbox time", come(talk, 3) == [[2], "resp", [3]], "")
    talk.wire.close()
    look(party.close, talk)

    # A consumer that is there and is not.
    for phase in ["onRequestEnd", "onResponseStart", "onResponseEnd"]:
        talk = begin(wire)
        check(f"freeze {phase} {how}: there are pongs before", has_pong(talk))
        arm(f"{SAY} freeze phase={phase} times=1")
        talk.post("hello")
        check(f"freeze {phase} {how}: {'the response' if phase == 'onResponseEnd' else 'nothing'} comes",
              come(talk, phase == "onResponseEnd") == (["resp"] if phase == "onResponseEnd" else []), "")
        check(f"freeze {phase} {how}: no pong, and TCP stays up", not has_pong(talk) and come(talk) == [])
        check(f"freeze {phase} {how}: {'committed' if phase != 'onRequestEnd' else 'nothing was decided'}",
              look(party.said, talk) == (["hello"] if phase != "onRequestEnd" else []))
        talk.relay.leave()
        look(party.close, talk)

    # Endings that come later: they strike the upgrade.
    for effect, end in [*ends[:3], ("freeze", None)]:
        arm(f"{OPEN} {effect} after-frames=2 times=1")
        talk = connect(wire)
        for number in range(2):
            check(f"{effect} after-frames=2 {how}: message {number + 1} is answered", talk.asks())
        if end:
            check(f"{effect} after-frames=2 {how}: {end}", come(talk, 1) == [end])
        else:
            check(f"{effect} after-frames=2 {how}: silence", come(talk) == [] and not has_pong(talk))
            talk.relay.leave()
        arm(f"{OPEN} {effect} after=30s times=1")
        talk = connect(wire)
        advance("29s")
        check(f"{effect} after=30s {how}: well until then", talk.asks())
        advance("1s")
        if end:
            check(f"{effect} after=30s {how}: {end}", come(talk, 1) == [end])
        else:
            check(f"{effect} after=30s {how}: silence", come(talk) == [] and not has_pong(talk))
            talk.relay.leave()
        arm(f"{OPEN} {effect} times=1")
        talk = connect(wire)
        if end:
            check(f"{effect} {how}: {end} once it is open", come(talk, 1) == [end])
        else:
            check(f"{effect} {how}: silence once it is open", come(talk) == [] and not has_pong(talk))
            talk.relay.leave()

    # The upgrade itself.
    arm(f"{OPEN} status code=503 times=1")
    try:
        connect(wire)
        refused = None
    except InvalidStatus as refusal:
        refused = refusal.response.status_code
    check(f"an upgrade is refused with a status {how}", refused == 503, refused)
    for effect, end in [("CONNECTION_RESET_BY_PEER", "RST"), ("EMPTY_RESPONSE", "FIN")]:
        for phase in ["onRequestStart", "onRequestEnd", "onResponseStart"]:
            arm(f"{OPEN} {effect} phase={phase} times=1")
            relay = Relay(wire[2] or plain)
            try:
                party.talk(wire[2], wire[1], relay.client)
                refused = "it was opened"
            except (OSError, EOFError, InvalidHandshake) as error:
                refused = error
            relay.hearing.join(timeout=60)
            check(f"an upgrade ends by {effect} {phase} {how}: {end}", relay.end == end, (relay.end, refused))
    check(f"no fault is left {how}", connect(wire).asks())

findings = admin("GET", f"sandboxes/{name}/journal?kind=finding&limit=1000")["entries"]
check("nothing of this is a finding", findings == [], findings)
finish()
