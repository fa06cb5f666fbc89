"""A consumer whose agent is played: by the admin API, as a test does it, and by a script on the sandbox's clock.

    python agents.py http://127.0.0.1:8080

Knows the vendor's wire reference and the admin API, and nothing of Sparring's code. Prints a line for each check; the first that fails
ends it with status 1.
"""

import uuid

from consumer import CHANGED, Consumer, lp_token
from peer import admin, base, check, finish, http


def sandbox(agents):
    name = f"agents-{uuid.uuid4().hex[:8]}"
    clock = {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}
    made = admin("POST", "sandboxes", {"name": name, "clock": clock, "tenants": {"liveperson": {"agents": agents}}})
    return name, made["tenants"]["liveperson"]["accountId"]


def device(account, token, method, path, body=None):
    return http.request(
        method, f"{base}/mock/pusher/account/{account}/{path}", json=body, headers={"Authorization": f"Bearer {token}"}, timeout=60)


# A test plays the agent.
name, account = sandbox([{"userId": "55", "nickname": "Alex"}, {"userId": "56", "nickname": "Bo", "skills": ["17"]}])
token = lp_token(name, account, "alice")
alice = Consumer(account, token)
alice.request("cqm.SubscribeExConversations", {"convState": ["OPEN"]})
alice.changes(CHANGED)
conversation = alice.request("cm.ConsumerRequestConversation", {})["body"]["conversationId"]
alice.changes(CHANGED)
alice.follow(conversation)
alice.say(conversation, "hello")
alice.changes()


def act(what, **members):
    return admin("POST", f"sandboxes/{name}/liveperson/agent/{what}", {"consumer": "alice", **members})


act("join")
details = alice.changes(CHANGED)[0]["result"]["conversationDetails"]
roles = {p["role"]: p["id"] for p in details["participants"]}
check("the agent takes part", "ASSIGNED_AGENT" in roles and len(details["dialogs"][0]["participantsDetails"]) == 2, details)
for receipt, status in [("accept", "ACCEPT"), ("read", "READ")]:
    act(receipt)
    change = alice.changes()[0]
    check(f"{receipt} is an AcceptStatusEvent", change["event"] == {"type": "AcceptStatusEvent", "status": status, "sequenceList": [0]}, change)
act("typing")
change = alice.changes()[0]
check("typing is a ChatStateEvent without a sequence", change["event"]["chatState"] == "COMPOSING" and "sequence" not in change, change)
done = act("say", text="How can I help?", quickReplies=["Order", "Bye"])
change = alice.changes()[0]
check("a text comes with its sequence and originator", change["sequence"] == done["sequence"] == 3 and change["originatorId"] == roles["ASSIGNED_AGENT"], change)
check("and its role", change["originatorMetadata"]["role"] == "ASSIGNED_AGENT" and change["dialogId"] == conversation, change)
titles = [reply["title"] for reply in change["event"]["quickReplies"]["replies"]]
check("and quick replies", titles == ["Order", "Bye"] and done["delivery"] == "socket", change)

registered = device(account, token, "PUT", "registrations/test.brand.app", {"deviceToken": "phone-a", "pushType": "APNS"})
check("the phone registers", registered.status_code == 201, registered.text)
alice.wire.close()
admin("GET", f"sandboxes/{name}/journal/wait?kind=socket&timeout=50s")
for badge, words in enumerate(["are you there?", "hello?"], 1):
    done = act("say", text=words)
    check("who is away is pushed to", done["delivery"] == "push", done)
    page = admin("GET", f"sandboxes/{name}/devices/phone-a/notifications/wait?count={badge}&timeout=50s")
    pushed = page["notifications"][-1]
    check("with a running badge", pushed["badge"] == badge and pushed["text"] == f"Alex: {words}", pushed)
check("the pusher counts them", device(account, token, "GET", "unread?appId=test.brand.app").json()["total"] == 2)
alice = Consumer(account, token)
missed = alice.follow(conversation, 4)
check("who comes back gets what was missed", [c["event"]["message"] for c in missed] == ["are you there?", "hello?"], missed)
check("and has nothing unread", device(account, token, "GET", "unread?appId=test.brand.app").json()["total"] == 0)
check("a text to who is there is not pushed", act("say", text="welcome back")["delivery"] == "socket")
alice.changes()
page = admin("GET", f"sandboxes/{name}/devices/phone-a/notifications")
check("so that two pushes were all", len(page["notifications"]) == 2, page)

act("transfer", skill="17")
shown = admin("GET", f"sandboxes/{name}/liveperson/conversations/{conversation}")
check("after a transfer nobody is assigned", shown["skill"] == "17" and shown["agents"] == [], shown)
refused = admin("POST", f"sandboxes/{name}/liveperson/agent/close", {"consumer": "alcie"}, 422)
check("a misspelt consumer is answered with the nearest", "did you mean 'alice'" in refused["detail"], refused)
alice.request("cqm.SubscribeExConversations", {"convState": ["OPEN"]})
alice.changes(CHANGED)
act("close", agent="56", closedCause="Solved", survey=False)
change = alice.changes(CHANGED)[0]
check("closing is a DELETE for who follows open ones", change["type"] == "DELETE" and change["result"]["conversationDetails"]["closeReason"] == "AGENT", change)
refused = admin("POST", f"sandboxes/{name}/liveperson/agent/say", {"conversation": conversation, "text": "late"}, 409)
check("after that nothing can be said", refused["refusal"] == "conversation-closed", refused)
admin("DELETE", f"sandboxes/{name}")

# A script does.
script = [
    {"on": "opened", "do": {"act": "join"}},
    {"on": "text", "matching": "(?i)order [0-9]+", "after": "2s", "do": {"act": "typing"}},
    {"after": "3s", "do": {"act": "say", "text": "{{text}}: on its way"}},
]
name, account = sandbox([{"userId": "55", "nickname": "Alex", "script": script}])
alice = Consumer(account, lp_token(name, account, "alice"))
conversation = alice.request("cm.ConsumerRequestConversation", {})["body"]["conversationId"]
alice.follow(conversation)
for words in ["hi", "Order 7"]:
    alice.say(conversation, words)
    alice.changes()
admin("POST", f"sandboxes/{name}/clock/advance", {"by": "4999ms"})
check("the script is seen typing", alice.changes()[0]["event"].get("chatState") == "COMPOSING")
events = admin("GET", f"sandboxes/{name}/liveperson/conversations/{conversation}")["dialogs"][0]["events"]
check("and says nothing before its time", [e["from"] for e in events] == ["alice", "alice"], events)
admin("POST", f"sandboxes/{name}/clock/advance", {"by": "1ms"})
check("then it answers what matched, once", alice.changes()[0]["event"]["message"] == "Order 7: on its way")
admin("DELETE", f"sandboxes/{name}")

# And an echo.
name, account = sandbox([{"userId": "55", "nickname": "Alex", "script": "echo"}])
alice = Consumer(account, lp_token(name, account, "alice"))
conversation = alice.request("cm.ConsumerRequestConversation", {})["body"]["conversationId"]
alice.follow(conversation)
for words in ["hello", "äöü 日本 🙂"]:
    sequence = alice.say(conversation, words)
    heard = [alice.changes()[0]["event"] for _ in range(4)]
    check("an echo accepts and reads first", [e.get("status") for e in heard] == [None, "ACCEPT", "READ", None], heard)
    check("what was said", heard[1]["sequenceList"] == heard[2]["sequenceList"] == [sequence], heard)
    check("and says it again", heard[0] == heard[3], heard)
admin("DELETE", f"sandboxes/{name}")
finish()
