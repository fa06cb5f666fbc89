"""Counts what an agent says at LivePerson, for the badge."""

import itertools
import json
import os
import urllib.request

from websockets.sync.client import connect

URL, ACCOUNT = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
ADMIN = f"/__admin/sandboxes/{os.environ['SPARRING_SANDBOX']}"
WORDS = ["Hello.", "How can I help?", "Are you there?"]
ids = map(str, itertools.count(1))


def post(path, body):
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def receive(seconds=30):
    message = json.loads(wire.recv(timeout=seconds))
    if message.get("type") == "ms.MessagingEventNotification":
        texts = [change.get("event", {}).get("message") for change in message["body"]["changes"]]
        # The mistake: an event may come twice. Its sequence, which tells so, is not looked at.
        heard.extend(text for text in texts if text in WORDS)
    return message


def request(kind, body):
    number = next(ids)
    wire.send(json.dumps({"kind": "req", "id": number, "type": kind, "body": body}))
    while (message := receive()).get("reqId") != number:
        pass
    return message["body"]


brands = post(ADMIN + "/credentials", {"form": "jwt", "subject": "ada"})["credential"]
token = post(f"/api/account/{ACCOUNT}/app/default/authenticate?v=2.0", {"id_token": brands})["jwt"]
heard = []
address = f"ws{URL.removeprefix('http')}/ws_api/account/{ACCOUNT}/messaging/consumer?v=3"
with connect(address, additional_headers={"Authorization": f"jwt {token}"}, proxy=None) as wire:
    dialog = request("cm.ConsumerRequestConversation", {})["conversationId"]
    request("ms.SubscribeMessagingEvents", {"dialogId": dialog, "fromSeq": 0})
    for words in WORDS:
        post(ADMIN + "/liveperson/agent/say", {"consumer": "ada", "text": words})
    while not set(WORDS) <= set(heard):
        receive()
    try:
        while True:
            receive(seconds=0.3)  # what else is on its way
    except TimeoutError:
        pass
assert len(heard) == 3, f"the badge should be 3: {heard}"
print("badge 3")
