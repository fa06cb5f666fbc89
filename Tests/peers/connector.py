"""A connector: an app that speaks for consumers by the Send API and hears by webhooks, written from LivePerson's Connector API pages.

    python connector.py http://127.0.0.1:8080

Signatures are checked by Python's hmac. Prints a line for each check; the first that fails ends it with status 1.
"""

import base64
import hashlib
import hmac
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from brand import Brand
from peer import base, check, finish, http

CLIENT, SECRET = "75588e18-0213-4e33-8174-883acac7e3c4", "kgvbkk7glku72jgtmpi6l4a872"
EVENTS = [
    "cqm.ExConversationChangeNotification",
    "ms.MessagingEventNotification.ContentEvent",
    "ms.MessagingEventNotification.RichContentEvent",
    "ms.MessagingEventNotification.AcceptStatusEvent",
    "ms.MessagingEventNotification.ChatStateEvent",
]


# -- the endpoint


class Endpoint(BaseHTTPRequestHandler):
    got = []  # of each: its headers, its bytes, the status that it was given
    statuses = []  # what is answered next; then 200

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = Endpoint.statuses.pop(0) if Endpoint.statuses else 200
        Endpoint.got.append((self.headers, body, status))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


endpoint = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
threading.Thread(target=endpoint.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{endpoint.server_address[1]}/webhook"


def signed(headers, body, algorithm=hashlib.sha1):
    code = base64.b64encode(hmac.new(SECRET.encode(), body, algorithm).digest()).decode()
    return headers["x-liveperson-signature"] == f"{algorithm().name}={code}"


def said(status=None):
    """The texts that have come, or those that were given a status."""
    events = [
        change.get("event", {})
        for _, body, given in Endpoint.got
        if status in (None, given)
        for change in json.loads(body)["body"]["changes"]
    ]
    return [event["message"] for event in events if event.get("type") == "ContentEvent"]


# -- the connector


class Connector:
    def __init__(self, events=EVENTS, signature=None, retry=None, **retries):
        webhooks = {event: {"endpoint": url} | retries for event in events} | ({"retry": retry} if retry else {})
        app = {"clientId": CLIENT, "clientSecret": SECRET, "capabilities": {"webhooks": webhooks, "engagement": {"goal": ["url"]}}}
        if signature:
            app["signature"] = signature
        self.brand = Brand(liveperson={"appInstallations": [app]})
        Endpoint.got, Endpoint.statuses = [], []
        account = self.brand.account
        token = self.post(
            f"/sentinel/api/account/{account}/app/token?v=1.0&grant_type=client_credentials",
            data={"client_id": CLIENT, "client_secret": SECRET},
        )["access_token"]
        self.headers = {"Authorization": token}
        self.headers["X-LP-ON-BEHALF"] = self.post(f"/api/account/{account}/consumer?v=1.0", json={"ext_consumer_id": "grace"})["token"]
        profile = self.request("userprofile.SetUserProfile", {"firstName": "Grace"})
        opening = self.request("cm.ConsumerRequestConversation", {"brandId": account})
        path = f"/api/account/{account}/messaging/consumer/conversation"
        self.conversation = self.post(f"{path}?v=3", json=[profile, opening])[1]["body"]["conversationId"]
        self.path = f"{path}/send?v=3"
        self.wait(0)

    def request(self, kind, body):
        return {"kind": "req", "id": "1", "type": kind, "body": body}

    def post(self, path, **more):
        answer = http.post(f"{base}{path}", headers=getattr(self, "headers", {}), timeout=30, **more)
        check(f"POST {path.split('?')[0].rsplit('/', 1)[1]}", answer.status_code in (200, 201), answer.text)
        return answer.json()

    def say(self, text):
        event = {"type": "ContentEvent", "contentType": "text/plain", "message": text}
        self.post(self.path, json=self.request("ms.PublishEvent", {"dialogId": self.conversation, "event": event}))
        self.wait(0)

    def agent(self, act, **body):
        self.brand.admin("POST", f"liveperson/agent/{act}", {"conversation": self.conversation} | body)
        self.wait(0)

    def wait(self, seconds):
        self.brand.advance(seconds)

    def causes(self):
        return [
            entry["cause"].split(": ", 1)[-1]
            for entry in self.brand.admin("GET", "journal?kind=due")["entries"]
            if entry["operation"].startswith("liveperson.webhook")
        ]


# -- everything that happens comes, signed

connector = Connector()
opened = json.loads(Endpoint.got[0][1])
check("the conversation that opens comes first", opened["type"] == "cqm.ExConversationChangeNotification", opened)
result = opened["body"]["changes"][0]["result"]
check(
    "it is described completely",
    opened["kind"] == "notification"
    and result["convId"] == connector.conversation
    and result["conversationDetails"]["state"] == "OPEN"
    and [person["role"] for person in result["conversationDetails"]["participants"]] == ["CONSUMER"]
    and result["conversationDetails"]["brandId"] == connector.brand.account,
    result,
)
connector.say("Hello – is it me?")
connector.agent("join")
connector.agent("typing")
connector.agent("say", text="Good day")
connector.agent("card", content={"type": "vertical", "elements": [{"type": "text", "text": "Choose"}]})
connector.agent("read")
connector.agent("close")
bodies = [json.loads(body) for _, body, _ in Endpoint.got]
events = [body["body"]["changes"][0].get("event", {}).get("type", "conversation") for body in bodies]
check(
    "each event comes, in its order",
    [event for event in events if event != "conversation"]
    == ["ContentEvent", "ChatStateEvent", "ContentEvent", "RichContentEvent", "AcceptStatusEvent"],
    events,
)
check("the end comes too", bodies[-1]["body"]["changes"][0]["result"]["conversationDetails"]["state"] == "CLOSE", bodies[-1])
check("who spoke has a role", [b["body"]["changes"][0]["originatorMetadata"]["role"] for b in bodies if b["type"].startswith("ms.")][:2] == ["CONSUMER", "ASSIGNED_AGENT"], bodies)
for headers, body, _ in Endpoint.got:
    check("a signature is that of the body", signed(headers, body), headers)
    check("account and client are named", headers["x-liveperson-account-id"] == connector.brand.account and headers["x-liveperson-client-id"] == CLIENT)
    check("it is JSON", headers["Content-Type"] == "application/json")
connector.brand.leave()

connector = Connector(events=EVENTS[1:2], signature="sha256")
connector.say("one")
connector.agent("typing")
check("only what was asked for comes", said() == ["one"] and len(Endpoint.got) == 1, Endpoint.got)
check("SHA-256 where the account has that", signed(*Endpoint.got[0][:2], hashlib.sha256), Endpoint.got[0][0])

# -- faults

connector.brand.arm("liveperson.deliverNotification wrong-signature")
connector.say("two")
check("a wrong signature is wrong", said() == ["one", "two"] and not signed(*Endpoint.got[1][:2], hashlib.sha256))
connector.brand.arm("liveperson.deliverNotification duplicate-notification")
connector.say("three")
check("a notification can come twice", said()[2:] == ["three", "three"], said())
connector.brand.arm("liveperson.deliverNotification drop-notification")
connector.say("four")
check("a notification can be lost", said()[4:] == [] and connector.causes()[-1] == "accepted", said())
connector.brand.leave()

# -- retries by number: 30 s apart; what comes later is not held back

connector = Connector(events=EVENTS[1:2], max_retries=2)
Endpoint.statuses = [503]
connector.say("one")
connector.say("two")
check("a later one overtakes one that failed", said(200) == ["two"], said(200))
connector.wait(29)
check("no retry before 30 s", said(200) == ["two"], said(200))
Endpoint.statuses = [404]
connector.wait(1)
connector.wait(30)
check("the second retry arrives", said(200) == ["two", "one"], said(200))
Endpoint.statuses = [500, 302, 204]
connector.say("three")
connector.wait(300)
check("after max_retries it is dropped; 204 and 302 are failures too", said(200) == ["two", "one"] and connector.causes()[-1] == "204: dropped", connector.causes())
connector.brand.leave()

connector = Connector(events=EVENTS[1:2])
Endpoint.statuses = [500]
connector.say("one")
connector.wait(300)
check("without max_retries there is none", len(Endpoint.got) == 1 and connector.causes() == ["500: dropped"], connector.causes())
connector.brand.leave()

# -- retries by time: 2, 4, 8 … s, in order

connector = Connector(events=EVENTS[1:2], retry={"retention_time": 60})
Endpoint.statuses = [500] * 4
connector.say("one")
connector.say("two")
connector.say("three")
check("what comes later waits", len(Endpoint.got) == 1, said())
for wait, attempts in [(1, 1), (1, 2), (4, 3), (7, 3), (1, 4)]:
    connector.wait(wait)
    check(f"{attempts} attempts", len(Endpoint.got) == attempts, said())
connector.wait(16)
check("all arrive in order once it recovers", said(200) == ["one", "two", "three"], said(200))
connector.say("four")
check("then nothing waits any more", said(200)[3:] == ["four"], said(200))
Endpoint.statuses = [500] * 5
connector.say("five")
connector.wait(62)  # the retry after 62 s comes too late
check("nothing is sent after the retention time", said(500).count("five") == 5, said(500))
connector.say("six")
check("a retention time that is over drops it", said(200)[4:] == ["six"] and any("retention time is over" in cause for cause in connector.causes()), connector.causes())
connector.brand.leave()

connector = Connector(events=EVENTS[1:2], retry={"retention_time": 60}, max_retries=0)
Endpoint.statuses = [500]
connector.say("one")
connector.wait(60)
check("max_retries 0 drops it in spite of the retention time", len(Endpoint.got) == 1, said())
connector.brand.leave()

endpoint.shutdown()
finish()
