"""A consumer's messaging, as somebody else would write it: finds its host, signs in, opens its socket, talks, loses it and comes back.

    python messaging.py http://127.0.0.1:8080

Knows the vendor's wire reference and the admin API, and nothing of Sparring's code. Prints a line for each check; the first that fails
ends it with status 1.
"""

import uuid

from websockets.exceptions import ConnectionClosed

from consumer import CHANGED, EVENTS, Consumer, lp_token, text
from peer import admin, base, check, finish, http

name = f"messaging-{uuid.uuid4().hex[:8]}"
made = admin("POST", "sandboxes", {"name": name, "clock": {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}})
account = made["tenants"]["liveperson"]["accountId"]

looked_up = http.get(f"{base}/api/account/{account}/service/asyncMessagingEnt/baseURI.json?version=1.0", timeout=60).json()
check("the domain lookup names the messaging host", looked_up["service"] == "asyncMessagingEnt" and looked_up["baseURI"], looked_up)

token = lp_token(name, account, "ada")
ada = Consumer(account, token)
subscribed = ada.request("cqm.SubscribeExConversations", {"convState": ["OPEN"], "minLastUpdatedTime": 0})
check("a subscription has an id", subscribed["code"] == 200 and subscribed["body"]["subscriptionId"], subscribed)
first = ada.notification(CHANGED)
check("it learns at once that there is nothing yet", first["changes"] == [] and first["subscriptionId"] == subscribed["body"]["subscriptionId"], first)

opened = ada.request("cm.ConsumerRequestConversation", {"ttrDefName": "NORMAL", "channelType": "MESSAGING"})
conversation = opened["body"]["conversationId"]
change = ada.notification(CHANGED)["changes"][0]
details = change["result"]["conversationDetails"]
check("the conversation is shown open", change["type"] == "UPSERT" and details["state"] == "OPEN" and details["stage"] == "OPEN", change)
check("its main dialog has its id", [d["dialogId"] for d in details["dialogs"] if d["dialogType"] == "MAIN"] == [conversation], details)

check("the dialog can be followed", ada.request("ms.SubscribeMessagingEvents", {"dialogId": conversation, "fromSeq": 0})["code"] == 200)
ada.notification(EVENTS)


for number, words in enumerate(["hello", "is anybody there?", "äöü 日本 🙂"]):
    answer = ada.publish(conversation, text(words), conversationId=conversation)
    check(f"message {number} takes the next sequence", answer["code"] == 200 and answer["body"]["sequence"] == number, answer)
    heard = ada.notification(EVENTS)["changes"][0]
    check("and is heard by who sent it", heard["event"]["message"] == words and heard["sequence"] == number, heard)
typing = ada.publish(conversation, {"type": "ChatStateEvent", "chatState": "COMPOSING"})
check("a chat state takes none", typing["body"]["sequence"] == 0, typing)
check("and is notified without", "sequence" not in ada.notification(EVENTS)["changes"][0])

tablet = Consumer(account, token, by="message")
check("InitConnection signs a second device in", tablet.initialisation["code"] == 200 and isinstance(tablet.initialisation["body"], str))
tablet.request("ms.SubscribeMessagingEvents", {"dialogId": conversation, "fromSeq": 1})
caught_up = tablet.notification(EVENTS)["changes"]
check("which catches up from where it wants", [c["sequence"] for c in caught_up] == [1, 2], caught_up)

ada.wire.socket.close()
tablet.publish(conversation, text("said while the phone was away"))
ada = Consumer(account, token)
ada.request("ms.SubscribeMessagingEvents", {"dialogId": conversation, "fromSeq": 3})
missed = ada.notification(EVENTS)["changes"]
check("after a reconnect what was missed comes, once", [c["event"]["message"] for c in missed] == ["said while the phone was away"], missed)

eve = Consumer(account, lp_token(name, account, "eve"))
check("another consumer has no such dialog", eve.request("ms.SubscribeMessagingEvents", {"dialogId": conversation})["code"] >= 400)

closing = {"field": "DialogChange", "type": "UPDATE", "dialog": {"dialogId": conversation, "state": "CLOSE", "closedCause": "Closed by consumer"}}
closed = ada.request("cm.UpdateConversationField", {"conversationId": conversation, "conversationField": closing})
check("closing is answered as documented", closed["body"] == "OK Conversation resolved successfully", closed)
check("nothing can be said after that", ada.publish(conversation, text("late"))["code"] >= 400)

admin("POST", f"sandboxes/{name}/clock/advance", {"by": "50s"})
check("the clock is the sandbox's", eve.request("GetClock")["body"]["currentTime"] == 1_800_000_050_000)
admin("POST", f"sandboxes/{name}/clock/advance", {"by": "50s"})
check("who said nothing for a minute is dropped without a close frame", tablet.end() == (1006, ""))
check("who said something is not", eve.request("GetClock")["code"] == 200)
for _ in range(72):
    admin("POST", f"sandboxes/{name}/clock/advance", {"by": "50s"})
    try:
        eve.request("KeepAlive")
    except ConnectionClosed:
        break
check("when the token ends, so does the socket: a fresh one is needed", eve.end() == (4401, "Identity token is invalid"))
late = Consumer(account, token)
check("and the old one opens none", late.end() == (4401, "Identity token is invalid"))
admin("DELETE", f"sandboxes/{name}")
finish()
