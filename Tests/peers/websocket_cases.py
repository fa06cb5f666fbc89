"""Frames against an echoing WebSocket server, ordered by the sections of RFC 6455, over ws and wss.

    websocket_cases.py PORT TLS_PORT CA_FILE

The handshake and the reading of the server's frames are wsproto's; what the client sends is made here byte by byte, since most of it must be
wrong. Prints a line for each case that fails, then how many passed; the exit status is 1 if one failed.

The server sends each message back, but does what a text beginning with "!" says: "!close CODE REASON", "!abort", "!reset",
"!flood SIZE COUNT". It takes messages of up to 1 MiB.
"""

import asyncio
import base64
import os
import socket
import ssl
import struct
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor

import websockets.exceptions
from websockets.asyncio.client import connect
from wsproto import ConnectionType, WSConnection
from wsproto import events as ws

LIMIT = 1 << 20
TEXT, BINARY, MORE, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
NAMES = {TEXT: "text", BINARY: "binary", MORE: "continuation", CLOSE: "close", PING: "ping", PONG: "pong"}


def frame(opcode, payload=b"", fin=True, rsv=0, mask=b"\x11\x22\x33\x44", length=None, width=None):
    """A frame as it is on the wire. `length` and `width` (7, 16, 64) say what the head announces and how."""
    payload = payload.encode() if isinstance(payload, str) else payload
    length = len(payload) if length is None else length
    width = width or (7 if length < 126 else 16 if length < 65536 else 64)
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    bit = 0x80 if mask else 0
    head += {7: bytes([bit | length & 0x7F]), 16: struct.pack("!BH", bit | 126, length & 0xFFFF), 64: struct.pack("!BQ", bit | 127, length)}[width]
    if not mask:
        return head + payload
    whole = int.from_bytes(payload, "big") ^ int.from_bytes((mask * (len(payload) // 4 + 1))[: len(payload)], "big")
    return head + mask + whole.to_bytes(len(payload), "big")


def closing(code, reason=b""):
    return frame(CLOSE, struct.pack("!H", code) + (reason.encode() if isinstance(reason, str) else reason))


# ---------------------------------------------------------------- cases

CASES = []
HANDSHAKES = []


def case(section, name, sends, *outcome, bytewise=False):
    """`sends`: the bytes, and outcomes that are waited for before going on. `outcome`: what comes back in order; ("text", b"…"), ("binary", b"…"), ("pong", b"…"), ("ping", b"…"), then either nothing, which means
    that the connection is still sound and ends in a close handshake, or ("close", code), ("end",) for TCP's end without a close frame, ("reset",)."""
    CASES.append((section, name, sends if isinstance(sends, list) else [sends], list(outcome), bytewise))


def echo(data):
    return ("text" if isinstance(data, str) else "binary", data.encode() if isinstance(data, str) else data)


def masking():
    for opcode in (TEXT, BINARY, PING, PONG):
        for size in (0, 1, 125):
            case("5.1", f"an unmasked {NAMES[opcode]} of {size} bytes", frame(opcode, b"a" * size, mask=None), ("close", 1002))
    for opcode in (TEXT, BINARY):
        for size in (126, 65536):
            case("5.1", f"an unmasked {NAMES[opcode]} of {size} bytes", frame(opcode, b"a" * size, mask=None), ("close", 1002))
    case("5.1", "an unmasked close", frame(CLOSE, b"\x03\xe8", mask=None), ("close", 1002))
    case("5.1", "an unmasked continuation", [frame(TEXT, "a", fin=False), frame(MORE, "b", mask=None)], ("close", 1002))
    case("5.1", "an unmasked text after a masked one", [frame(TEXT, "a"), frame(TEXT, "b", mask=None)], echo("a"), ("close", 1002))
    for mask in (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\1\2\3\4", b"\0\0\0\1"):
        case("5.3", f"the masking key {mask.hex()}", frame(TEXT, "masked by that key", mask=mask), echo("masked by that key"))
        case("5.3", f"the masking key {mask.hex()}, no payload", frame(BINARY, b"", mask=mask), echo(b""))


def heads():
    for rsv in range(1, 8):
        for opcode in (TEXT, BINARY, CLOSE, PING, PONG):
            case("5.2", f"reserved bits {rsv:03b} on a {NAMES[opcode]}", frame(opcode, b"", rsv=rsv), ("close", 1002))
        case("5.2", f"reserved bits {rsv:03b} on a continuation", [frame(TEXT, "a", fin=False), frame(MORE, "b", rsv=rsv)], ("close", 1002))
    case("5.2", "a reserved bit after a good message", [frame(TEXT, "a"), frame(TEXT, "b", rsv=4)], echo("a"), ("close", 1002))
    case("5.2", "nothing follows a reserved bit", [frame(TEXT, "b", rsv=4), frame(TEXT, "a"), frame(PING, "b")], ("close", 1002))
    for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
        case("5.2", f"opcode {opcode}", frame(opcode, "a"), ("close", 1002))
        case("5.2", f"opcode {opcode}, not final", frame(opcode, "a", fin=False), ("close", 1002))
        case("5.2", f"opcode {opcode} within a message", [frame(TEXT, "a", fin=False), frame(opcode, "b")], ("close", 1002))
        case("5.2", f"opcode {opcode} after a ping", [frame(PING, "a"), frame(opcode, "b")], ("pong", b"a"), ("close", 1002))
    for size in (0, 1, 2, 124, 125, 126, 127, 128, 65534, 65535, 65536, 65537, LIMIT - 1, LIMIT):
        case("5.2", f"a text of {size} bytes", frame(TEXT, "t" * size), echo("t" * size))
        case("5.2", f"a binary of {size} bytes", frame(BINARY, b"\xfe" * size), echo(b"\xfe" * size))
    for size in (0, 1, 125):
        case("5.2", f"length {size} written in 16 bits", frame(TEXT, "t" * size, width=16), ("close", 1002))
        case("5.2", f"length {size} written in 64 bits", frame(TEXT, "t" * size, width=64), ("close", 1002))
    case("5.2", "length 65535 written in 64 bits", frame(BINARY, b"t" * 65535, width=64), ("close", 1002))
    case("5.2", "a length with the highest bit set", frame(BINARY, b"", length=1 << 63, width=64), ("close", 1002))
    case("5.2", "all bits of the length set", frame(BINARY, b"", length=(1 << 64) - 1, width=64), ("close", 1002))


def limits():
    for opcode in (TEXT, BINARY):
        case("10.4", f"a {NAMES[opcode]} one byte too long", frame(opcode, b"t" * (LIMIT + 1)), ("close", 1009))
        case("10.4", f"a {NAMES[opcode]} announced as 2^62 bytes", frame(opcode, b"t", length=1 << 62, width=64), ("close", 1009))
        parts = [frame(opcode, b"t" * LIMIT, fin=False), frame(MORE, b"")]
        case("10.4", f"a fragmented {NAMES[opcode]} of just the limit", parts, ("text" if opcode == TEXT else "binary", b"t" * LIMIT))
        parts = [frame(opcode, b"t" * LIMIT, fin=False), frame(MORE, b"t")]
        case("10.4", f"a fragmented {NAMES[opcode]} one byte too long", parts, ("close", 1009))
        parts = [frame(opcode, b"t" * 4096, fin=False)] + [frame(MORE, b"t" * 4096, fin=False) for _ in range(256)]
        case("10.4", f"a {NAMES[opcode]} of too many fragments", parts, ("close", 1009))
    case("10.4", "the limit is each message's own", [frame(BINARY, b"t" * LIMIT)] * 3, *[echo(b"t" * LIMIT)] * 3)


def fragments():
    for opcode, begin in ((TEXT, "text"), (BINARY, "binary")):
        for count in (2, 3, 10, 200):
            parts = [frame(opcode, b"x1", fin=False)] + [frame(MORE, b"x%d" % n, fin=n == count) for n in range(2, count + 1)]
            whole = b"".join(b"x%d" % n for n in range(1, count + 1))
            case("5.4", f"a {begin} in {count} fragments", parts, (begin, whole))
            case("5.4", f"a {begin} in {count} fragments, sent at once", b"".join(parts), (begin, whole))
        case("5.4", f"a {begin} of empty fragments", [frame(opcode, b"", fin=False), frame(MORE, b"", fin=False), frame(MORE, b"")], (begin, b""))
        case("5.4", f"a {begin} with one fragment of content", [frame(opcode, b"", fin=False), frame(MORE, b"c", fin=False), frame(MORE)], (begin, b"c"))
        parts = [frame(opcode, b"a", fin=False), frame(PING, b"1"), frame(MORE, b"b", fin=False), frame(PING, b"2"), frame(MORE, b"c")]
        case("5.4", f"pings between the fragments of a {begin}", parts, ("pong", b"1"), ("pong", b"2"), (begin, b"abc"))
        parts = [frame(opcode, b"a", fin=False), frame(PONG, b"1"), frame(MORE, b"c")]
        case("5.4", f"a pong between the fragments of a {begin}", parts, (begin, b"ac"))
        parts = [frame(opcode, b"a", fin=False), closing(1000)]
        case("5.4", f"a close between the fragments of a {begin}", parts, ("close", 1000))
        for fin in (True, False):
            state = "final" if fin else "not final"
            case("5.4", f"a continuation after a whole {begin}, {state}", [frame(opcode, b"a"), frame(MORE, b"b", fin=fin)], (begin, b"a"), ("close", 1002))
            for inner in (TEXT, BINARY):
                parts = [frame(opcode, b"a", fin=False), frame(inner, b"b", fin=fin)]
                case("5.4", f"a {NAMES[inner]} within a {begin}, {state}", parts, ("close", 1002))
    for fin in (True, False):
        case("5.4", f"a continuation of nothing, {'final' if fin else 'not final'}", frame(MORE, b"b", fin=fin), ("close", 1002))
    parts = [frame(TEXT, "a", fin=False), frame(MORE, "b"), frame(MORE, "c")]
    case("5.4", "a continuation after a fragmented message", parts, echo("ab"), ("close", 1002))
    parts = [frame(TEXT, "a", fin=False), frame(MORE, "b"), frame(BINARY, b"c", fin=False), frame(MORE, b"d")]
    case("5.4", "two fragmented messages after each other", parts, echo("ab"), echo(b"cd"))
    parts = frame(TEXT, "one") + frame(PING, "p") + frame(BINARY, b"t" * 300) + frame(TEXT, "a", fin=False) + frame(MORE, "b")
    case("5.4", "byte by byte", parts, echo("one"), ("pong", b"p"), echo(b"t" * 300), echo("ab"), bytewise=True)
    case("5.4", "a fault, byte by byte", frame(TEXT, "one") + frame(TEXT, "two", rsv=1), echo("one"), ("close", 1002), bytewise=True)


def controls():
    for size in (0, 1, 2, 64, 124, 125):
        case("5.5", f"a ping of {size} bytes", frame(PING, b"\xff" * size), ("pong", b"\xff" * size))
        case("5.5", f"a pong of {size} bytes that nobody asked for", [frame(PONG, b"\xff" * size), frame(TEXT, "a")], echo("a"))
    for opcode in (PING, PONG, CLOSE):
        case("5.5", f"a {NAMES[opcode]} of 126 bytes", frame(opcode, b"\x03\xe8" + b"a" * 124), ("close", 1002))
        case("5.5", f"a {NAMES[opcode]} of 65536 bytes", frame(opcode, b"\x03\xe8" + b"a" * 65534), ("close", 1002))
        case("5.5", f"a {NAMES[opcode]} that is not final", frame(opcode, b"", fin=False), ("close", 1002))
        parts = [frame(TEXT, "a", fin=False), frame(opcode, b"", fin=False)]
        case("5.5", f"a {NAMES[opcode]} that is not final within a message", parts, ("close", 1002))
    pings = [frame(PING, b"%d" % n) for n in range(100)]
    case("5.5", "a hundred pings, answered in order", pings, *[("pong", b"%d" % n) for n in range(100)])
    case("5.5", "a hundred pings at once", b"".join(pings), *[("pong", b"%d" % n) for n in range(100)])
    case("5.5", "pings among messages", [frame(TEXT, "a"), frame(PING, "p"), frame(TEXT, "b")], echo("a"), ("pong", b"p"), echo("b"))


def closes():
    case("7.4", "a close without a code", frame(CLOSE), ("close", 1005))
    case("5.5.1", "a close with half a code", frame(CLOSE, b"\x03"), ("close", 1002))
    # 1014 is registered too, but not known to wsproto.
    for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 3000, 3999, 4000, 4401, 4999):
        case("7.4", f"close code {code}", closing(code), ("close", code))
        case("7.4", f"close code {code} with a reason", closing(code, "because"), ("close", code))
    for code in (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 10000, 65535):
        case("7.4", f"close code {code}, which must not be sent", closing(code), ("close", 1002))
        case("7.4", f"close code {code}, which must not be sent, with a reason", closing(code, "because"), ("close", 1002))
    case("5.5.1", "the longest reason", closing(1000, "r" * 123), ("close", 1000))
    case("5.5.1", "a reason of many languages", closing(1000, "κόσμε 日本 🥊"), ("close", 1000))
    for bad in (b"\xff", b"\xc0\xaf", b"ok\xed\xa0\x80", b"\xf4\x90\x80\x80", b"ends within \xe2\x82"):
        case("5.5.1", f"the reason {bad!r}", closing(1000, bad), ("close", 1007))
    case("5.5.1", "a message before the close", [frame(TEXT, "a"), closing(1000)], echo("a"), ("close", 1000))
    for name, after in (
        ("a text", frame(TEXT, "late")), ("a ping", frame(PING, "late")), ("another close", closing(1001)),
        ("an unmasked text", frame(TEXT, "late", mask=None)), ("a reserved opcode", frame(5)), ("100 kB", frame(BINARY, b"l" * 100_000)),
    ):
        case("1.4", f"{name} after the close", closing(1000) + after, ("close", 1000))
    for code in (1000, 1001, 1008, 1011, 1012, 1013, 3000, 4001, 4407, 4999):
        case("7.1", f"the server closes with {code}", frame(TEXT, f"!close {code} for a reason"), ("close", code))
    case("7.1", "the server closes with too long a reason", frame(TEXT, "!close 1000 " + "ü" * 100), ("close", 1000))
    case("7.1", "the server closes after a message", [frame(TEXT, "a"), frame(TEXT, "!close 4000 r")], echo("a"), ("close", 4000))
    case("7.1", "what follows a server's close is not answered", frame(TEXT, "!close 4000 r") + frame(TEXT, "late") + frame(PING), ("close", 4000))
    case("7.1.7", "the server aborts", frame(TEXT, "!abort"), ("end",))
    case("7.1.7", "the server aborts after a message", [frame(TEXT, "a"), frame(TEXT, "!abort")], echo("a"), ("end",))
    case("7.1.7", "the server resets", frame(TEXT, "!reset"), ("reset",))
    case("7.1.7", "the server resets after a message", [frame(TEXT, "a"), echo("a"), frame(TEXT, "!reset")], ("reset",))


def characters():
    good = [
        "\x00", "\x7f", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\ufffd", "\ufffe", "\uffff", "\U00010000", "\U0010ffff", "\ufeffBOM",
        "κόσμε", "Hello-µ@ßöäüàá-UTF-8!!", "日本語のテキスト", "🥊" * 40, "a" * 7 + "é" + "b" * 9, "x" * 8 + "€",
    ]
    for text in good:
        data = text.encode()
        case("8.1", f"the text {text[:12]!r}", frame(TEXT, data), echo(text))
        if len(data) > 1:
            parts = [frame(TEXT, data[:1], fin=False)] + [frame(MORE, data[n : n + 1], fin=n == len(data) - 1) for n in range(1, len(data))]
            case("8.1", f"the text {text[:12]!r}, a fragment for each byte", parts, echo(text))
    bad = [
        b"\x80", b"\xbf", b"\x80\xbf\x80", b"\xc0\xaf", b"\xc1\xbf", b"\xe0\x80\xaf", b"\xe0\x9f\xbf", b"\xf0\x80\x80\xaf", b"\xf0\x8f\xbf\xbf",
        b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\x81\xed\xb0\x80", b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80", b"\xfe", b"\xff", b"\xfe\xfe\xff\xff", b"\xc3\x28", b"\xe2\x28\xa1", b"\xe2\x82\x28", b"\xf0\x28\x8c\xbc", b"\xf0\x90\x28\xbc",
        b"\xf0\x90\x8c\x28", b"\xc3(", b"12345678\xff", b"1234567\xff", b"123456789012345\xc3\xff",
    ]
    for data in bad:
        case("8.1", f"the bytes {data!r}", frame(TEXT, data), ("close", 1007))
        case("8.1", f"the bytes {data!r} after a fragment", [frame(TEXT, "κ", fin=False), frame(MORE, data)], ("close", 1007))
        case("8.1", f"the bytes {data!r} in a message that goes on", frame(TEXT, data, fin=False), ("close", 1007))
        case("8.1", f"the bytes {data!r} as binary", frame(BINARY, data), echo(data))
    for data in (b"\xc3", b"\xe2", b"\xe2\x82", b"\xf0", b"\xf0\x9f", b"\xf0\x9f\xa5", b"abc\xc3", b"12345678\xe2\x82"):
        case("8.1", f"a text that ends within a character: {data!r}", frame(TEXT, data), ("close", 1007))
        case("8.1", f"a fragmented text that ends within a character: {data!r}", [frame(TEXT, data, fin=False), frame(MORE)], ("close", 1007))
        case("8.1", f"a character broken by its next fragment: {data!r}", [frame(TEXT, data, fin=False), frame(MORE, "a")], ("close", 1007))
    parts = [frame(TEXT, b"\xf0\x9f", fin=False), frame(PING, b"\xff"), frame(MORE, b"\xa5\x8a")]
    case("8.1", "a ping within a character", parts, ("pong", b"\xff"), echo("🥊"))


def handshake(name, status, drop=(), method="GET", version="HTTP/1.1", **fields):
    """`fields` replace those of a sound handshake, `_` standing for `-`; a list sends the field several times."""
    lines = {"Host": "a", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"}
    lines.update({key.replace("_", "-"): value for key, value in fields.items()})
    text = f"{method} / {version}\r\n"
    for key, value in lines.items():
        for one in value if isinstance(value, list) else [value]:
            text += "" if key in drop else f"{key}: {one}\r\n"
    HANDSHAKES.append((name, (text + "\r\n").encode(), status))


def handshakes():
    handshake("sound", 101)
    handshake("names in other case", 101, Upgrade="WebSocket", Connection="keep-alive, UPGRADE")
    handshake("Upgrade with other protocols", 101, Upgrade="h2c, websocket")
    handshake("extensions and subprotocols, none of which is agreed to", 101,
              Sec_WebSocket_Extensions="permessage-deflate; client_max_window_bits", Sec_WebSocket_Protocol="chat, superchat")
    handshake("an Origin", 101, Origin="https://example.com")
    handshake("POST", 405, method="POST")
    handshake("HTTP/1.0", 400, version="HTTP/1.0")
    handshake("no Upgrade", 426, drop=["Upgrade"])
    handshake("Upgrade to something else", 400, Upgrade="h2c")
    handshake("no Connection", 400, drop=["Connection"])
    handshake("Connection that does not upgrade", 400, Connection="keep-alive")
    handshake("no version", 400, drop=["Sec-WebSocket-Version"])
    for version in ("8", "0", "12", "14", "13a", "013"):
        handshake(f"version {version}", 426, Sec_WebSocket_Version=version)
    handshake("two versions", 400, Sec_WebSocket_Version=["13", "8"])
    handshake("no key", 400, drop=["Sec-WebSocket-Key"])
    handshake("two keys", 400, Sec_WebSocket_Key=["dGhlIHNhbXBsZSBub25jZQ==", "AAAAAAAAAAAAAAAAAAAAAA=="])
    for key in ("short", base64.b64encode(b"15 bytes long..").decode(), base64.b64encode(b"17 bytes long....").decode(), "!" * 22 + "==", "a" * 24):
        handshake(f"the key {key}", 400, Sec_WebSocket_Key=key)


# ---------------------------------------------------------------- the wire


class Wire:
    """A socket whose end shows: EOFError for an orderly end, else ConnectionResetError. TLS is done in memory, because Python's own TLS sockets
    show a reset as an end of file."""

    def __init__(self, port, authority=None):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.tls = None
        if authority:
            self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            self.tls = ssl.create_default_context(cafile=authority).wrap_bio(self.incoming, self.outgoing, server_hostname="127.0.0.1")
            self._step(self.tls.do_handshake)

    def _step(self, action):
        while True:
            try:
                result = action()
                self.socket.sendall(self.outgoing.read())
                return result
            except ssl.SSLWantReadError:
                self.socket.sendall(self.outgoing.read())
                data = self.socket.recv(65536)
                if not data:
                    raise EOFError from None
                self.incoming.write(data)

    def send(self, data):
        if self.tls:
            self.tls.write(data)
            data = self.outgoing.read()
        self.socket.sendall(data)

    def receive(self):
        try:
            data = self._step(lambda: self.tls.read(65536)) if self.tls else self.socket.recv(65536)
        except ssl.SSLZeroReturnError:
            raise EOFError from None
        if not data:
            raise EOFError
        return data

    def close(self):
        self.socket.close()


class Session:
    """A connection whose handshake wsproto has made and whose frames it reads."""

    def __init__(self, wire):
        self.wire = wire
        self.protocol = WSConnection(ConnectionType.CLIENT)
        self.pending = []
        self.has_closed = False
        wire.send(self.protocol.send(ws.Request(host="127.0.0.1", target="/")))
        event = self.event()
        assert isinstance(event, ws.AcceptConnection), f"the handshake was answered with {event}"

    def event(self):
        while not self.pending:
            self.protocol.receive_data(self.wire.receive())
            self.pending = list(self.protocol.events())
        return self.pending.pop(0)

    def outcome(self):
        """The next message, control frame or end, in the words of the table."""
        parts = []
        try:
            while True:
                event = self.event()
                if isinstance(event, ws.CloseConnection):
                    self.answer_close(event)
                    return ("close", int(event.code))
                if isinstance(event, ws.Ping):
                    return ("ping", bytes(event.payload))
                if isinstance(event, ws.Pong):
                    return ("pong", bytes(event.payload))
                parts.append(event.data)
                if event.message_finished:
                    return ("text", "".join(parts).encode()) if isinstance(event, ws.TextMessage) else ("binary", b"".join(parts))
        except EOFError:
            return ("end",)
        except ConnectionResetError:
            return ("reset",)

    def answer_close(self, event):
        if self.has_closed:
            return
        try:
            self.wire.send(frame(CLOSE) if event.code == 1005 else closing(event.code))
        except (BrokenPipeError, ConnectionResetError):
            pass  # the server does not wait for it where the client was at fault


def closes_itself(data):
    """Whether a close frame is among the client's frames, so that it may not send another."""
    while len(data) >= 2:
        opcode, masked, length, start = data[0] & 15, data[1] >> 7, data[1] & 127, 2
        if opcode == CLOSE:
            return True
        if length > 125:
            start = 4 if length == 126 else 10
            length = int.from_bytes(data[2:start], "big")
        data = data[start + 4 * masked + length :]
    return False


def short(thing):
    text = repr(thing)
    return text if len(text) < 120 else text[:100] + f"… ({len(text)} characters)"


def run_case(target, section, name, sends, outcome, bytewise):
    wire = Wire(*target)
    try:
        session = Session(wire)
        session.has_closed = closes_itself(b"".join(data for data in sends if isinstance(data, bytes)))
        try:
            for data in sends:
                if isinstance(data, tuple):
                    found = session.outcome()
                    assert found == data, f"instead of {short(data)} comes {short(found)}"
                    continue
                for piece in ([data[n : n + 1] for n in range(len(data))] if bytewise else [data]):
                    wire.send(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass  # ended before all was sent; what was received tells
        for number, expected in enumerate(outcome):
            found = session.outcome()
            assert found == expected, f"answer {number + 1} is {short(found)} instead of {short(expected)}"
        last = outcome[-1][0] if outcome else "open"
        if last not in ("close", "end", "reset"):
            session.has_closed = True
            wire.send(closing(1000, "the case is done"))
            found = session.outcome()
            assert found == ("close", 1000), f"a close handshake was answered with {short(found)}"
            last = "close"
        if last == "close":
            found = session.outcome()
            # libmicrohttpd cannot half-close a TLS connection: a client at fault that is slow to stop sending may see a reset after its close frame.
            late = wire.tls and outcome and outcome[-1] in (("close", 1002), ("close", 1007), ("close", 1009)) and found == ("reset",)
            assert found == ("end",) or late, f"after the close frame comes {short(found)}"
    finally:
        wire.close()


def run_handshake(target, request, status):
    wire = Wire(*target)
    try:
        wire.send(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += wire.receive()
        head = answer.split(b"\r\n\r\n")[0].decode().lower()
        found = int(head.split()[1])
        assert found == status, f"answered with {found} instead of {status}"
        if status == 101:
            assert "sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=" in head, "Sec-WebSocket-Accept is not that of RFC 6455 §1.3"
            assert "sec-websocket-extensions" not in head and "sec-websocket-protocol" not in head, "something was agreed to"
        if status == 426:
            assert "sec-websocket-version: 13" in head, "426 does not name the version"
        if status == 405:
            assert "allow: get" in head, "405 does not name GET"
    finally:
        wire.close()


# ---------------------------------------------------------------- the websockets library


async def library(port, authority):
    """A client made by others, with its defaults: it offers permessage-deflate and checks what it gets.

    Not that of `websockets.sync`: its two threads share a TLS connection, and where one sets the time limit of a close while the other reads, Python's
    ssl calls that read timed out, so that the close frame is never seen.
    """
    context = ssl.create_default_context(cafile=authority) if authority else None
    url = f"{'wss' if authority else 'ws'}://127.0.0.1:{port}/"

    def opened():
        return connect(url, ssl=context, max_size=None, close_timeout=60)

    async def received(client):
        return await asyncio.wait_for(client.recv(), 60)

    async with opened() as client:
        for message in ("", "text", "κόσμε 🥊", "x" * 200_000, b"", b"\x00\xff", os.urandom(300_000)):
            await client.send(message)
            found = await received(client)
            assert found == message, f"{short(message)} came back as {short(found)}"
        await client.send(iter(["frag", "men", "ted"]))
        assert await received(client) == "fragmented"
        await asyncio.wait_for(await client.ping(), 20)
    assert client.close_code == 1000, f"closed with {client.close_code}"
    async with opened() as client:
        await client.send("!close 4100 over and out")
        try:
            raise AssertionError(f"received {await received(client)!r} instead of a close")
        except websockets.exceptions.ConnectionClosed as closed:
            assert (closed.rcvd.code, closed.rcvd.reason, closed.rcvd_then_sent) == (4100, "over and out", True), f"{closed}"
    async with opened() as client:
        await client.send("!flood 1000 5000")
        for number in range(5000):
            assert await received(client) == b"\x07" * 1000, f"message {number}"
    async with opened() as client:
        await client.send("!abort")
        try:
            raise AssertionError(f"received {await received(client)!r} instead of an end")
        except websockets.exceptions.ConnectionClosedError as closed:
            assert closed.rcvd is None, f"a close frame came: {closed}"


# ---------------------------------------------------------------- all of it


def main():
    port, tls_port, authority = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for part in (masking, heads, limits, fragments, controls, closes, characters, handshakes):
        part()
    work = []
    for scheme, target in (("ws", (port,)), ("wss", (tls_port, authority))):
        for name, request, status in HANDSHAKES:
            work.append((f"{scheme} §4.2 handshake: {name}", run_handshake, (target, request, status)))
        for section, name, *rest in CASES:
            if scheme == "wss" and name == "100 kB after the close":
                continue  # libmicrohttpd cannot half-close a TLS connection: the kernel answers those bytes with a reset
            work.append((f"{scheme} §{section} {name}", run_case, (target, section, name, *rest)))
        work.append((f"{scheme} the websockets library", lambda *at: asyncio.run(library(*at)), (target[0], target[1] if len(target) > 1 else None)))

    def attempt(item):
        name, action, arguments = item
        try:
            action(*arguments)
            return None
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1].lineno
            return f"{name}: {error or type(error).__name__} (line {where})"

    with ThreadPoolExecutor(24) as pool:
        failures = [failure for failure in pool.map(attempt, work) if failure]
    for failure in failures:
        print(failure)
    print(f"{len(work) - len(failures)} of {len(work)} checks passed")
    sys.exit(1 if failures else 0)


main()
