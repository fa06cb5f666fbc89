"""The messaging window: what `showConversation` opens, loads, shows and sends."""
import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

import timing
from connection import LIST_TIME, Connection, ask
from failures import Failure, Refused, SocketClosed, Unavailable, WindowLeft
from habits import has
from login import consumer_of
from transcript import Transcript

GAP_TIME = 2.0  # seconds that a message which was overtaken may take before it is asked for


@dataclass
class Outgoing:
    """A message of the user's that is not known to have been published."""

    event: dict
    after: int | None = None  # the newest number when it was sent first; None before
    sent: asyncio.Future = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Window:
    """One opening of the window, from the tap on the button to the way back."""

    def __init__(self, sdk, engagement):
        self.sdk, self.engagement = sdk, engagement
        self.transcripts = sdk.disk.setdefault("transcripts", {})
        self.outbox = sdk.disk.setdefault("outbox", [])
        self.connection = Connection(sdk, self.load, self.notified)
        self.listed, self.heard, self.more = asyncio.Event(), {}, asyncio.Event()
        self.conversation = self.dialog = self.own_id = None
        self.tasks, self.left = {}, False

    async def open(self):
        """Returns when the window has downloaded what is unread; raises where that cannot be."""
        # "Showing the conversation": it always needs authentication parameters, so a fresh code each time.
        await self.sdk.identity.sign_in()
        if self.left:
            raise WindowLeft
        keeper = self.start("keep", self.connection.keep)
        ready = asyncio.create_task(self.connection.ready.wait())
        await asyncio.wait({keeper, ready}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self.left:
            raise WindowLeft
        if keeper.done():
            keeper.result()
        self.start("send", self.send_all)
        if has("signs-in-every-second"):
            self.start("renew", self.renew)

    async def renew(self):
        """Keeps signing in again as long as the window is open, though nobody asks for it."""
        while True:
            await timing.wait(1)
            await self.sdk.identity.sign_in()

    def start(self, name, work):
        """Runs a part of the window beside the others, one of a name at a time."""
        if name not in self.tasks or self.tasks[name].done():
            self.tasks[name] = asyncio.create_task(work())
            self.tasks[name].add_done_callback(lambda task: task.cancelled() or task.exception())
        return self.tasks[name]

    async def close(self):
        """Stops everything, and closes the socket so that pushes come again ("Closing the Fragment")."""
        self.stop()
        if has("forgets-its-socket") and self.connection.socket:
            self.connection.socket.tasks[1].cancel()
        if has("leaves-the-socket-open", "forgets-its-socket"):
            return
        await self.connection.leave()
        if has("opens-the-socket-after-the-window"):
            self.connection.second = await self.connection.opened(self.sdk.identity.token)

    def stop(self):
        self.left = True
        for task in self.tasks.values():
            task.cancel()
        self.connection.ready.clear()

    async def load(self, socket):
        """Follows the conversations, and the open one's messages from where this device is."""
        self.own_id = consumer_of(self.sdk.identity.token)
        self.listed.clear(), self.heard.clear()
        self.conversation = self.dialog = None
        if has("never-asks-for-the-list-again"):
            with suppress(Unavailable):
                await socket.request("cqm.SubscribeExConversations", {"convState": ["OPEN"]})
                await within(self.listed.wait(), "the conversations do not come")
            return
        await ask(self.sdk.policy, socket, "cqm.SubscribeExConversations", {"convState": ["OPEN"]})
        await within(self.listed.wait(), "the conversations do not come")
        if self.dialog and not (has("never-follows-again") and self.transcripts):
            await self.follow(socket)

    async def follow(self, socket):
        """Subscribes to the dialog's events, and waits for those that there are."""
        heard = self.heard[self.dialog] = asyncio.Event()
        await self.subscribe(socket)
        await within(heard.wait(), "the messages do not come")
        self.start("acknowledge", self.acknowledge)

    async def subscribe(self, socket):
        is_known = self.dialog in self.transcripts
        start = self.transcript.next
        if has("follows-from-too-far-on") and is_known:
            start += 5
        body = {"dialogId": self.dialog, "conversationId": self.conversation, "fromSeq": start}
        await ask(self.sdk.policy, socket, "ms.SubscribeMessagingEvents", body)

    @property
    def transcript(self):
        return self.transcripts.setdefault(self.dialog, Transcript())

    def notified(self, kind, body):
        """Takes a notification in."""
        if kind == "cqm.ExConversationChangeNotification":
            for change in body.get("changes", []):
                self.conversation_changed(change.get("type"), change.get("result", {}))
            self.listed.set()
        elif kind == "ms.MessagingEventNotification":
            for change in body.get("changes", []):
                transcript = self.transcripts.setdefault(change["dialogId"], Transcript())
                self.show(transcript.take(change, self.own_id))
            if self.dialog and self.transcript.has_gap():
                self.start("gap", self.close_gap)
            for dialog in {change["dialogId"] for change in body.get("changes", [])} or set(self.heard):
                self.heard.setdefault(dialog, asyncio.Event()).set()

    def conversation_changed(self, kind, result):
        """Keeps the open conversation and its main dialog."""
        details = result.get("conversationDetails", {})
        is_open = kind != "DELETE" and details.get("state") == "OPEN"
        if is_open:
            mains = [entry["dialogId"] for entry in details.get("dialogs", []) if entry.get("dialogType") == "MAIN"]
            self.conversation, self.dialog = result["convId"], (mains or [result["convId"]])[0]
        elif result.get("convId") == self.conversation:
            self.conversation = self.dialog = None

    def show(self, messages):
        for change in messages:
            self.sdk.receiver.on_message(change)
        if messages and self.connection.ready.is_set():
            self.start("acknowledge", self.acknowledge)

    async def close_gap(self):
        """Asks for what was left out, unless it has only been overtaken."""
        try:
            await timing.wait(GAP_TIME)
            if self.transcript.has_gap():
                has("leaves-gaps") or await self.subscribe(self.connection.socket)
                await timing.wait(GAP_TIME)
                self.show(self.transcript.skip_gap(self.own_id))
        except Failure:
            pass  # the next connection asks from the gap on

    async def acknowledge(self):
        """Tells that the messages on the screen have been read."""
        while self.dialog and self.transcript.unread:
            transcript, read = self.transcript, sorted(self.transcript.unread)
            try:
                status = {"type": "AcceptStatusEvent", "status": "READ", "sequenceList": read}
                await self.connection.ask("ms.PublishEvent", self.publication(status))
            except Failure:
                return  # the next connection tells it
            transcript.unread.difference_update(read)

    def publication(self, event):
        return {"dialogId": self.dialog, "conversationId": self.conversation, "event": event}

    def say(self, event):
        """Puts a message of the user's into the queue; the future is done when it has been published."""
        outgoing = Outgoing(event)
        self.outbox.append(outgoing)
        self.more.set()
        return outgoing.sent

    async def send_all(self):
        """Publishes what is in the queue, one after the other, in the order in which it was typed."""
        while True:
            while not self.outbox:
                self.more.clear()
                await self.more.wait()
            await self.connection.ready.wait()
            outgoing, socket = self.outbox[0], self.connection.socket
            try:
                sequence = await self.publish(outgoing)
            except SocketClosed:
                if self.connection.socket is socket:
                    self.connection.ready.clear()
                continue
            except Unavailable if has("lets-later-messages-pass", "drops-what-was-refused") else ():
                self.outbox.pop(0)
                if has("lets-later-messages-pass"):
                    outgoing.after = None
                    self.outbox.append(outgoing)
                    await timing.wait(1)
                else:
                    outgoing.sent.set_result(None)
                continue
            except (Refused, Unavailable) as failure:
                outgoing.sent.set_exception(failure)
            else:
                outgoing.sent.done() or outgoing.sent.set_result(sequence)
            self.outbox.pop(0)

    async def publish(self, outgoing):
        """Publishes a message, unless an earlier attempt of which no answer came has done so."""
        if not self.dialog:
            await self.request_conversation()
        found = None
        if has("opens-a-socket-for-each-message") and outgoing.after is None:
            await self.begin_again()
        if has("never-sends-again") and outgoing.after is not None:
            return None
        if outgoing.after is not None and not has("sends-again-what-arrived"):
            found = self.transcript.find_own(outgoing.event, outgoing.after, self.own_id)
        if found is None:
            if outgoing.after is None:
                outgoing.after = self.transcript.newest()
            if has("lets-later-messages-pass", "drops-what-was-refused"):
                answer = await self.connection.socket.request("ms.PublishEvent", self.publication(outgoing.event))
            else:
                answer = await self.connection.ask("ms.PublishEvent", self.publication(outgoing.event))
            found = answer["sequence"]
            change = {"sequence": found, "dialogId": self.dialog, "originatorId": self.own_id, "event": outgoing.event}
            self.show(self.transcript.take(change, self.own_id))
        self.transcript.claimed.add(found)
        return found

    async def begin_again(self):
        """Leaves a socket that works for another."""
        self.connection.ready.clear()
        await self.connection.socket.close()
        await self.connection.ready.wait()

    async def request_conversation(self):
        """Opens a conversation at the engagement that the app has shown ("User navigates about the App" 4)."""
        body = {"ttrDefName": "NORMAL", "channelType": "MESSAGING", "brandId": self.sdk.account, "skillId": "-1"}
        body["conversationContext"] = {"type": "MobileAppContext", "lang": "en-US"}
        if self.engagement and "contextId" in self.engagement:
            body["campaignInfo"] = {name: self.engagement[name] for name in ("campaignId", "engagementId")}
            body["conversationContext"] = {
                "type": "SharkContext",
                "lang": "en-US",
                "visitorId": self.sdk.disk.get("vid"),
                "sessionId": self.sdk.disk.get("sid"),
                "interactionContextId": self.engagement["contextId"],
            }
        answer = await self.connection.ask("cm.ConsumerRequestConversation", body)
        self.conversation = self.dialog = answer["conversationId"]
        await self.follow(self.connection.socket)


async def within(waiting, text):
    """Waits for something that the service owes."""
    try:
        await asyncio.wait_for(waiting, timing.real(LIST_TIME))
    except asyncio.TimeoutError:
        raise Unavailable(text) from None
