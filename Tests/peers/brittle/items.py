"""Shows a conversation at LivePerson, each event in its own way."""

import itertools
import json
import os
import urllib.request

from websockets.sync.client import connect

URL, ACCOUNT = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
ADMIN = f"/__admin/sandboxes/{os.environ['SPARRING_SANDBOX']}"
ids = map(str, itertools.count(1))

SHOWN = {
    "ContentEvent": lambda event: str(event.get("message")),
    "RichContentEvent": lambda event: "(a card)",
    "AcceptStatusEvent": lambda event: f"({event.get('status')})",
    "ChatStateEvent": lambda event: f"({event.get('chatState')})",
}


def post(path, body):
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def receive():
    message = json.loads(wire.recv(timeout=30))
    if message.get("type") == "ms.MessagingEventNotification":
        # The mistake: an event of another kind spoils all that came with it.
        screen.extend([SHOWN[change["event"]["type"]](change["event"]) for change in message["body"]["changes"]])
    return message


def request(kind, body):
    number = next(ids)
    wire.send(json.dumps({"kind": "req", "id": number, "type": kind, "body": body}))
    while (message := receive()).get("reqId") != number:
        pass
    return message["body"]


brands = post(ADMIN + "/credentials", {"form": "jwt", "subject": "ada"})["credential"]
token = post(f"/api/account/{ACCOUNT}/app/default/authenticate?v=2.0", {"id_token": brands})["jwt"]
screen = []
address = f"ws{URL.removeprefix('http')}/ws_api/account/{ACCOUNT}/messaging/consumer?v=3"
with connect(address, additional_headers={"Authorization": f"jwt {token}"}, proxy=None) as wire:
    dialog = request("cm.ConsumerRequestConversation", {})["conversationId"]
    request("ms.SubscribeMessagingEvents", {"dialogId": dialog, "fromSeq": 0})
    post(ADMIN + "/liveperson/agent/say", {"consumer": "ada", "text": "How can I help?"})
    while "How can I help?" not in screen:
        receive()
print("\n".join(screen))
