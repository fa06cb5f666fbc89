"""What is said in a thread, and how it is spelled."""

from dataclasses import dataclass, field

from store import new_id


@dataclass
class Contact:
    """The routed interaction, which the first message of a thread creates (CXone reference 7.4)."""

    id: str
    status: str


@dataclass
class Thread:
    """A thread is local until its first message came back (CXone reference 9.1, pending)."""

    id: str = field(default_factory=new_id)
    exists: bool = False
    name: str = ""
    is_closed: bool = False
    was_welcomed: bool = False
    contact: Contact | None = None
    fields: dict = field(default_factory=dict)


@dataclass
class Message:
    """What the customer writes. Status: queued, sending, acknowledged, unsure, created or failed."""

    text: str
    thread: Thread
    is_opener: bool = False
    was_repeated: bool = False
    id: str = field(default_factory=new_id)
    status: str = "queued"

    @property
    def is_settled(self):
        return self.status in ("created", "failed")


class Content:
    """The data of SendMessage and SendOutbound (CXone reference 5.1)."""

    def __init__(self, chat):
        self.chat = chat
        self.wire = chat.wire

    def access_token(self):
        token = self.chat.store.access_token
        return {"accessToken": {"token": token.value}} if self.chat.configuration.signs_in and token else {}

    def custom_fields(self, thread):
        """The values of the form go with the first message of a thread."""
        if thread.exists:
            return []
        dated = {} if self.wire.is_web else {"updatedAt": self.wire.now()}
        return [{"ident": ident, "value": value} | dated for ident, value in thread.fields.items()]

    def message(self, message):
        thread = {"idOnExternalPlatform": message.thread.id}
        if self.chat.habits.has("sends-each-message-to-another-thread"):
            thread = {"idOnExternalPlatform": new_id()}
        elif message.thread.exists and not self.wire.is_web:
            thread["threadName"] = message.thread.name
        content = {"type": "TEXT", "payload": {"text": message.text}}
        fields = {"customFields": self.custom_fields(message.thread)}
        if self.wire.is_web:
            about = {"browserFingerprint": self.wire.fingerprint(), "consumer": {"customFields": []}, "consumerContact": fields}
        else:
            content |= {"postback": None, "parameters": {"isInitialMessage": True} if message.is_opener else {}}
            about = {"deviceFingerprint": self.wire.fingerprint(), "customer": {"customFields": []}, "contact": fields}
        data = {"thread": thread, "messageContent": content, "idOnExternalPlatform": message.id, "attachments": []}
        return data | about | self.access_token()

    def welcome(self, text, thread):
        data = {
            "thread": {"idOnExternalPlatform": thread.id},
            "messageContent": {"type": "TEXT", "payload": {"text": text}},
            "idOnExternalPlatform": new_id(),
            "consumerContact": {"customFields": []},
            "attachments": [],
            "browserFingerprint": self.wire.fingerprint(),
        }
        if self.wire.is_android:
            data["consumer"] = {"customFields": []}
        return data | self.access_token()
