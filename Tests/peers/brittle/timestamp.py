"""Chats at ASAPP and shows when each message was said."""

import json
import os
import urllib.request
from datetime import datetime, timezone

CHAT = os.environ["SPARRING_URL"] + "/chat/v1"
headers = {"asapp-api-id": os.environ["SPARRING_ASAPP_APP_ID"], "Content-Type": "application/json"}


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(CHAT + path, data, headers, method=method), timeout=30) as answer:
        return json.load(answer)


session = call("POST", "/session", {"userIdentifier": None, "context": {}, "platform": "android"})
headers["Authorization"] = "Bearer " + session["sessionToken"]
call("POST", "/messages", {"clientMessageId": "1", "text": "Where is my parcel?"})
for message in call("GET", "/messages")["messages"]:
    # The mistake: one way to write a time. RFC 3339 has more.
    said = datetime.strptime(message["ts"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    print(f"{said:%H:%M} {message['text']}")
