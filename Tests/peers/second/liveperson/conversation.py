"""What happens on an open socket: the conversation is followed, read and continued."""

from collections import defaultdict

from dialog import TEXTS, Dialog
from outbox import Outbox
from retry import SCHEDULE, GaveUp, pause

QUIET = 2  # seconds after which a dialog that brings nothing is taken to be empty
GAP = 1  # seconds within which a missing event may still come by itself


class Conversation:
    """The consumer's open conversation. Its handlers run in the window's machine."""

    def __init__(self, world, window, store):
        self.world = world
        self.window = window
        self.dialogs = store.dialogs
        self.current = None
        self.outbox = Outbox()
        self.listed = False
        self.requested = False
        self.failures = 0
        self.shown = []  # the texts, for the eyes of the user

    def disconnected(self):
        self.listed = self.requested = False
        self.failures = 0
        self.outbox.disconnected()
        for dialog in self.dialogs.values():
            dialog.disconnected()

    async def request(self, kind, body, handler=None):
        if self.window.connection:
            await self.window.connection.request(kind, body, handler)

    # Catching up

    async def subscribe(self):
        """LivePerson reference 5.8."""
        await self.request("cqm.SubscribeExConversations", {"minLastUpdatedTime": 0, "convState": ["OPEN"]}, self.on_subscribed)

    async def on_subscribed(self, answer):
        if answer["code"] == 401:
            await self.window.on_token_refused()
        elif answer["code"] >= 400:
            if self.failures == len(SCHEDULE):
                await self.window.on_failed(GaveUp(f"the list of conversations: {answer['code']}"))
                return
            self.window.after(pause(self.world.habits, SCHEDULE[self.failures]), self.subscribe)
            self.failures += 1

    async def on_frame(self, frame):
        changes = frame.get("body", {}).get("changes", [])
        if frame.get("type") == "cqm.ExConversationChangeNotification":
            for change in changes:
                await self.on_conversation(change)
            self.listed = True
        elif frame.get("type") == "ms.MessagingEventNotification":
            await self.on_events(changes)
        await self.progress()

    async def on_conversation(self, change):
        """LivePerson reference 5.9: each change carries the whole state; one that is gone is closed."""
        name = change["result"]["convId"]
        details = change["result"].get("conversationDetails", {})
        if change["type"] == "DELETE" or details.get("state") == "CLOSE":
            if self.current == name:
                self.current = None
            return
        self.current = name
        for each in details.get("dialogs", []):
            if each.get("state") == "OPEN":
                await self.follow(each["dialogId"], name)

    async def follow(self, name, conversation):
        dialog = self.dialogs.setdefault(name, Dialog(name, conversation))
        if not dialog.subscribed:
            dialog.subscribed = True
            await self.ask_for_events(dialog)

    async def ask_for_events(self, dialog):
        """LivePerson reference 5.10: all from the first missing one on, and live ones afterwards."""
        body = {"dialogId": dialog.name, "conversationId": dialog.conversation, "fromSeq": dialog.next}

        async def on_answer(answer):
            if answer["code"] >= 400:
                self.window.after(QUIET, self.ask_for_events, dialog)
            elif not dialog.up_to_date:
                self.window.after(QUIET, self.on_up_to_date, dialog)

        await self.request("ms.SubscribeMessagingEvents", body, on_answer)

    async def on_up_to_date(self, dialog):
        dialog.up_to_date = True
        await self.progress()

    async def progress(self):
        """The window is ready once all open dialogs are here; then the messages go out."""
        followed = [dialog for dialog in self.dialogs.values() if dialog.subscribed]
        if self.window.state == "loading" and self.listed and all(dialog.up_to_date for dialog in followed):
            await self.window.on_loaded()
        await self.flush()

    # Reading

    async def on_events(self, changes):
        touched = {}
        for change in changes:
            dialog = self.dialogs.get(change["dialogId"])
            if dialog:
                dialog.take(change)
                touched[dialog.name] = dialog
        received = defaultdict(list)
        for dialog in touched.values():
            for change in dialog.in_order(over_gaps=self.world.habits.has("ignores-gaps")):
                if await self.show(dialog, change):
                    received[dialog.name].append(change["sequence"])
            dialog.up_to_date = True
            if dialog.early and not dialog.asks_again:
                dialog.asks_again = True
                self.window.after(GAP, self.on_gap, dialog)
        for name, sequences in received.items():
            await self.acknowledge(self.dialogs[name], sequences)

    async def show(self, dialog, change):
        """Shows an event. Whether it is a message of somebody else."""
        event = change["event"]
        own = change.get("originatorMetadata", {}).get("role") == "CONSUMER" or change.get("originatorId") == self.window.session.consumer
        if own:
            dialog.own[change["sequence"]] = event
        if event["type"] not in TEXTS:
            return False
        self.shown.append(event.get("message"))
        self.window.notify()
        for _ in range(2 if self.world.habits.has("shows-messages-twice") else 1):
            await self.world.mark("message-shown", dialog=dialog.name, sequence=change["sequence"])
        return not own

    async def on_gap(self, dialog):
        dialog.asks_again = False
        if dialog.early:
            await self.ask_for_events(dialog)

    async def acknowledge(self, dialog, sequences):
        for status in ("ACCEPT", "READ"):
            await self.publish(dialog, {"type": "AcceptStatusEvent", "status": status, "sequenceList": sequences})

    # Writing

    async def publish(self, dialog, event, handler=None):
        body = {"dialogId": dialog.name, "conversationId": dialog.conversation, "event": event}
        await self.request("ms.PublishEvent", body, handler)

    async def on_say(self, message):
        self.outbox.add(message)
        await self.flush()

    async def on_typing(self):
        if self.window.state == "ready" and self.current in self.dialogs:
            await self.publish(self.dialogs[self.current], {"type": "ChatStateEvent", "chatState": "COMPOSING"})

    async def flush(self):
        """Sends the first message, unless it turns out to have arrived already."""
        message = self.outbox.first
        if self.window.state != "ready" or not message:
            return
        dialog = self.dialogs.get(self.current)
        if not self.current:
            await self.begin()
        if not dialog or not dialog.up_to_date:
            return
        habits = self.world.habits
        if message.state == "unknown" and not habits.has("resends-blindly"):
            if habits.has("never-resends") or dialog.holds(message.event, message.since):
                await self.finish("sent")
                return
        message.since = dialog.next if message.since is None else message.since
        message.state = "flying"
        self.outbox.busy = True
        await self.publish(dialog, message.event, self.on_published)

    async def on_published(self, answer):
        message = self.outbox.messages[0]
        if answer["code"] < 400:
            await self.finish("sent")
        elif answer["code"] == 401:
            message.state = "waiting"
            await self.window.on_token_refused()
        elif (answer["code"] == 429 or answer["code"] >= 500) and message.refusals < len(SCHEDULE):
            message.state = "waiting"  # LivePerson reference 5.3: at least a second; those behind it wait too, so that their order holds
            at_once = self.world.habits.has("resends-at-once-after-429")
            self.window.after(0.1 if at_once else SCHEDULE[message.refusals] * 1.1, self.on_resend)
            message.refusals += 1
        else:
            await self.finish("failed")

    async def on_resend(self):
        self.outbox.busy = False
        await self.flush()

    async def finish(self, state):
        self.window.forgive()
        self.outbox.end(state)
        self.window.notify()
        await self.flush()

    async def begin(self):
        """Requests a conversation, with the engagement of the page if there is one (LivePerson reference 5.7)."""
        if self.requested:
            return
        self.requested = True
        body = {"ttrDefName": "NORMAL", "channelType": "MESSAGING", "brandId": self.world.account, "skillId": "-1"}
        await self.request("cm.ConsumerRequestConversation", body | self.window.monitoring.context(), self.on_begun)

    async def on_begun(self, answer):
        self.requested = False
        if answer["code"] >= 400:
            self.window.after(QUIET, self.flush)
            return
        self.current = answer["body"]["conversationId"]
        await self.follow(self.current, self.current)
        await self.flush()
