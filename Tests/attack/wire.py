"""Connections as an attacker has them: bytes, and WebSockets of which every frame is in hand (RFC 6455)."""

import base64
import json
import os
import socket
import ssl
import struct

from server import PATIENCE

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


def connect(port, timeout=PATIENCE, receive_buffer=None):
    """A TCP connection; a small receive buffer makes a client that does not read felt early."""
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(timeout)
    connection.connect(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def secure(connection):
    """TLS with whatever certificate comes: it is not what is attacked."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(connection, server_hostname="localhost")


def head(method, target, port, *fields):
    return "\r\n".join([f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", *fields, "", ""]).encode()


def read_head(connection):
    """The bytes of an answer's head and what came behind it; what came, where the connection ends before."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(4096)
        if not piece:
            return data, b""
        data += piece
    return data.split(b"\r\n\r\n", 1)


def status(head_bytes):
    """0 where there is no status line."""
    return int(head_bytes[9:12]) if head_bytes[:7] == b"HTTP/1." and head_bytes[9:12].isdigit() else 0


def frame(kind, payload=b""):
    """A whole masked frame (§5.2)."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0xFE, size) if size < 1 << 16 else struct.pack("!BQ", 0xFF, size)
    mask = os.urandom(4)
    repeated = int.from_bytes((mask * (size // 4 + 1))[:size], "big") if size else 0
    masked = (int.from_bytes(payload, "big") ^ repeated).to_bytes(size, "big")
    return bytes([0x80 | kind]) + length + mask + masked


class Refused(ConnectionError):
    """The upgrade was answered otherwise."""


class Socket:
    """One WebSocket. It answers pings and close frames only where its caller does."""

    def __init__(self, port, target, headers=(), tls=False, receive_buffer=None, timeout=PATIENCE):
        self.connection = connect(port, timeout, receive_buffer)
        if tls:
            self.connection = secure(self.connection)
        key = base64.b64encode(os.urandom(16)).decode()
        fields = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
        self.connection.sendall(head("GET", target, port, *fields, *headers))
        answer, self.buffer = read_head(self.connection)
        if status(answer) != 101:
            self.connection.close()
            raise Refused(answer[:200])
        self.number = 0

    def send(self, kind, payload=b""):
        self.connection.sendall(frame(kind, payload))

    def tell(self, type, body=None, **members):
        """Sends a message and returns its id."""
        self.number += 1
        message = {"kind": "req", "id": str(self.number), "type": type, **members}
        if body is not None:
            message["body"] = body
        self.send(TEXT, json.dumps(message).encode())
        return str(self.number)

    def ask(self, type, body=None, **members):
        """The reply to a message; notifications that come before it are passed over."""
        number = self.tell(type, body, **members)
        while True:
            answer = json.loads(self.text())
            if answer.get("reqId") == number:
                return answer
            if "kind" not in answer:  # a problem document (RFC 9457), where nothing at all could be written
                return {"code": answer.get("status"), "body": answer}

    def notification(self, type):
        """The body of the next notification of a kind; what comes before it is passed over."""
        while True:
            message = json.loads(self.text())
            if message.get("type") == type and message.get("kind") == "notification":
                return message["body"]

    def text(self):
        """The next text; a close frame, or the end of the connection, is an error."""
        while True:
            kind, payload = self.receive()
            if kind == TEXT:
                return payload
            if kind == CLOSE:
                raise ConnectionResetError(f"closed with {payload!r}")

    def receive(self):
        """The next frame's kind and payload (servers send them whole and unmasked)."""
        first, second = self._take(2)
        size = second & 0x7F
        if size == 126:
            size = int.from_bytes(self._take(2), "big")
        elif size == 127:
            size = int.from_bytes(self._take(8), "big")
        return first & 0x0F, self._take(size)

    def _take(self, count):
        while len(self.buffer) < count:
            piece = self.connection.recv(65536)
            if not piece:
                raise ConnectionResetError("the connection ended")
            self.buffer += piece
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def close(self):
        """Without a word."""
        self.connection.close()


def consumer(server, token, account, **options):
    return Socket(
        server.tls_port if options.get("tls") else server.port, f"/ws_api/account/{account}/messaging/consumer?v=3",
        [f"Authorization: jwt {token}"], **options)


def agent(server, bearer, account, **options):
    return Socket(server.port, f"/ws_api/account/{account}/messaging/brand/{bearer}?v=2.1", **options)


def open_dialog(consumer_socket):
    """Opens a conversation and follows its dialog; returns its id."""
    conversation = consumer_socket.ask("cm.ConsumerRequestConversation", {"ttrDefName": "NORMAL"})["body"]["conversationId"]
    consumer_socket.ask("ms.SubscribeMessagingEvents", {"dialogId": conversation, "fromSeq": 0})
    return conversation


def publish(consumer_socket, dialog, words):
    return consumer_socket.ask(
        "ms.PublishEvent", {"dialogId": dialog, "event": {"type": "ContentEvent", "contentType": "text/plain", "message": words}})
