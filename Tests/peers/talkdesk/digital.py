"""Conversations and callbacks by the public API. The brand's server makes them with a token of its own."""

import uuid

import requests

import env
from talkdesk_id import Refused, TalkdeskId

SCOPE = "digital-connect:write callback:write"


class Digital:
    def __init__(self):
        self.talkdesk_id = TalkdeskId("basic")
        self.token = None
        self.conversation = None

    def beside(self, number):
        """The first time it makes a conversation; later it adds to it and asks for a call."""
        if self.conversation is None:
            answer = self.call("/digital-connect/conversations", {
                "touchpoint_id": "19db026c7f9244e19789e3ea4bb84359", "subject": "My order",
                "contact_person": {"email": "ada@brand.example"}, "context_parameters": {"order": "1001"}})
            self.conversation = answer.json()["id"] if answer is not None and answer.ok else None
        else:
            self.call("/digital-connect/conversations/%s/messages" % self.conversation, {"content": "It is late."})
            self.call("/calls/callback", {"talkdesk_phone_number": "+12025550123", "contact_phone_number": "+12025550188"})

    def call(self, path, body):
        """Repeats a refused call once with a new token. Without a token nothing is called."""
        key = str(uuid.uuid4())
        for _ in range(2):
            try:
                self.token = self.token or self.talkdesk_id.client_credentials(SCOPE)["access_token"]
            except Refused:
                return None
            headers = {"Authorization": "Bearer " + self.token}
            if path.startswith("/digital-connect"):
                headers["x-idempotency-key"] = key
            answer = requests.post(env.talkdesk("API_URL") + path, json=body, headers=headers, timeout=30)
            if answer.status_code != 401:
                break
            self.token = None
        return answer
