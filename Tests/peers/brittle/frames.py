"""Talks at LivePerson over a WebSocket reader of its own."""

import base64
import itertools
import json
import os
import socket
import struct
import urllib.request
from http.client import parse_headers
from urllib.parse import urlsplit

URL, ACCOUNT = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
server = urlsplit(URL)
ids = map(str, itertools.count(1))


def post(path, body):
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def send(opcode, payload):
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else struct.pack(">BH", 0x80 | 126, len(payload))
    mask = os.urandom(4)
    connection.sendall(bytes([0x80 | opcode]) + length + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))


def receive():
    while True:
        first, second = reader.read(2)
        length = second & 0x7F
        if length > 125:
            length, = struct.unpack(">H", reader.read(2)) if length == 126 else struct.unpack(">Q", reader.read(8))
        payload = reader.read(length)
        opcode = first & 0x0F
        if opcode == 8:
            raise ConnectionError("the server has closed the socket")
        if opcode == 9:
            send(10, payload)
        elif opcode != 10:
            return json.loads(payload)  # The mistake: FIN is not looked at. A message may have several frames.


def request(kind, body):
    number = next(ids)
    send(1, json.dumps({"kind": "req", "id": number, "type": kind, "body": body}).encode())
    while (message := receive()).get("reqId") != number:
        notifications.append(message)
    return message["body"]


sandbox = os.environ["SPARRING_SANDBOX"]
brands = post(f"/__admin/sandboxes/{sandbox}/credentials", {"form": "jwt", "subject": "ada"})["credential"]
token = post(f"/api/account/{ACCOUNT}/app/default/authenticate?v=2.0", {"id_token": brands})["jwt"]

notifications = []
connection = socket.create_connection((server.hostname, server.port or 80), timeout=30)
reader = connection.makefile("rb")
connection.sendall("\r\n".join([
    f"GET /ws_api/account/{ACCOUNT}/messaging/consumer?v=3 HTTP/1.1", f"Host: {server.netloc}", "Upgrade: websocket", "Connection: Upgrade",
    "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", f"Authorization: jwt {token}", "", "",
]).encode())
status = reader.readline().split()[1]
parse_headers(reader)
if status != b"101":
    raise ConnectionError(f"status {status}")
dialog = request("cm.ConsumerRequestConversation", {})["conversationId"]
request("ms.SubscribeMessagingEvents", {"dialogId": dialog, "fromSeq": 0})
event = {"type": "ContentEvent", "contentType": "text/plain", "message": "Where is my parcel?"}
request("ms.PublishEvent", {"dialogId": dialog, "event": event})
while "Where is my parcel?" not in json.dumps(notifications):
    notifications.append(receive())
send(8, struct.pack(">H", 1000))
print("has heard what it said")
