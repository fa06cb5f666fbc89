"""A consumer of LivePerson's, for fault_sockets.py."""

import json

from consumer import Consumer, lp_token, text

OPEN, SAY, TOLD, ALL = "liveperson.openConsumerSocket", "liveperson.publishText", "liveperson.eventsPublished", "liveperson.Messaging.*"
WORDS, TOLD_WORDS = "/body/event/message", "/body/changes/0/event/message"
REFUSAL = "rate-limited"


class Talk:
    """One socket, and the dialog that is talked in on it."""

    def __init__(self, party, host, scheme, sock):
        self.consumer = Consumer(party.account, party.token, host=host, scheme=scheme, sock=sock)
        self.wire = self.consumer.wire

    def begin(self):
        """Opens a dialog, and follows it."""
        self.dialog = self.consumer.request("cm.ConsumerRequestConversation", {"ttrDefName": "NORMAL"})["body"]["conversationId"]
        self.consumer.follow(self.dialog)

    def post(self, words, number="p"):
        """Says something, and waits for nothing."""
        body = {"dialogId": self.dialog, "event": text(words)}
        self.wire.send(json.dumps({"kind": "req", "id": number, "type": "ms.PublishEvent", "body": body}))

    def read(self, message):
        """'resp', or which messages were received."""
        return "resp" if message["kind"] == "resp" else [change["sequence"] for change in message["body"]["changes"]]

    def asks(self):
        """Whether a request that concerns nothing is answered."""
        return self.consumer.request("GetClock")["code"] == 200


class Party:
    """Who talks."""

    def __init__(self, sandbox, made):
        self.lane = "ada"
        self.account = self.tenant = made["tenants"]["liveperson"]["accountId"]
        self.token = lp_token(sandbox, self.account, "ada")

    def talk(self, host, scheme, sock):
        return Talk(self, host, scheme, sock)

    def said(self, talk, fresh):
        """The history that a fresh socket loads."""
        return [change["event"].get("message") for change in fresh.consumer.follow(talk.dialog)]

    def close(self, talk, fresh):
        """Closes the conversation, so that the next may be opened."""
        fresh.consumer.request(
            "cm.UpdateConversationField",
            {"conversationId": talk.dialog, "conversationField": {"field": "ConversationStateField", "conversationState": "CLOSE"}})
