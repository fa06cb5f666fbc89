"""Starts a session at ASAPP and keeps it in a database."""

import json
import os
import sqlite3
import urllib.request

CHAT = os.environ["SPARRING_URL"] + "/chat/v1"
headers = {"asapp-api-id": os.environ["SPARRING_ASAPP_APP_ID"], "Content-Type": "application/json"}


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(CHAT + path, data, headers, method=method), timeout=30) as answer:
        return json.load(answer)


database = sqlite3.connect(":memory:")
# The mistake: the token is opaque, and nobody says how long it is. Today it has 32 characters.
database.execute("CREATE TABLE session (user TEXT PRIMARY KEY, token TEXT NOT NULL CHECK (length(token) <= 64))")
session = call("POST", "/session", {"userIdentifier": None, "context": {}, "platform": "android"})
database.execute("INSERT INTO session VALUES (?, ?)", (session["customerId"], session["sessionToken"]))

token, = database.execute("SELECT token FROM session").fetchone()
headers["Authorization"] = f"Bearer {token}"
print(call("GET", "/status")["unreadMessages"], "unread")
