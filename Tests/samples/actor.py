"""A consumer of LivePerson's in a scene, an agent (`agent`), or Ada at CXone (`cxone`): does what it is asked, one word with its arguments after the
other, and stays until it is killed.

    actor.py http://127.0.0.1:8080 alice registers phone-1 , arrives , opens , follows , says 'anybody there?'
"""

import json
import os
import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "peers"))

from consumer import CHANGED, Consumer, Socket, lp_token, plain  # noqa: E402
from peer import admin, base, check, http  # noqa: E402
from talk_cxone import CHANNEL, Party  # noqa: E402

PHONE = {"deviceFamily": "MOBILE", "os": "ANDROID", "features": ["RICH_CONTENT", "MULTI_DIALOG", "QUICK_REPLIES"]}


class Actor:
    def __init__(self, account):
        self.account = account

    def stays(self):
        """Until it is killed; then its socket is closed."""
        left = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: left.set())
        left.wait()
        self.socket.wire.close()


class Agent(Actor):
    """The one of a fresh sandbox."""

    def arrives(self):
        url = f"{base}/api/account/{self.account}/login?v=1.3"
        answer = http.post(url, json={"username": "agent", "password": "agent-secret"}, timeout=60)
        check("the agent signs in", answer.ok, answer.text)
        self.socket = Socket(f"ws://{plain}/ws_api/account/{self.account}/messaging/brand/{answer.json()['bearer']}?v=2.1")

    def sends(self, card):
        """Structured content, to whom it talks with."""
        conversation = admin("GET", "sandboxes/default/conversations")["conversations"][0]["id"]
        event = {"type": "RichContentEvent", "content": json.loads(card)}
        self.socket.request(".ams.ms.PublishEvent", {"dialogId": conversation, "event": event})


class Customer(Actor):
    """Ada, at CXone."""

    def __init__(self):
        party = Party("default", admin("GET", "sandboxes/default"))
        admin("PATCH", "sandboxes/default/tenants/cxone", {"channels": [{"channelId": CHANNEL, "mode": "live"}]})
        self.socket = party.talk(None, "ws", None)

    def begins(self):
        self.socket.begin()


class Person(Actor):
    def __init__(self, account, name):
        super().__init__(account)
        self.token = lp_token("default", account, name)

    def registers(self, device):
        """For pushes."""
        url = f"{base}/mock/pusher/account/{self.account}/registrations/test.brand.app"
        answer = http.put(url, json={"deviceToken": device, "pushType": "APNS"}, headers={"Authorization": f"Bearer {self.token}"}, timeout=60)
        check(f"{device} is registered", answer.ok, answer.text)

    def arrives(self, *words):
        self.socket = Consumer(self.account, self.token, properties=PHONE if words else None)

    def subscribes(self):
        self.socket.request("cqm.SubscribeExConversations", {"convState": ["OPEN", "CLOSE"]})

    def opens(self):
        self.dialog = self.conversation = self.socket.request("cm.ConsumerRequestConversation", {"ttrDefName": "NORMAL"})["body"]["conversationId"]

    def follows(self):
        self.socket.follow(self.dialog)

    def says(self, words):
        self.socket.say(self.dialog, words)
        self.socket.changes()

    def closes(self):
        """The dialog, not the conversation; a survey may follow in another dialog, which it then follows."""
        dialog = {"dialogId": self.dialog, "state": "CLOSE", "closedCause": "Closed by consumer"}
        field = {"field": "DialogChange", "type": "UPDATE", "dialog": dialog}
        self.socket.request("cm.UpdateConversationField", {"conversationId": self.conversation, "conversationField": field})

    def surveyed(self):
        """Follows the dialog of the survey."""
        while True:
            for change in self.socket.changes(CHANGED):
                for dialog in change["result"]["conversationDetails"]["dialogs"]:
                    if dialog["dialogType"] == "POST_SURVEY":
                        self.dialog = dialog["dialogId"]
                        return self.follows()

    def is_done(self):
        """The conversation is closed."""
        while not any(change["result"]["conversationDetails"]["stage"] == "CLOSE" for change in self.socket.changes(CHANGED)):
            pass

    def uploads(self, name, size):
        """Asks for a URL, and writes it where the scene finds it."""
        body = {"fileSize": int(size), "fileType": name.rpartition(".")[2].upper()}
        found = self.socket.request("ms.GenerateURLForUploadFile", body)["body"]
        query = found["queryParams"]
        Path("upload.url").write_text(f"{found['relativePath']}?temp_url_sig={query['temp_url_sig']}&temp_url_expires={query['temp_url_expires']}")


def main():
    name, *asked = sys.argv[2:]
    pid = Path(f"{name}.pid")
    reader, writer = os.pipe()
    if os.fork():  # the scene goes on when everything has been done
        os.close(writer)
        sys.exit(0 if os.read(reader, 1) else 1)
    account = admin("GET", "sandboxes/default")["tenants"]["liveperson"]["accountId"]
    actor = Agent(account) if name == "agent" else Customer() if name == "cxone" else Person(account, name)
    words = []
    for word in [*asked, ","]:
        if word == ",":
            getattr(actor, words[0])(*words[1:])
            words = []
        else:
            words.append(word)
    pid.write_text(str(os.getpid()))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    os.write(writer, b".")
    actor.stays()
    pid.unlink()


if __name__ == "__main__":
    main()
