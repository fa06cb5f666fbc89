"""What a consumer's WebSocket shows when a fault strikes it: close codes, 1006, RST, silence without a pong, messages that are lost, doubled,
late, out of order, broken; plain and within TLS; and whether what the consumer said was committed.

    python fault_sockets.py http://127.0.0.1:8080

Python's websockets is the judge. Knows RFC 6455, the vendor's wire reference and the admin API. Prints a line for each check; the first that
fails ends it with status 1.
"""

import json
import socket
import threading
import uuid

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from consumer import Consumer, lp_token, plain, text
from peer import admin, check, finish, scheme

SILENCE = 0.3  # seconds without anything that count as silence

name = f"fault-sockets-{uuid.uuid4().hex[:8]}"
made = admin("POST", "sandboxes", {"name": name, "seed": 42, "clock": {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}})
account = made["tenants"]["liveperson"]["accountId"]
token = lp_token(name, account, "ada")
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


class Relay:
    """Between a client and its server, to see how TCP itself ends: Python's ssl takes an RST for an end in order."""

    def __init__(self, authority):
        host, port = authority.rsplit(":", 1)
        self.server = socket.create_connection((host, int(port)))
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.client = socket.create_connection(listener.getsockname())
            self.near, _ = listener.accept()
        self.end = None
        threading.Thread(target=self.pump, args=(self.near, self.server), daemon=True).start()
        self.hearing = threading.Thread(target=self.pump, args=(self.server, self.near), daemon=True)
        self.hearing.start()

    def leave(self):
        """Ends both ways without a word: the client's own thread may still be reading, so its socket is not closed under it."""
        self.near.shutdown(socket.SHUT_RDWR)

    def pump(self, source, target):
        end = "FIN"
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except ConnectionResetError:
            end = "RST"
        except OSError:
            pass
        if source is self.server:
            self.end = end
        try:
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def connect(wire):
    relay = Relay(wire[2] or plain)
    consumer = Consumer(account, token, host=wire[2], scheme=wire[1], sock=relay.client)
    consumer.relay = relay
    return consumer


def talk(wire):
    """A consumer with a dialog that it follows."""
    consumer = connect(wire)
    dialog = consumer.request("cm.ConsumerRequestConversation", {"ttrDefName": "NORMAL"})["body"]["conversationId"]
    consumer.follow(dialog)
    return consumer, dialog


def end_of_all(dialog):
    """Closes the conversation, so that the next may be opened."""
    consumer = connect(wires[0])
    consumer.request(
        "cm.UpdateConversationField",
        {"conversationId": dialog, "conversationField": {"field": "ConversationStateField", "conversationState": "CLOSE"}})
    consumer.wire.close()


def said(dialog):
    """What is in the history that a fresh consumer is told."""
    consumer = connect(wires[0])
    events = [change["event"].get("message") for change in consumer.follow(dialog)]
    consumer.wire.close()
    return events


def post(consumer, dialog, words, number="p"):
    body = {"dialogId": dialog, "event": text(words)}
    consumer.wire.send(json.dumps({"kind": "req", "id": number, "type": "ms.PublishEvent", "body": body}))


def come(consumer, least=0):
    """Everything until the consumer ends or, once so much has come, nothing more does for a while: 'resp', the sequences that are told, and how
    it ended."""
    came = []
    while True:
        try:
            message = json.loads(consumer.wire.recv(timeout=60 if len(came) < least else SILENCE))
        except TimeoutError:
            return came
        except ConnectionClosed as closed:
            if closed.rcvd:
                return [*came, f"closed {closed.rcvd.code} {closed.rcvd.reason}".strip()]
            return [*came, "RST" if consumer.relay.end == "RST" else "1006"]
        except ValueError:
            came.append("no JSON")
            continue
        came.append("resp" if message["kind"] == "resp" else [change["sequence"] for change in message["body"]["changes"]])


def has_pong(consumer):
    return consumer.wire.ping().wait(SILENCE)


# Fault, what comes of one message, and whether it was committed.
ends = [("close code=1011 reason=boom", "closed 1011 boom"), ("close code=1001", "closed 1001"), ("abort", "1006"),
        ("CONNECTION_RESET_BY_PEER", "RST")]
rows = [(f"liveperson.publishText {effect} phase=onRequestEnd", [end], False) for effect, end in ends]
rows += [(f"liveperson.publishText {effect} phase=onResponseStart", [end], True) for effect, end in ends]
rows += [(f"liveperson.publishText {effect} phase=onResponseEnd", ["resp", end], True) for effect, end in ends]
rows += [
    (f"liveperson.eventsPublished {effect}", ["resp", end], True) for effect, end in ends
]
rows += [
    ("liveperson.publishText EMPTY_RESPONSE phase=onResponseStart", ["1006"], True),
    ("liveperson.publishText drop phase=onRequestEnd", [], False),
    ("liveperson.publishText drop", [[0]], True),
    ("liveperson.publishText duplicate", ["resp", "resp", [0]], True),
    ("liveperson.publishText reorder", [[0], "resp"], True),
    ("liveperson.publishText truncate bytes=20", ["no JSON", [0]], True),
    ("liveperson.publishText corrupt", ["closed 1007"], True),
    ("liveperson.publishText rate-limited", ["resp"], False),
    ("liveperson.eventsPublished drop", ["resp"], True),
    ("liveperson.eventsPublished duplicate", ["resp", [0], [0]], True),
    ("liveperson.eventsPublished reorder", ["resp"], True),
    ("liveperson.eventsPublished truncate", ["resp", "no JSON"], True),
    ("liveperson.eventsPublished corrupt", ["resp", "closed 1007"], True),
    ("liveperson.Messaging.* drop message:/body/event/message=hello", [[0]], True),
    ("liveperson.Messaging.* drop message:/body/event/message=goodbye", ["resp", [0]], True),
    ("liveperson.eventsPublished drop message:/body/changes/0/event/message=he*o", ["resp"], True),
    ("liveperson.publishText drop subject=bob", ["resp", [0]], True),
    ("liveperson.publishText drop subject=ada account=" + account, [[0]], True),
    ("liveperson.publishText drop account=somebody", ["resp", [0]], True),
]
for fault, expected, is_committed in rows:
    for wire in wires:
        what = f"{fault} {wire[0]}"
        consumer, dialog = talk(wire)
        number = arm(fault + " times=1")
        post(consumer, dialog, "hello")
        came = come(consumer, len(expected))
        # websockets fails the connection itself over what is no UTF-8, as RFC 6455 §8.1 wants.
        if expected[-1:] == ["closed 1007"]:
            check(f"{what}: no UTF-8", came[:-1] == expected[:-1] and consumer.wire.protocol.close_sent.code == 1007, came)
        else:
            # An RST may overtake what is still being sealed for TLS.
            overtaken = wire[1] == "wss" and expected == ["resp", "RST"] and came == ["RST"]
            check(f"{what}: {expected}", came == expected or overtaken, came)
        check(f"{what}: {'committed' if is_committed else 'nothing was decided'}", said(dialog) == (["hello"] if is_committed else []))
        struck = admin("GET", f"sandboxes/{name}/faults/{number}")["hits"]
        told = [e for e in news() if number in e.get("faults", []) and e["kind"] != "fault"]
        check(f"{what}: the journal has the hit", len(told) == struck and (struck == 1 or "goodbye" in fault or "bob" in fault or "somebody" in fault), told)
        admin("DELETE", f"sandboxes/{name}/faults")
        consumer.wire.close()
        end_of_all(dialog)

for wire in wires:
    how = wire[0]
    # A message that overtakes, and one that waits.
    consumer, dialog = talk(wire)
    arm("liveperson.eventsPublished reorder times=1")
    post(consumer, dialog, "one", "1")
    post(consumer, dialog, "two", "2")
    came = come(consumer, 4)
    check(f"reorder {how}: the notification comes after the next message, which is a response", came == ["resp", "resp", [0], [1]], came)
    arm("liveperson.eventsPublished delay by=2s times=1")
    post(consumer, dialog, "three", "3")
    post(consumer, dialog, "four", "4")
    check(f"delay {how}: what is late holds up what follows", come(consumer, 1) == ["resp"], "")
    advance("2s")
    check(f"delay {how}: in order, after 2 s of sandbox time", come(consumer, 3) == [[2], "resp", [3]], "")
    consumer.wire.close()
    end_of_all(dialog)

    # A consumer that is there and is not.
    for place, phase in [("publishText", "onRequestEnd"), ("publishText", "onResponseStart"), ("publishText", "onResponseEnd")]:
        consumer, dialog = talk(wire)
        check(f"freeze {phase} {how}: there are pongs before", has_pong(consumer))
        arm(f"liveperson.{place} freeze phase={phase} times=1")
        post(consumer, dialog, "hello")
        check(f"freeze {phase} {how}: {'the response' if phase == 'onResponseEnd' else 'nothing'} comes",
              come(consumer, phase == "onResponseEnd") == (["resp"] if phase == "onResponseEnd" else []), "")
        check(f"freeze {phase} {how}: no pong, and TCP stays up", not has_pong(consumer) and come(consumer) == [])
        check(f"freeze {phase} {how}: {'committed' if phase != 'onRequestEnd' else 'nothing was decided'}",
              said(dialog) == (["hello"] if phase != "onRequestEnd" else []))
        consumer.relay.leave()
        end_of_all(dialog)

    # Endings that come later: they strike the upgrade.
    for effect, end in [*ends[:3], ("freeze", None)]:
        arm(f"liveperson.openConsumerSocket {effect} after-frames=2 times=1")
        consumer = connect(wire)
        for number in range(2):
            answer = consumer.request("GetClock")
            check(f"{effect} after-frames=2 {how}: message {number + 1} is answered", answer["code"] == 200, answer)
        if end:
            check(f"{effect} after-frames=2 {how}: {end}", come(consumer, 1) == [end])
        else:
            check(f"{effect} after-frames=2 {how}: silence", come(consumer) == [] and not has_pong(consumer))
            consumer.relay.leave()
        arm(f"liveperson.openConsumerSocket {effect} after=30s times=1")
        consumer = connect(wire)
        advance("29s")
        check(f"{effect} after=30s {how}: well until then", consumer.request("GetClock")["code"] == 200)
        advance("1s")
        if end:
            check(f"{effect} after=30s {how}: {end}", come(consumer, 1) == [end])
        else:
            check(f"{effect} after=30s {how}: silence", come(consumer) == [] and not has_pong(consumer))
            consumer.relay.leave()
        arm(f"liveperson.openConsumerSocket {effect} times=1")
        consumer = connect(wire)
        if end:
            check(f"{effect} {how}: {end} once it is open", come(consumer, 1) == [end])
        else:
            check(f"{effect} {how}: silence once it is open", come(consumer) == [] and not has_pong(consumer))
            consumer.relay.leave()

    # The upgrade itself.
    arm("liveperson.openConsumerSocket status code=503 times=1")
    try:
        connect(wire)
        refused = None
    except InvalidStatus as refusal:
        refused = refusal.response.status_code
    check(f"an upgrade is refused with a status {how}", refused == 503, refused)
    for effect, end in [("CONNECTION_RESET_BY_PEER", "RST"), ("EMPTY_RESPONSE", "FIN")]:
        for phase in ["onRequestStart", "onRequestEnd", "onResponseStart"]:
            arm(f"liveperson.openConsumerSocket {effect} phase={phase} times=1")
            relay = Relay(wire[2] or plain)
            try:
                Consumer(account, token, host=wire[2], scheme=wire[1], sock=relay.client)
                refused = "it was opened"
            except (OSError, EOFError, InvalidHandshake) as error:
                refused = error
            relay.hearing.join(timeout=60)
            check(f"an upgrade ends by {effect} {phase} {how}: {end}", relay.end == end, (relay.end, refused))
    check(f"no fault is left {how}", connect(wire).request("GetClock")["code"] == 200)

findings = admin("GET", f"sandboxes/{name}/journal?kind=finding&limit=1000")["entries"]
check("nothing of this is a finding", findings == [], findings)
finish()
