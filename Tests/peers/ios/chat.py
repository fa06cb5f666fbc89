"""What happens on one open socket while the messaging window is on the screen."""
import queue
import time
from contextlib import suppress

from clock import Retries
from failures import Refused, SocketLost, Unreachable
from habits import has
from memory import SHOWN_TYPES
from sending import send
from wire import WAKE

GAP_PATIENCE = 1  # notifications may only be out of order
HISTORY_PATIENCE = 5


class Chat:
    """Downloads, shows and sends. Everything here happens in the window's own thread."""

    def __init__(self, app, memory, consumer, socket):
        self.app, self.memory, self._consumer, self.socket = app, memory, consumer, socket
        self._clock = app.clock
        self._told_conversations = False
        self._to_follow, self._followed, self._expected = set(), set(), set()
        self._gaps = {}

    # -- asking ------------------------------------------------------------

    def ask(self, kind, body):
        """A request on this socket. What is refused for the moment is asked again on the same socket."""
        retries = Retries(self._clock, self.app.options, self.socket.closed)
        while True:
            answer = self.socket.request(kind, body)
            if answer["code"] < 400:
                return answer.get("body")
            failure = self.refusal(kind, answer)
            if has("opens-another-socket-for-the-list"):
                self.socket.abandon()
                raise SocketLost(1006, "another socket may do")
            retries.pause(failure)

    @staticmethod
    def refusal(kind, answer):
        """An unhappy answer as a failure that may pass; raises one that will not."""
        told = f"{kind}: {answer['code']} {answer.get('body')}"
        if answer["code"] == 401:
            raise SocketLost(4401, told)
        if answer["code"] < 500 and answer["code"] != 429:
            raise Refused(told)
        return Unreachable(told, 1 if answer["code"] == 429 else None)

    # -- downloading -------------------------------------------------------

    def load(self):
        """Catches up: the open conversation, and all its messages that this device does not have."""
        self.memory.conversation = self.memory.dialog = None  # it may have been closed meanwhile
        if has("never-asks-for-the-list-again"):
            self.socket.request("cqm.SubscribeExConversations", {"convState": ["OPEN"], "stage": ["OPEN"]})
            return
        self.ask("cqm.SubscribeExConversations", {"convState": ["OPEN"], "stage": ["OPEN"]})
        if not self._until(lambda: self._told_conversations, HISTORY_PATIENCE):
            raise SocketLost(1006, "the conversations were not told")
        self._follow_new()
        for _ in range(2):  # a history that got lost is asked for once more
            if self._until(lambda: not self._expected, HISTORY_PATIENCE):
                break
            for dialog in list(self._expected):
                self.follow(dialog)

    def _follow_new(self):
        for dialog in self._to_follow - self._followed:
            if has("never-follows-again") and dialog in self.memory.transcripts:
                continue
            self.follow(dialog)

    def follow(self, dialog):
        """Subscribes to a dialog's events, from the first one on that is missing here."""
        self._followed.add(dialog)
        is_known = dialog in self.memory.transcripts
        start = self.memory.transcript(dialog).next
        if has("follows-from-too-far-on") and is_known:
            start += 5
        if has("follows-from-one-too-far-on") and self.app.window.loaded:
            start += 1
        self.ask("ms.SubscribeMessagingEvents", {"dialogId": dialog, "conversationId": self.memory.conversation or dialog,
                                                  "fromSeq": start})
        self._expected.add(dialog)

    def _until(self, reached, seconds):
        """Takes in what comes until something is reached; False if the time is over."""
        end = time.monotonic() + self._clock.real(seconds)
        while True:
            self.take_in()
            if reached():
                return True
            left = end - time.monotonic()
            if left <= 0:
                return False
            self._wait(left)

    def _wait(self, real_seconds=None):
        """Waits for the next thing that comes, and takes it in."""
        with suppress(queue.Empty):
            message = self.socket.inbox.get(timeout=real_seconds)
            if message is not WAKE:
                self._handle(message)
        self.socket.check()

    def take_in(self):
        """Handles and shows all that has come."""
        while True:
            try:
                message = self.socket.inbox.get_nowait()
            except queue.Empty:
                break
            if message is not WAKE:
                self._handle(message)
        self._show()

    def _handle(self, message):
        changes = message["body"].get("changes", [])
        if message["type"] == "cqm.ExConversationChangeNotification":
            self._told_conversations = True
            for change in changes:
                self._conversation(change)
        elif message["type"] == "ms.MessagingEventNotification":
            dialogs = {event["dialogId"] for event in changes}
            # The first word of a dialog after it was asked for is its history; an empty one names no dialog.
            self._expected -= dialogs or set(self._expected)
            for event in changes:
                self._event(event)

    def _conversation(self, change):
        memory, result = self.memory, change["result"]
        details = result.get("conversationDetails", {})
        if change["type"] == "UPSERT" and details.get("state") == "OPEN":
            memory.conversation = result["convId"]
            for dialog in details.get("dialogs", []):
                if dialog["state"] == "OPEN":
                    memory.dialog = dialog["dialogId"]
                    self._to_follow.add(dialog["dialogId"])
        elif result["convId"] == memory.conversation:
            memory.conversation = memory.dialog = None

    def _event(self, event):
        if not self.memory.transcript(event["dialogId"]).take(event) or has("sends-again-what-arrived") or event.get("originatorId") != self._consumer:
            return
        sent = next((item for item in self.memory.outbox if item.is_in(event)), None)
        if sent:
            sent.done = True

    # -- showing -----------------------------------------------------------

    def _show(self):
        """Shows what has come, in order, and says that it was read."""
        for dialog, transcript in list(self.memory.transcripts.items()):
            read = []
            for event in transcript.in_order():
                if event["event"].get("type") in SHOWN_TYPES:
                    self.app.show_message(dialog, event["sequence"], event["event"].get("message"))
                    if event.get("originatorId") != self._consumer:
                        read.append(event["sequence"])
            if read and dialog in self._followed:
                self.socket.post("ms.PublishEvent", {
                    "dialogId": dialog, "conversationId": self.memory.conversation or dialog,
                    "event": {"type": "AcceptStatusEvent", "status": "READ", "sequenceList": read}})

    def _close_gaps(self):
        """A number that is missing is asked for; when it does not come even so, it is not for this consumer."""
        now = time.monotonic()
        for dialog, transcript in list(self.memory.transcripts.items()):
            if not transcript.gap:
                self._gaps.pop(dialog, None)
                continue
            since, asked = self._gaps.setdefault(dialog, (now, False))
            if not asked and now - since > self._clock.real(GAP_PATIENCE):
                has("leaves-gaps") or self.follow(dialog)
                self._gaps[dialog] = (time.monotonic(), True)
            elif asked and (dialog not in self._expected or now - since > self._clock.real(HISTORY_PATIENCE)):
                transcript.settle()
                self._gaps.pop(dialog)
                self._show()

    # -- all of it ---------------------------------------------------------

    def serve(self, stop):
        """Until the window is closed."""
        while not stop.is_set():
            self.take_in()
            self._follow_new()
            self._close_gaps()
            pending = self.memory.pending()
            if pending and not pending[0].tried and has("opens-a-socket-for-each-message"):
                pending[0].tried = True
                self.socket.close()
                raise SocketLost(1000, "each message has one of its own")
            if pending:
                send(self, pending[0])
                self.app.changed()
            else:
                self._wait(self._clock.real(GAP_PATIENCE / 2) if self._gaps else None)
