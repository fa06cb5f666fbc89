"""What the customer says."""

import re

from device import new_id
from errors import ChatError, OperationError, UnsupportedChannel


class Messages:
    """Sends messages, and what goes with them."""

    def __init__(self, sdk):
        self.sdk = sdk
        self.welcome = None

    def offered(self, frame):
        """Keeps a welcome message for the first message of a new thread."""
        action = ((frame.get("data") or {}).get("proactiveAction") or {}).get("action") or {}
        data = action.get("data") or {}
        if action.get("actionType") == "WelcomeMessage":
            fields = {field["ident"]: field["value"] for field in (data.get("handover") or {}).get("customFields") or []}
            self.welcome = ((data.get("content") or {}).get("bodyText") or "", fields)
        return action

    def _resolved(self, text, thread):
        """A welcome text with its placeholders filled in."""
        customer = self.sdk.customer
        first, last = customer.get("first") or "", customer.get("last") or ""
        values = {"customer.firstName": first, "customer.lastName": last, "customer.fullName": f"{first} {last}".strip()}
        values.update({f"contact.customFields.{ident}": value for ident, value in thread.fields.items()})

        def fill(match):
            name, _, default = match.group(1).partition("|")
            return values.get(name.strip()) or default
        return re.sub(r"\{\{(.*?)\}\}", fill, text)

    async def send(self, thread, text, message_id=None, parameters=None):
        """Sends a text; returns its id once the gateway has acknowledged it."""
        if thread.state == "closed":
            raise UnsupportedChannel("this conversation is over")
        if thread.state == "pending" and self.welcome:
            await self._send_welcome(thread)
        message_id = message_id or new_id()
        token = await self.sdk.tokens.fresh()
        content = self.sdk.wire.content(text, parameters)
        data = self.sdk.wire.message(thread, message_id, content, thread.fields, self.sdk.clock.now(), token)
        try:
            await self.sdk.ask("SendMessage", data)
        except OperationError as problem:
            if problem.code == "InconsistentData":
                self.sdk.tokens.doubt()
            raise
        return message_id

    async def _send_welcome(self, thread):
        """Has the welcome message said; if that fails the user's own message goes all the same."""
        (text, fields), self.welcome = self.welcome, None
        thread.fields = dict(fields, **thread.fields)
        token = await self.sdk.tokens.fresh()
        data = self.sdk.wire.outbound(thread, new_id(), self._resolved(text, thread), fields, self.sdk.clock.now(), token)
        if self.sdk.platform.name == "ios":
            await self.sdk.tell("SendOutbound", data)
            return
        try:
            await self.sdk.ask("SendOutbound", data)
        except OperationError as problem:
            self.sdk.on_error(problem)
        if self.sdk.platform.name == "android":
            await self.sdk.clock.sleep(1.5)

    async def begin_conversation(self, thread):
        """Opens a live chat, once; a second try has the same id."""
        if thread.is_opened:
            return
        thread.opener_id = thread.opener_id or new_id()
        if self.sdk.platform.name == "web":
            await self.send(thread, "Begin conversation", thread.opener_id)
        else:
            await self.send(thread, "Begin Conversation", thread.opener_id, {"isInitialMessage": True})
        thread.is_opened = True

    async def typing(self, thread, goes_on):
        """Tells that the customer types, or types no more."""
        if thread.state == "ready":
            await self._by_the_way("SenderTypingStarted" if goes_on else "SenderTypingEnded", thread)

    async def seen(self, thread):
        """Tells that the customer has seen what the agent wrote."""
        if thread.state != "pending":
            await self._by_the_way("MessageSeenByCustomer", thread)

    async def _by_the_way(self, event, thread):
        try:
            await self.sdk.tell(event, {"thread": self.sdk.wire.thread(thread, named=True)})
        except ChatError:
            pass  # nobody is shown that this failed

    async def cannot_show(self, thread, message):
        """Tells the agent that a message cannot be shown here."""
        kind = (message.get("messageContent") or {}).get("type")
        text = f"The last agent's message is not supported in the mobile SDK: {kind}"
        await self.send(thread, text, parameters={"isUnsupportedMessageTypeAnswer": True})

    async def end(self, thread):
        """Ends a live chat."""
        sdk = self.sdk
        if sdk.mode != "live":
            raise UnsupportedChannel("only a live chat can be ended")
        if not thread.contact_id:
            raise UnsupportedChannel("there is nothing to end yet")
        data = {"thread": sdk.wire.thread(thread), "contact": {"id": thread.contact_id}}
        if sdk.variant.ends_contact_at_once():
            await sdk.tell("EndContact", data)
        else:
            await sdk.ask("EndContact", data)
        sdk.threads.contact_closed(thread)

    async def transcript(self, thread, address):
        """Has the transcript mailed, where the channel allows it."""
        if not self.sdk.allows_transcript:
            raise UnsupportedChannel("the channel mails no transcripts")
        data = {"consumerContact": {"id": thread.contact_id}, "consumerRecipients": [{"idOnExternalPlatform": address}]}
        await self.sdk.ask("SendTranscript", data, None if self.sdk.platform.name == "web" else "TranscriptSent")

    async def full_content(self, message):
        """Loads the rest of a message (Web SDK)."""
        sdk = self.sdk
        path = f"/chat/1.0/brand/{sdk.ids['brand']}/messages/{message['id']}"
        data = {"thread": {"idOnExternalPlatform": message["threadIdOnExternalPlatform"]}, "url": path}
        told = await sdk.ask("GenerateAuthorizationToken", data, "AuthorizationTokenGenerated")
        headers = dict(sdk.platform.headers(False), Authorization=f"Bearer {told['authorizationToken']['token']}")
        return await sdk.calls.send("GET", sdk.settings.base + path, headers, seconds=5)
