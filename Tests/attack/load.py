"""What clients do all at once, and what answers they got: marks, codes, refresh tokens, messages. A name or code whose call was not answered is
in doubt, and nothing is said of it."""

import contextlib
import http.client
import json
import random
import threading
import urllib.parse

from server import basic, sign_in
from wire import consumer, open_dialog, publish

EVENTS = "ms.MessagingEventNotification"


class Told:
    """All that was acknowledged, over the lives of a server."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = 0
        self.refused = 0  # calls that were answered as failed
        self.marks = set()
        self.refused_marks = set()
        self.unspent = set()  # codes that were minted
        self.redeemed = set()  # codes whose redemption was answered 200
        self.spent = set()  # refresh tokens that were replaced
        self.fresh = {}  # by chain: the refresh token that is good
        self.dialogs = {}  # by dialog: the sequence and text of each message
        self.owners = {}  # by dialog: whose it is
        self.wrong = []

    def hears(self):
        with self.lock:
            self.acknowledged += 1

    def refuses(self):
        with self.lock:
            self.refused += 1

    def complain(self, what):
        with self.lock:
            self.wrong.append(what)


class Load:
    """Threads that call a server until it goes away under them."""

    def __init__(self, server, told, life, talkers=4, tolerates=()):
        self.server, self.told, self.life = server, told, life
        self.tolerates = tolerates  # statuses of calls that may fail, having done nothing
        tenants = server.tenants()
        self.identity, self.account = tenants["identity"], tenants["liveperson"]["accountId"]
        self.talkers = [(f"talker-{number}", sign_in(server, f"talker-{number}", self.account)) for number in range(talkers)]
        self.is_over = threading.Event()
        works = [self.mark] * 6 + [self.codes] * 4 + [self.refresh] * 2
        self.threads = [threading.Thread(target=self._run, args=(work, number), daemon=True) for number, work in enumerate(works)]
        self.threads += [threading.Thread(target=self._run, args=(self.talk, number), daemon=True) for number in range(talkers)]
        for thread in self.threads:
            thread.start()

    def _run(self, work, number):
        # That the server dies is the point; what it said before is remembered.
        with contextlib.suppress(OSError, http.client.HTTPException, ConnectionError):
            work(number)

    def join(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join(60)

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)

    def call(self, connection, method, target, body, headers):
        """Status and JSON on a connection that is kept."""
        connection.request(method, target, body=body, headers=headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    def expect(self, status, wanted, what, answer):
        if status in self.tolerates:
            self.told.refuses()
        elif status != wanted:
            self.told.complain(f"life {self.life}: {what} was answered {status} {answer}")
        return status == wanted

    def mark(self, number):
        connection = self.connection()
        for count in range(1 << 30):
            if self.is_over.is_set():
                return
            name = f"mark-{self.life}-{number}-{count}"
            body = json.dumps({"mark": name, "lane": f"lane-{number}"})
            status, answer = self.call(
                connection, "POST", "/__admin/sandboxes/default/journal/marks", body, {"Content-Type": "application/json"})
            if self.expect(status, 204, name, answer):
                self.told.marks.add(name)
                self.told.hears()
            elif status in self.tolerates:
                self.told.refused_marks.add(name)

    def codes(self, number):
        connection, draw = self.connection(), random.Random(f"{self.life} {number}")
        for count in range(1 << 30):
            if self.is_over.is_set():
                return
            code = mint_code(self, connection, f"user-{number}-{count}")
            if code is None:
                continue
            self.told.unspent.add(code)
            self.told.hears()
            if draw.random() < 0.7:
                self.told.unspent.discard(code)  # in doubt from here on
                status, answer = redeem(self, connection, code)
                if self.expect(status, 200, "a code", answer):
                    self.told.redeemed.add(code)
                    self.told.hears()
                elif status in self.tolerates:
                    self.told.unspent.add(code)

    def refresh(self, number):
        """Chains of refresh tokens; the last of each chain stays good."""
        connection, draw = self.connection(), random.Random(f"{self.life} {number}")
        chain = token = None
        while not self.is_over.is_set():
            if token is None:
                code = mint_code(self, connection, f"keeper-{number}")
                status, answer = redeem(self, connection, code) if code else (0, None)
                if code and self.expect(status, 200, "a code", answer):
                    chain, token = answer["refresh_token"], answer["refresh_token"]
                    self.told.fresh[chain] = token
                continue
            del self.told.fresh[chain]
            status, answer = renew(self, connection, token)
            if self.expect(status, 200, "a refresh token", answer):
                self.told.spent.add(token)
                token = answer["refresh_token"]
                self.told.hears()
            elif status not in self.tolerates:
                return
            self.told.fresh[chain] = token
            if draw.random() < 0.1:
                token = None

    def talk(self, number):
        name, token = self.talkers[number]
        socket = consumer(self.server, token, self.account, timeout=30)
        dialog = open_dialog(socket)
        messages = self.told.dialogs[dialog] = {}
        self.told.owners[dialog] = name
        for count in range(1 << 30):
            if self.is_over.is_set():
                return
            words = f"{name} in life {self.life}: message {count} äöü 日本"
            answer = publish(socket, dialog, words)
            if self.expect(answer["code"], 200, "a message", answer):
                messages[answer["body"]["sequence"]] = words
                self.told.hears()


def mint_code(load, connection, subject):
    """Nil where it was refused."""
    body = json.dumps({"form": "code", "subject": subject, "redirectURI": load.identity["redirectURI"]})
    status, answer = load.call(
        connection, "POST", "/__admin/sandboxes/default/credentials", body, {"Content-Type": "application/json"})
    return answer["credential"] if load.expect(status, 201, "a code's minting", answer) else None


def token_call(load, connection, form):
    fields = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Authorization": basic(load.identity["clientId"], load.identity["clientSecret"]),
    }
    return load.call(
        connection, "POST", f"/identity/{load.identity['tenantId']}/token", urllib.parse.urlencode(form), fields)


def redeem(load, connection, code):
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": load.identity["redirectURI"]}
    return token_call(load, connection, form)


def renew(load, connection, token):
    return token_call(load, connection, {"grant_type": "refresh_token", "refresh_token": token})


class Inspection:
    """Asks a server that came back whether all that was acknowledged is there. Each loss is a line of `told.wrong`."""

    def __init__(self, server, told, sample=40, was_full=False):
        self.server, self.told, self.sample, self.was_full = server, told, sample, was_full
        self.unrecorded = 0  # calls and events of which the journal says that they are missing
        tenants = server.tenants()
        self.identity, self.account = tenants["identity"], tenants["liveperson"]["accountId"]
        self.life = "afterwards"
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.checked = {"marks": 0, "messages": 0, "redeemed codes": 0, "unspent codes": 0, "spent refresh tokens": 0, "fresh refresh tokens": 0}

    def call(self, connection, method, target, body, headers):
        connection.request(method, target, body=body, headers=headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    def numbers_and_marks(self, since=1):
        """Journal numbers without a gap from `since`, and all marks of `told` that were not seen before. Returns the next number."""
        seen, expected = set(), since
        for entry in self.server.entries(since=since):
            if entry["number"] != expected:
                self.told.wrong.append(f"journal: entry {entry['number']} follows {expected - 1}")
            expected = entry["number"] + 1
            if entry["kind"] == "mark":
                seen.add(entry["details"]["mark"])
            if entry.get("causeCode") == "unrecorded" and self.was_full:
                self.unrecorded += entry["details"]["unrecorded"]["count"]
            elif entry["kind"] == "finding":
                self.told.wrong.append(f"finding {entry['number']}: {entry['cause']}")
        return expected, seen

    def marks(self, wanted, seen):
        self.checked["marks"] += len(wanted)
        for name in wanted - seen:
            self.told.wrong.append(f"{name} was acknowledged and is gone")
        for name in self.told.refused_marks & seen:
            self.told.wrong.append(f"{name} was answered as failed and is there")

    def messages(self, dialogs):
        by_owner = {}
        for dialog in dialogs:
            by_owner.setdefault(self.told.owners[dialog], []).append(dialog)
        for owner, theirs in by_owner.items():
            socket = consumer(self.server, sign_in(self.server, owner, self.account), self.account)
            for dialog in theirs:
                socket.tell("ms.SubscribeMessagingEvents", {"dialogId": dialog, "fromSeq": 0})
                there = {
                    change["sequence"]: change["event"].get("message") for change in socket.notification(EVENTS)["changes"]
                    if "sequence" in change}
                for sequence, words in self.told.dialogs[dialog].items():
                    self.checked["messages"] += 1
                    if there.get(sequence) != words:
                        self.told.wrong.append(f"dialog {dialog}, {sequence}: '{words}' was acknowledged, there is {there.get(sequence)!r}")
                if sorted(there) != list(range(len(there))):
                    self.told.wrong.append(f"dialog {dialog}: its sequences have a gap: {sorted(there)[:20]}")
            socket.close()

    def some(self, things):
        things = sorted(things)
        return things if len(things) <= self.sample else random.Random(len(things)).sample(things, self.sample)

    def codes(self):
        for code in self.some(self.told.redeemed):
            status, answer = redeem(self, self.connection, code)
            self.checked["redeemed codes"] += 1
            if status != 400 or answer.get("error") != "invalid_grant":
                self.told.wrong.append(f"a code that was redeemed was taken again: {status} {answer}")
        for code in self.some(self.told.unspent):
            status, answer = redeem(self, self.connection, code)
            self.told.unspent.discard(code)
            self.checked["unspent codes"] += 1
            if status != 200:
                self.told.wrong.append(f"a code that was minted is not taken: {status} {answer}")
            else:
                self.told.redeemed.add(code)

    def refresh_tokens(self):
        for chain, token in list(self.told.fresh.items()):
            status, answer = renew(self, self.connection, token)
            self.checked["fresh refresh tokens"] += 1
            del self.told.fresh[chain]
            if status != 200:
                self.told.wrong.append(f"a refresh token that was handed out is not taken: {status} {answer}")
            else:
                self.told.spent.add(token)
        for token in self.some(self.told.spent):
            status, answer = renew(self, self.connection, token)
            self.checked["spent refresh tokens"] += 1
            if status != 400 or answer.get("error") != "invalid_grant":
                self.told.wrong.append(f"a refresh token that was replaced was taken again: {status} {answer}")
