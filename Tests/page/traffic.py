"""What clients do, so that the page has something to show."""

import http.client
import itertools
import json
import socket
import threading
import time
import urllib.parse

from websockets.sync.client import connect

REDIRECT = "https://liveperson.net"


def code(sandbox, subject="ada"):
    return sandbox.call("POST", "credentials", {"form": "code", "subject": subject, "redirectURI": REDIRECT})["credential"]


def redeem(sandbox, code, **headers):
    """Asks the identity provider for the tokens that a code is good for, once."""
    identity = sandbox.tenants["identity"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT}
    client = identity["clientId"], identity["clientSecret"]
    url = sandbox.server.url + urllib.parse.urlsplit(identity["tokenEndpoint"]).path
    return sandbox.server.http.post(url, data=form, auth=client, headers=headers, timeout=60)


def sign_in(sandbox, subject="ada"):
    """A sign-in that succeeds."""
    answer = redeem(sandbox, code(sandbox, subject))
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused_sign_in(sandbox, subject="ada"):
    """A sign-in that succeeds, and the same once more, which is refused: a code is good for one. Returns the number of the refusal's entry."""
    used = code(sandbox, subject)
    assert redeem(sandbox, used).status_code == 200
    answer = redeem(sandbox, used)
    assert answer.status_code == 400, answer.text
    return [entry["number"] for entry in sandbox.entries() if entry.get("operation") == "identity.token"][-1]


class Consumer:
    """Somebody who is signed in at LivePerson, and talks on a socket."""

    def __init__(self, sandbox, subject="ada"):
        self.sandbox, self.subject = sandbox, subject
        self.account = sandbox.tenants["liveperson"]["accountId"]
        self.host = sandbox.server.url.removeprefix("http://")
        minted = sandbox.call("POST", "credentials", {"form": "jwt", "subject": subject})["credential"]
        url = f"{sandbox.server.url}/api/account/{self.account}/app/default/authenticate?v=2.0"
        answer = sandbox.server.http.post(url, json={"id_token": minted}, timeout=60)
        assert answer.status_code == 200, answer.text
        self.token = answer.json()["jwt"]
        self.ids = map(str, itertools.count(1))

    def talk(self):
        """Opens a socket and a conversation."""
        url = f"ws://{self.host}/ws_api/account/{self.account}/messaging/consumer?v=3"
        self.wire = connect(url, additional_headers={"Authorization": f"jwt {self.token}"}, proxy=None, max_size=None, ping_interval=None)
        self.conversation = self.request("cm.ConsumerRequestConversation", {"ttrDefName": "NORMAL"})["body"]["conversationId"]
        self.request("ms.SubscribeMessagingEvents", {"dialogId": self.conversation, "fromSeq": 0})
        return self

    def request(self, kind, body):
        number = next(self.ids)
        self.wire.send(json.dumps({"kind": "req", "id": number, "type": kind, "body": body}))
        while (answer := json.loads(self.wire.recv(timeout=60)))["kind"] == "notification":
            pass
        assert answer["reqId"] == number, answer
        return answer

    def say(self, words):
        event = {"type": "ContentEvent", "contentType": "text/plain", "message": words}
        return self.request("ms.PublishEvent", {"dialogId": self.conversation, "event": event})

    def register(self, device="740f4707bebcf74f"):
        """Asks for pushes to a device."""
        url = f"{self.sandbox.server.url}/mock/pusher/account/{self.account}/registrations/test.brand.app"
        body = {"deviceToken": device, "pushType": "APNS", "lang": "en-US"}
        answer = self.sandbox.server.http.put(url, json=body, headers={"Authorization": f"Bearer {self.token}"}, timeout=60)
        assert answer.status_code in (200, 201), answer.text
        return self


def settle(sandbox):
    """Waits until all that is on its way has arrived."""
    settled = sandbox.call("POST", "clock/advance", {"by": "0s"})
    assert settled["settled"], settled


def lively(sandbox):
    """A bit of everything. Returns the consumer, whose socket stays open."""
    refusal = refused_sign_in(sandbox)
    ada = Consumer(sandbox).register().talk()
    ada.say("My card does not work")
    sandbox.call("POST", "liveperson/agent/say", {"consumer": "ada", "text": "Let me look into it"})
    sandbox.call("POST", "liveperson/push", {"consumer": "ada", "text": "Your parcel waits"})
    settle(sandbox)
    sandbox.call("POST", "faults", {"fault": "identity.token status code=503 times=1"})
    sign_in_again = redeem(sandbox, code(sandbox))
    assert sign_in_again.status_code == 503, sign_in_again.text
    sandbox.call("POST", "faults", {"fault": "liveperson.Login.* delay by=1s probability=0.5"})
    sandbox.call("POST", "journal/marks", {"mark": "badge", "value": 1, "lane": "ada"})
    sandbox.server.http.get(f"{sandbox.server.url}/api/account/{ada.account}/nowhere", timeout=60)
    ada.refusal = refusal
    return ada


class Flood:
    """Marks at a rate, by several threads, until it is stopped or `count` are in. A mark's name ends with its own number.
    With `calls`, every other one is a call to the vendor instead, of one of many people, with a query of `pad` more letters."""

    def __init__(self, sandbox, name="flood", rate=1000, count=None, threads=6, calls=False, pad=0):
        self.sandbox, self.name, self.rate, self.limit, self.calls, self.pad = sandbox, name, rate, count, calls, "x" * pad
        self.sent = 0
        self.numbers = itertools.count(1)
        self.ending = threading.Event()
        self.began = time.monotonic()
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(threads)]
        for thread in self.threads:
            thread.start()

    def run(self):
        path = f"/__admin/sandboxes/{self.sandbox.name}/journal/marks"
        lookup = f"/api/account/{self.sandbox.tenants['liveperson']['accountId']}/service/idp/baseURI.json?version=1.0"
        wire = http.client.HTTPConnection("127.0.0.1", self.sandbox.server.port, timeout=60)
        while not self.ending.is_set():
            number = next(self.numbers)
            if self.limit and number > self.limit:
                return
            early = self.began + number / self.rate - time.monotonic() if self.rate else 0
            if early > 0:
                self.ending.wait(early)
            try:
                if self.calls and number % 2:
                    wire.request("GET", f"{lookup}&call={number}&pad={self.pad}", headers={"X-Sparring-Lane": f"person-{number % 1999}"})
                else:
                    wire.request("POST", path, json.dumps({"mark": f"{self.name}-{number}"}), {"Content-Type": "application/json"})
                wire.getresponse().read()
            except (OSError, http.client.HTTPException):
                if self.ending.is_set():
                    return
                # The server was killed: it starts again soon.
                wire.close()
                self.ending.wait(0.05)
            else:
                self.sent += 1

    def stop(self):
        self.ending.set()
        return self.join()

    def join(self):
        for thread in self.threads:
            thread.join()
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Way:
    """A way to a server that can be blocked: meanwhile nothing that the server sends arrives."""

    def __init__(self, server):
        self.port = server.port
        self.is_free = threading.Event()
        self.is_free.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.socket()
            # Little is on the way.
            far.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            far.connect(("127.0.0.1", self.port))
            threading.Thread(target=self.pump, args=(near, far, None), daemon=True).start()
            threading.Thread(target=self.pump, args=(far, near, self.is_free), daemon=True).start()

    def pump(self, source, sink, gate):
        try:
            while data := source.recv(65536):
                if gate:
                    gate.wait()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            for one in (source, sink):
                one.close()

    def close(self):
        self.is_free.set()
        self.listener.close()
