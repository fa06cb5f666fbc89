"""A consumer at LivePerson, as in the wire reference: signs in (section 4) and talks on a socket (section 5). The peers share it."""

import itertools
import json
import ssl

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from peer import admin, base, check, http

CHANGED = "cqm.ExConversationChangeNotification"
EVENTS = "ms.MessagingEventNotification"
plain = base.split("://")[1]  # the host for clients that do without TLS, whatever the domain lookup names


def lp_token(sandbox, account, subject, host=None):
    """LivePerson's token for somebody whom the brand's identity provider knows."""
    minted = admin("POST", f"sandboxes/{sandbox}/credentials", {"form": "jwt", "subject": subject})["credential"]
    url = f"http://{host or plain}/api/account/{account}/app/default/authenticate?v=2.0"
    answer = http.post(url, json={"id_token": minted}, timeout=60)
    check(f"{subject} signs in", answer.status_code == 200, answer.text)
    return answer.json()["jwt"]


def text(words):
    return {"type": "ContentEvent", "contentType": "text/plain", "message": words}


class Socket:
    """Requests, each with an id of its own; notifications that come meanwhile are kept in order until they are asked for."""

    def __init__(self, url, headers=None, ids=None, sock=None):
        trust = {"ssl": ssl.create_default_context(cafile=http.verify)} if url.startswith("wss:") else {}
        # Without a client's pings: what keeps a socket is part of what is tested. It ends with the process or the server, as an app's does.
        self.wire = connect(
            url, sock=sock, additional_headers=headers or {}, proxy=None, max_size=None, open_timeout=60, ping_interval=None, **trust)
        self.ids = ids or map(str, itertools.count(1))
        self.kept = []

    def receive(self):
        return json.loads(self.wire.recv(timeout=60))

    def request(self, kind, body=None, **members):
        number = next(self.ids)
        message = {"kind": "req", "id": number, "type": kind, **members}
        if body is not None:
            message["body"] = body
        self.wire.send(json.dumps(message))
        while (answer := self.receive())["kind"] == "notification":
            self.kept.append(answer)
        whole = answer.keys() >= {"kind", "reqId", "code", "type", "body"} and type(answer["code"]) is int
        check(f"{kind} is answered, by its id", whole and answer["kind"] == "resp" and answer["reqId"] == str(number), answer)
        return answer

    def following(self):
        """The next notification, of whatever kind."""
        return self.kept.pop(0) if self.kept else self.receive()

    def notification(self, kind):
        """The body of the next notification of a kind; others wait for their turn."""
        passed = []
        while (message := self.following())["type"] != kind:
            passed.append(message)
        self.kept = passed + self.kept
        return message["body"]

    def end(self):
        """The code and reason with which the other side closes it; 1006 without a close frame."""
        try:
            while True:
                self.wire.recv(timeout=60)
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")


class Consumer(Socket):
    """One socket of one consumer, opened with the token in the upgrade's header or by InitConnection (5.1, 5.5)."""

    def __init__(self, account, token, host=None, by="header", properties=None, ids=None, scheme="ws", sock=None):
        url = f"{scheme}://{host or plain}/ws_api/account/{account}/messaging/consumer?v=3"
        if by == "header":
            described = {"Client-Properties": json.dumps({"type": ".ClientProperties", **properties})} if properties else {}
            super().__init__(url, {"Authorization": f"jwt {token}", **described}, ids, sock)
            return
        super().__init__(url, ids=ids, sock=sock)
        self.initialisation = self.request(
            "InitConnection",
            headers=[
                {"type": ".ams.headers.ClientProperties", **(properties or {"deviceFamily": "DESKTOP", "os": "LINUX"})},
                {"type": ".ams.headers.ConsumerAuthentication", "jwt": token},
            ],
        )

    def changes(self, kind=EVENTS):
        return self.notification(kind)["changes"]

    def follow(self, dialog, since=0):
        """Subscribes to a dialog's events and returns those that are there already."""
        answer = self.request("ms.SubscribeMessagingEvents", {"dialogId": dialog, "fromSeq": since})
        check("the dialog can be followed", answer["code"] == 200, answer)
        return self.changes()

    def publish(self, dialog, event, **members):
        return self.request("ms.PublishEvent", {"dialogId": dialog, "event": event, **members})

    def say(self, dialog, words):
        answer = self.publish(dialog, text(words))
        check(f"'{words}' is published", answer["code"] == 200, answer)
        return answer["body"]["sequence"]
