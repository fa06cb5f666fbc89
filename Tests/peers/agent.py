"""An agent bot and the consumer it serves, as somebody else would write them: signs in, goes online, is rung, talks, hands over, closes.

    python agent.py http://127.0.0.1:8080

Knows the vendor's wire reference and the admin API, and nothing of Sparring's code. Prints a line for each check; the first that fails
ends it with status 1.
"""

import re
import uuid

import requests
from websockets.exceptions import InvalidStatus

from consumer import Consumer, Socket, lp_token, text
from peer import admin, base, check, finish, http


class Bot(Socket):
    def __init__(self, host, account, bearer):
        ids = iter(lambda: str(uuid.uuid4()), None)  # as node-agent-sdk has them
        super().__init__(f"ws://{host}/ws_api/account/{account}/messaging/brand/{bearer}?v=2.1", ids=ids)

    def online(self, own):
        state = self.request(".ams.routing.SetAgentState", {"availability": "ONLINE", "channels": ["MESSAGING"], "agentUserId": own})
        check("an agent goes online", state["code"] == 200 and state["body"] == "Agent state updated successfully", state)
        tasks = self.request(".ams.routing.SubscribeRoutingTasks", {"agentId": own, "brandId": account, "channelType": "MESSAGING"})
        check("an agent subscribes to routing tasks", 1 <= len(tasks["body"]["subscriptionId"]) <= 64, tasks)
        follows = self.request(".ams.aam.SubscribeExConversations", {"convState": ["OPEN"], "agentIds": [own]})
        check("an agent follows its conversations", follows["code"] == 200 and follows["body"]["subscriptionId"], follows)
        check("and learns at once that there are none", self.notification(CHANGED)["changes"] == [])

    def ring(self):
        return self.notification(".ams.routing.RoutingTaskNotification")["changes"][0]

    def accept(self, ring):
        return self.request(".ams.routing.UpdateRingState", {"ringId": ring["result"]["ringsDetails"][0]["ringId"], "ringState": "ACCEPTED"})

    def say(self, dialog, words, **members):
        return self.request(".ams.ms.PublishEvent", {"dialogId": dialog, "event": text(words), **members})


CHANGED = ".ams.aam.ExConversationChangeNotification"
HEARD = ".ams.ms.OnlineEventDistribution"
account = f"peer{uuid.uuid4().hex[:8]}"
made = admin(
    "POST",
    "sandboxes",
    {
        "name": account,
        "clock": {"mode": "frozen", "now": "2027-01-15T08:00:00Z"},
        "tenants": {
            "identity": {},
            "liveperson": {
                "accountId": account,
                "agents": [
                    {"userId": "71", "loginName": "bot", "password": "b0t", "nickname": "Bot", "skills": ["11"]},
                    {"userId": "72", "loginName": "human", "password": "hum4n", "nickname": "Hannah", "skills": ["12"]},
                ],
            },
        },
    },
)

# --- finding the hosts, signing in

services = {
    entry["service"]: entry["baseURI"]
    for entry in http.get(f"{base}/api/account/{account}/service/baseURI.json?version=1.0", timeout=60).json()["baseURIs"]
}
check("the domain lookup names agentVep and facadeMsg", "agentVep" in services and "facadeMsg" in services)
login_host, socket_host = services["agentVep"], services["facadeMsg"]


def login(body, path="login?v=1.3", cookies=None):
    with requests.Session() as browser:  # one each, so that cookies go where they are given only
        browser.trust_env = False
        return browser.post(f"http://{login_host}/api/account/{account}/{path}", json=body, cookies=cookies, timeout=60)


for name, body, status in [
    ("a wrong password", {"username": "bot", "password": "guess"}, 401),
    ("an unknown agent", {"username": "nobody", "password": "b0t"}, 401),
    ("an assertion nobody has", {"jwt": "dummy", "assertion": "x"}, 401),
    ("a body without credentials", {"username": "bot"}, 400),
]:
    check(f"{name} is refused with {status}", login(body).status_code == status)
check("an unknown version is a bad request", login({"username": "bot", "password": "b0t"}, "login?v=9.9").status_code == 400)

signed = login({"username": "bot", "password": "b0t"})
session = signed.json()
check("a login answers 200", signed.status_code == 200, signed.text)
check("the bearer has 64 hexadecimal digits", re.fullmatch("[0-9a-f]{64}", session["bearer"]), session["bearer"])
check("the agent learns its number and UUID", session["config"]["userId"] == "71" and uuid.UUID(session["config"]["userPid"]))
check("sessionTTl is 8 hours, as text", session["sessionTTl"] == "28800000")
check("the cookie Session_id is set", "Session_id" in signed.cookies)
check("so is session_id, as LivePerson's own tool spells it, with sessionId", signed.cookies.get("session_id") == session["sessionId"])
check("the tool's cookie refreshes", login({"csrf": session["csrf"]}, "refresh", {"session_id": session["sessionId"]}).status_code == 200)
check("csrf with the cookie refreshes", login({"csrf": session["csrf"]}, "refresh?v=1.3", signed.cookies).status_code == 200)
check("csrf without it does not", login({"csrf": session["csrf"]}, "refresh?v=1.3").status_code == 401)
mismatch = login({"csrf": "0" * 64}, "refresh?v=1.3", signed.cookies)
check("another's csrf is refused as documented", mismatch.status_code == 401 and mismatch.json()["error"]["internalCode"] == 10)


def refused(bearer):
    try:
        Bot(socket_host, account, bearer)
    except InvalidStatus as error:
        return error.response.status_code
    return None


check("a bad bearer is refused in the handshake with 401", refused("f" * 64) == 401)

# --- a consumer, and a ring

token = lp_token(account, account, "ada", services["idp"])


def app():
    return Consumer(account, token, services["asyncMessagingEnt"])


bot = Bot(socket_host, account, session["bearer"])
own = f"{account}.71"
check("the clock can be read", bot.request(".GetClock", {})["body"]["currentTime"] == 1800000000000)
bot.online(own)

consumer = app()
asked = consumer.request("cm.ConsumerRequestConversation", {"skillId": "11"})
conversation = asked["body"]["conversationId"]
consumer.follow(conversation)
consumer.say(conversation, "hello?")
ring = bot.ring()
details = ring["result"]["ringsDetails"][0]
check("the bot is rung", ring["type"] == "UPSERT" and details["ringState"] == "WAITING", ring)
check("the ring names conversation, consumer and skill", ring["result"]["conversationId"] == conversation and ring["result"]["skillId"] == "11")
check("the ring says when it ends", details["ringExpirationTs"] == 1800000000000 + details["ringExpiration"], details)
early = bot.say(conversation, "too early")
check("before it has accepted it may not speak", early["code"] == 400 and early["body"] == "Agent does not exist in conversation", early)
taken = bot.accept(ring)
check("it accepts", taken["code"] == 200 and taken["body"] == "Ring state updated successfully", taken)
check("a ring is accepted once", bot.accept(ring)["code"] >= 400)

change = bot.notification(CHANGED)["changes"][0]
shown = change["result"]["conversationDetails"]
check("it learns of its conversation", change["type"] == "UPSERT" and change["result"]["convId"] == conversation)
check("participants is a map with its older id", shown["participants"]["ASSIGNED_AGENT"] == [own], shown["participants"])
check("participantsPId is one with its UUID", shown["participantsPId"]["ASSIGNED_AGENT"] == [session["config"]["userPid"]])
check("the dialog lists both", [p["role"] for p in shown["dialogs"][0]["participantsDetails"]] == ["CONSUMER", "ASSIGNED_AGENT"])

# --- reading and answering

read = bot.request(".ams.ms.QueryMessages", {"dialogId": conversation, "newerThanSequence": 0})
check("it reads what was said before", read["type"] == ".ams.ms.QueryMessages$Response" and read["body"][0]["event"]["message"] == "hello?")
who = shown["participants"]["CONSUMER"][0]
profile = bot.request(".ams.userprofile.GetUserProfile", who)
check("it asks who that is, with a bare text", profile["code"] == 200 and profile["body"]["claims"]["sub"] == "ada", profile)
check("of nobody it learns nothing", bot.request(".ams.userprofile.GetUserProfile", "nobody")["code"] == 404)
seen = bot.request(".ams.ms.PublishEvent", {"dialogId": conversation, "event": {"type": "AcceptStatusEvent", "status": "READ", "sequenceList": [0]}})
check("it marks it read", seen["body"] == {"sequence": 1}, seen)
typing = bot.request(".ams.ms.PublishEvent", {"dialogId": conversation, "event": {"type": "ChatStateEvent", "chatState": "COMPOSING"}})
check("that it types has no place in the sequence", typing["body"] == {"sequence": 0}, typing)
check("a private message is taken", bot.say(conversation, "careful", messageAudience="AGENTS_AND_MANAGERS")["body"] == {"sequence": 2})
check("it answers", bot.say(conversation, "hello!")["body"] == {"sequence": 3})
told = []
while not told or told[-1]["event"].get("message") != "hello!":
    told += consumer.changes()
check(
    "the consumer sees all but the private one",
    [c["event"].get("message") or c["event"].get("status") or c["event"].get("chatState") for c in told] == ["hello?", "READ", "COMPOSING", "hello!"],
    told,
)
check("the consumer sees who it is", told[-1]["originatorId"] == session["config"]["userPid"] and told[-1]["originatorMetadata"]["role"] == "ASSIGNED_AGENT")
mine = [bot.notification(HEARD) for _ in range(4)]
check("the bot hears its own events by its older id", {e["originatorId"] for e in mine} == {own} and {e["originatorPId"] for e in mine} == {session["config"]["userPid"]})

consumer.wire.close()
gone = bot.notification(HEARD)
check("it hears that the consumer has gone", gone["event"] == {"type": "ChatStateEvent", "chatState": "BACKGROUND"}, gone)
consumer = app()
check("and that it is back", bot.notification(HEARD)["event"]["chatState"] == "ACTIVE")

# --- handing over

other = login({"username": "human", "password": "hum4n"}).json()
human = Bot(socket_host, account, other["bearer"])
human.online(f"{account}.72")
leave = {"field": "ParticipantsChange", "type": "REMOVE", "role": "ASSIGNED_AGENT", "userId": own}
transfer = {"conversationId": conversation, "conversationField": [leave, {"field": "Skill", "type": "UPDATE", "skill": "12"}]}
check("a stranger cannot hand over", human.request(".ams.cm.UpdateConversationField", transfer)["code"] == 403)
handed = bot.request(".ams.cm.UpdateConversationField", transfer)
check("the bot hands over to another skill", handed["code"] == 200 and handed["body"] == "OK Agent removed successfully", handed)
lost = bot.notification(CHANGED)["changes"][0]
check("it learns that the conversation is not its own", lost["type"] == "DELETE" and "participantsPId" in lost["result"]["conversationDetails"])
second = human.ring()
admin("POST", f"sandboxes/{account}/clock/advance", {"by": "40s"})
for agent in (bot, human):
    agent.request(".GetClock", {})  # keeps the socket
admin("POST", f"sandboxes/{account}/clock/advance", {"by": "32s"})
check("a ring that nobody accepts is taken back", human.ring()["type"] == "DELETE")
check("it cannot be accepted any more", human.accept(second)["body"] == "mock-ring-expired")
human.request(".ams.routing.SetAgentState", {"availability": "ONLINE", "channels": ["MESSAGING"], "agentUserId": f"{account}.72"})
third = human.ring()
check("online again, it rings again", third["type"] == "UPSERT" and third["result"]["conversationId"] == conversation)
check("and is accepted", human.accept(third)["code"] == 200)
check("the bot has no say any more", bot.say(conversation, "?")["code"] == 400)

# --- closing

close = {"field": "DialogChange", "type": "UPDATE", "dialog": {"dialogId": conversation, "state": "CLOSE", "closedCause": "AGENT"}}
closed = human.request(".ams.cm.UpdateConversationField", {"conversationId": conversation, "conversationField": [close]})
check("the agent closes", closed["code"] == 200, closed)
consumer = app()
consumer.request("cqm.SubscribeExConversations", {"minLastUpdatedTime": 0})
final = consumer.notification("cqm.ExConversationChangeNotification")["changes"][0]["result"]["conversationDetails"]
check("the consumer sees by whom", final["state"] == "CLOSE" and final["closeReason"] == "AGENT", final)
check("nothing can be said any more", human.say(conversation, "bye")["body"] == "mock-dialog-closed")

# --- the end of the session

admin("PATCH", f"sandboxes/{account}/tenants/liveperson", {"messaging": {"idleLimit": "24h"}})
fresh = Bot(socket_host, account, session["bearer"])
admin("POST", f"sandboxes/{account}/clock/advance", {"by": "8h"})
check("a session that ends closes its socket with 4401", fresh.end()[0] == 4401)
check("its bearer opens nothing any more", refused(session["bearer"]) == 401)
check("it cannot be refreshed", login({"csrf": session["csrf"]}, "refresh?v=1.3", signed.cookies).status_code == 401)
check("a new login works", login({"username": "bot", "password": "b0t"}).status_code == 200)

found = admin("GET", f"sandboxes/{account}/journal?kind=finding")["entries"]
check("Sparring found nothing wrong with itself", found == [], found)
finish()
