"""A window on a conversation at LivePerson: a socket that stays open, what is said on it, and what is shown of it."""
import asyncio, itertools, json, time
import websockets
from liveperson_dialog import Dialog
from patience import DELAYS, SCALE, Failed, mark, patiently, tell


class Window:
    def __init__(self, consumer):
        self.consumer, self.socket, self.ids = consumer, None, itertools.count(1)
        self.dialog = None  # where the user talks
        self.outbox, self.is_written, self.published = [], asyncio.Event(), set()

    def say(self, words):
        """Keeps the user's words until LivePerson has acknowledged them."""
        self.outbox.append((next(self.ids), words))
        self.is_written.set()

    async def stay(self):
        """Keeps a socket open until the task is cancelled."""
        ends = 0
        try:
            while True:
                await patiently(self.open)
                opened, token = time.monotonic(), self.consumer.token
                await self.talk()
                # The delays begin again only after a socket that lasted: one that opens and ends at once must not be hammered.
                ends = 1 if time.monotonic() - opened > 30 * SCALE else ends + 1
                if ends > len(DELAYS):
                    raise Failed("the socket ends again and again")
                if self.socket.close_code == 4401:  # the token has expired or was revoked: waiting would not help
                    await self.consumer.sign_in(refused=token)
                else:  # the token is still good
                    await asyncio.sleep(DELAYS[ends - 1] * SCALE)
        except Failed as failure:
            await tell(f"Disconnected: {failure}", self.consumer.name)

    async def open(self):
        url = f"wss://{self.consumer.hosts['asyncMessagingEnt']}/ws_api/account/{self.consumer.account}/messaging/consumer?v=3"
        try:  # a ping every 30 s, as LivePerson asks; if no pong comes within 20 s, the socket is dead, whatever TCP says
            self.socket = await websockets.connect(
                url, open_timeout=30 * SCALE, ping_interval=30 * SCALE, ping_timeout=20 * SCALE, close_timeout=1, max_size=None)
        except (websockets.InvalidHandshake, asyncio.TimeoutError, OSError) as error:
            answer = getattr(error, "response", error)  # which of them has the status depends on the version of `websockets`
            raise Failed("the socket", getattr(answer, "status_code", None), getattr(answer, "headers", {}).items())

    async def talk(self):
        """Until the socket ends, or leaves a request without an answer."""
        self.answers, self.is_listed = {}, asyncio.Event()
        both = [asyncio.create_task(self.listen()), asyncio.create_task(self.speak())]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            both[1].cancel()
            await asyncio.gather(*both, self.socket.close(), return_exceptions=True)

    async def send(self, type, body, **members):
        number = str(next(self.ids))
        self.answers[number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"kind": "req", "id": number, "type": type, "body": body, **members}))
        return self.answers[number]

    async def ask(self, *request, **members):
        answer = await asyncio.wait_for(await self.send(*request, **members), 20 * SCALE)
        if answer["code"] >= 400:
            raise Failed(request[0], answer["code"])
        return answer["body"]

    async def speak(self):
        await self.ask("InitConnection", {}, headers=[{"type": ".ams.headers.ConsumerAuthentication", "jwt": self.consumer.token}])
        await patiently(lambda: self.ask("cqm.SubscribeExConversations", {"convState": ["OPEN"]}))
        await asyncio.wait_for(self.is_listed.wait(), 20 * SCALE)
        if self.dialog:
            await self.catch_up(self.dialog)  # and only then sends again what had no answer: it may have arrived
        while True:
            while not self.outbox:
                self.is_written.clear()
                await self.is_written.wait()
            line = self.outbox[0]  # one at a time: the agent reads them in the order in which they arrive
            try:
                if not self.dialog:
                    asked = await patiently(lambda: self.ask("cm.ConsumerRequestConversation", {"ttrDefName": "NORMAL"}))
                    self.dialog = Dialog(asked["conversationId"])  # which is the id of its dialog too
                    await self.catch_up(self.dialog)
                dialog, event = self.dialog, {"type": "ContentEvent", "contentType": "text/plain", "message": line[1]}
                sent = await patiently(lambda: self.ask("ms.PublishEvent", {"dialogId": dialog.id, "event": event}))
                self.published.add(sent["sequence"])
            except Failed as failure:
                await tell(f"Not sent: {line[1]}: {failure}", self.consumer.name)
            if line in self.outbox:
                self.outbox.remove(line)

    async def catch_up(self, dialog):
        """Subscribes from the message that was shown last: it comes once more, with all that was missed."""
        dialog.caught_up.clear()
        await patiently(lambda: self.ask("ms.SubscribeMessagingEvents", {"dialogId": dialog.id, "fromSeq": max(dialog.last, 0)}))
        try:
            await asyncio.wait_for(dialog.caught_up.wait(), 10 * SCALE)
        except asyncio.TimeoutError:
            dialog.caught_up.set()  # the next message will show whether something is missing

    async def listen(self):
        async for text in self.socket:
            message = json.loads(text)
            if message["kind"] == "resp":
                self.answers.pop(message["reqId"]).set_result(message)
            elif message["type"] == "ms.MessagingEventNotification" and self.dialog:
                await self.take(message["body"]["changes"])
            elif message["type"] == "cqm.ExConversationChangeNotification":
                for change in message["body"]["changes"]:
                    if change["type"] == "DELETE" and self.dialog and change["result"]["convId"] == self.dialog.id:
                        self.dialog = None  # it was closed; what is said next begins another
                    elif change["type"] == "UPSERT" and not self.dialog and not self.is_listed.is_set():
                        self.dialog = Dialog(change["result"]["convId"])  # it began before this socket
                self.is_listed.set()

    async def take(self, changes):
        dialog = self.dialog
        texts = [change for change in dialog.take(changes) if change["event"]["type"] == "ContentEvent"]
        for change in texts:  # all of them before anything is awaited: speak() goes on once the dialog has caught up
            is_mine = change["originatorMetadata"]["role"] == "CONSUMER" and change["sequence"] not in self.published
            if is_mine and self.outbox and self.outbox[0][1] == change["event"]["message"]:
                del self.outbox[0]  # its answer was lost, but it had arrived: the agent must not read it twice
        if dialog.has_gap:
            self.asking = asyncio.create_task(self.catch_up(dialog))
        for change in texts:
            await self.show(dialog.id, change)

    async def show(self, dialog, change):
        await mark("message-shown", self.consumer.name, dialog=dialog, sequence=change["sequence"])
        if change["originatorMetadata"]["role"] != "CONSUMER":
            print(f"Agent: {change['event']['message']}", flush=True)
            read = {"type": "AcceptStatusEvent", "status": "READ", "sequenceList": [change["sequence"]]}
            await self.send("ms.PublishEvent", {"dialogId": dialog, "event": read})
