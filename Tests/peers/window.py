"""The messaging window of an app: a consumer's socket on which everything that comes is expected, in this order, and nothing else."""

from consumer import CHANGED, EVENTS, Consumer, text
from peer import check


class Window(Consumer):
    """Knows the rules of the reference: an answer comes before what it causes (5.4), sequences run on (5.11), own events come back (5.11)."""

    def __init__(self, app):
        self.app, self.brand = app, app.brand
        self.subscription = self.conversation = None
        self.sequences = {}  # by dialog that is followed: the next
        platform = app.platform
        super().__init__(
            self.brand.account, app.token, app.hosts["asyncMessagingEnt"], platform.opening, platform.properties, scheme=self.brand.socket)

    # Requests

    def ask(self, kind, body, *types):
        """A request that succeeds."""
        answer = self.request(kind, body)
        check(f"{kind}: before anything that it causes", self.kept == [], self.kept)
        check(f"{kind}: done", answer["code"] == 200 and answer["type"] in types, answer)
        return answer["body"]

    def subscribe(self, *states):
        """Follows the consumer's conversations; returns those there are (5.8)."""
        body = self.ask("cqm.SubscribeExConversations", {"minLastUpdatedTime": 0, "convState": states}, "cqm.SubscribeExConversationsResponse")
        self.subscription = body["subscriptionId"]
        check("the subscription's id has 1 to 64 characters", 1 <= len(self.subscription) <= 64, body)
        told = self.next(CHANGED)
        check("it learns at once what there is", told["subscriptionId"] == self.subscription, told)
        return [self.details(change) for change in told["changes"]]

    def begin(self, skill="-1", said_first=(), **members):
        """A conversation is opened, and followed; `said_first` stands in it already."""
        body = {"ttrDefName": "NORMAL", "channelType": "MESSAGING", "brandId": self.brand.account, **members}
        self.conversation = self.ask("cm.ConsumerRequestConversation", body, "cm.RequestConversationResponse")["conversationId"]
        check("the conversation's id has 1 to 64 characters", 1 <= len(self.conversation) <= 64, self.conversation)
        if self.subscription:
            details = self.changed(state="OPEN", stage="OPEN", skillId=skill, brandId=self.brand.account)
            check("nobody else takes part yet", roles(details["participants"]) == {"CONSUMER": self.app.consumer}, details)
            main = dialog(details, "MAIN")
            check("its main dialog has its id", main["dialogId"] == self.conversation and main["state"] == "OPEN", details)
        check("nothing else was said yet", [what for _, what in said(self.read())] == list(said_first))

    def read(self, at=None, since=0):
        """Follows a dialog, the main one unless another is named; returns what was said in it (5.10)."""
        at = at or self.conversation
        body = {"dialogId": at, "conversationId": self.conversation, "fromSeq": since}
        answer = self.ask("ms.SubscribeMessagingEvents", body, ".ams.GenericSubscribeResponse", "GenericSubscribeResponse")
        check("without more", answer == {}, answer)
        changes = self.next(EVENTS)["changes"]
        self.sequences[at] = since + len(changes)
        check("what was said comes whole and in order", [c["sequence"] for c in changes] == list(range(since, self.sequences[at])), changes)
        return changes

    def resume(self, conversation):
        """Goes on with a conversation that there is; returns what was said in it."""
        self.conversation = conversation
        return self.read()

    def send(self, event, at=None, metadata=None):
        """Says something and, where it is followed, hears it too; returns its sequence."""
        at = at or self.conversation
        body = {"dialogId": at, "conversationId": self.conversation, "event": event}
        answer = self.request("ms.PublishEvent", body, **({"metadata": metadata} if metadata else {}))
        check("published, before it is heard", answer["code"] == 200 and answer["type"] == "ms.PublishEventResponse" and self.kept == [], answer)
        sequence = answer["body"]["sequence"]
        if at in self.sequences:
            check("with the next sequence, or none", sequence == (0 if ephemeral(event) else self.sequences[at]), answer)
            change = self.hear("CONSUMER", event, at)
            check("by her who said it", change["originatorId"] == self.app.consumer and change.get("metadata") == metadata, change)
        return sequence

    def write(self, words):
        return self.send(text(words))

    def receipt(self, status, *sequences, metadata=None, at=None):
        return self.send({"type": "AcceptStatusEvent", "status": status, "sequenceList": list(sequences)}, at, metadata)

    # What comes

    def next(self, kind):
        message = self.following()
        check(f"next comes a {kind}", message["kind"] == "notification" and message["type"] == kind, message)
        return message["body"]

    def details(self, change):
        """A conversation as it stands, complete (5.9)."""
        result = change["result"]
        details = result["conversationDetails"]
        whole = details.keys() >= {"participants", "dialogs", "state", "stage", "startTs"} and result["lastUpdateTime"] <= self.brand.now * 1000
        check("the conversation is described completely", change["type"] == "UPSERT" and result["convId"] and whole, change)
        return details | {"convId": result["convId"]}

    def changed(self, **members):
        """The conversation has changed, to this."""
        body = self.next(CHANGED)
        check("one change, of what was subscribed to", len(body["changes"]) == 1 and body["subscriptionId"] == self.subscription, body)
        details = self.details(body["changes"][0])
        members["convId"] = self.conversation
        check(f"it has changed to {members}", {m: details.get(m) for m in members} == members, details)
        check("just now", body["changes"][0]["result"]["lastUpdateTime"] == self.brand.now * 1000, body)
        return details

    def hear(self, role, event, at=None):
        """Somebody has said something, just now (5.12)."""
        at = at or self.conversation
        changes = self.next(EVENTS)["changes"]
        check("one event", len(changes) == 1, changes)
        change = changes[0]
        check(f"{role} said {event}", change["event"] == event and change["originatorMetadata"]["role"] == role, change)
        check("who is named twice", change["originatorMetadata"]["id"] == change["originatorId"], change)
        check("in this dialog", change["dialogId"] == at and change["conversationId"] == self.conversation, change)
        if ephemeral(event):
            check("a chat state has no sequence", "sequence" not in change, change)
        else:
            place = change["sequence"], change["serverTimestamp"]
            check("with the next sequence, just now", place == (self.sequences[at], self.brand.now * 1000), change)
            self.sequences[at] += 1
        return change

    def close(self):
        """[hide, removeConversation, onBackPressed] Nothing came that was not looked at; and LivePerson knows that it is closed."""
        clock = self.request("GetClock")
        check("nothing else had come", self.kept == [] and clock["body"]["currentTime"] == self.brand.now * 1000, (self.kept, clock))
        since = self.brand.admin("GET", "journal")["next"]
        self.wire.close(1000)
        self.brand.admin("GET", f"journal/wait?kind=socket&since={since}&timeout=50s")
        self.app.window = None

    def closed(self):
        """The code with which LivePerson closes it."""
        code, _ = self.end()
        self.app.window = None
        return code


def ephemeral(event):
    return event["type"] == "ChatStateEvent"


def roles(participants):
    return {each["role"]: each["id"] for each in participants}


def dialog(details, kind):
    return next(each for each in details["dialogs"] if each["dialogType"] == kind)


def said(changes):
    """The words in a history, each with who said them."""
    return [(c["originatorMetadata"]["role"], c["event"].get("message")) for c in changes]
