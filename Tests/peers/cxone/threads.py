"""Threads: loading, creating, opening, and what the server says of them."""

import asyncio

from device import new_id
from errors import OperationError, UnsupportedChannel

KNOWN = {"ios": {"TEXT", "QUICK_REPLIES", "LIST_PICKER", "RICH_LINK", "TIME_PICKER", "PLUGIN", "POSTBACK", "INACTIVITY_POPUP"},
         "android": {"TEXT", "QUICK_REPLIES", "LIST_PICKER", "RICH_LINK", "PLUGIN"}}


class Thread:
    """One thread; `messages` by their ids, oldest first."""

    def __init__(self, thread_id, state="pending", name=""):
        self.id = thread_id
        self.state = state
        self.name = name
        self.messages = {}
        self.contact_id = None
        self.scroll_token = ""
        self.fields = {}
        self.opener_id = None
        self.is_opened = False


class Threads:
    """All threads of the customer in the channel."""

    def __init__(self, sdk):
        self.sdk = sdk
        self.all = {}
        self.current = None

    # Loading

    async def load(self, gateway):
        """Loads what the mode wants after every opening of the socket."""
        if self.sdk.mode == "multi":
            await self._load_list(gateway)
        else:
            await self._recover_only(gateway)

    async def _recover_only(self, gateway):
        live = self.sdk.mode == "live"
        event, answer = ("RecoverLivechat", "LivechatRecovered") if live else ("RecoverThread", "ThreadRecovered")
        stored = self.current.id if self.current and self.current.state != "closed" else self.sdk.storage.get("thread_id")
        try:
            data = await gateway.ask(event, self.sdk.wire.recovery(stored), answer)
        except OperationError as problem:
            if problem.code != ("RecoveringLivechatFailed" if live else "RecoveringThreadFailed"):
                raise
            if live and self.sdk.recover_does_not_fail and self.sdk.variant.failed_live_recover_is_fatal():
                raise
            data = None
        if data and data.get("thread"):
            closed = live and ((data.get("contact") or {}).get("status") == "closed" or not data["thread"].get("canAddMoreMessages", True))
            if not closed:
                self.current = self._take_recovered(data)
                self.sdk.storage["thread_id"] = self.current.id
                return
        self._nothing_recovered(stored)

    def _nothing_recovered(self, stored):
        """There is no such thread: a failure of nothing, a new one is begun when it is wanted."""
        if self.current and self.current.state == "pending":
            return
        self.current = None
        if stored and self.sdk.mode == "single" and self.sdk.variant.keeps_unrecovered_thread_id():
            self.current = self.all[stored] = Thread(stored)

    async def _load_list(self, gateway):
        data = await gateway.ask("FetchThreadList", self.sdk.wire.list_data(), "ThreadListFetched")
        for told in (data or {}).get("threads") or []:
            thread = self.all.setdefault(told["idOnExternalPlatform"], Thread(told["idOnExternalPlatform"], "received"))
            self._describe(thread, told)
            if thread.state == "pending":
                thread.state = "received"
        received = [thread for thread in self.all.values() if thread.state != "pending"]
        if self.sdk.platform.name == "android":
            for thread in received:
                await self._load_metadata(gateway, thread)
        else:
            await asyncio.gather(*(self._load_metadata(gateway, thread) for thread in received))
        if self.current and self.current.state not in ("pending", "closed"):
            await self.recover(self.current, gateway)

    async def _load_metadata(self, gateway, thread):
        data = await gateway.ask("LoadThreadMetadata", {"thread": self.sdk.wire.thread(thread)}, "ThreadMetadataLoaded")
        if (data or {}).get("lastMessage"):
            self._add(thread, data["lastMessage"])
        if thread.state == "received":
            thread.state = "loaded"

    def _describe(self, thread, told):
        thread.name = told.get("threadName") or ""
        if told.get("canAddMoreMessages") is False:
            thread.state = "closed"

    def _take_recovered(self, data):
        told = data["thread"]
        thread = self.all.setdefault(told["idOnExternalPlatform"], Thread(told["idOnExternalPlatform"]))
        thread.state = "ready"
        self._describe(thread, told)
        for message in reversed(data.get("messages") or []):
            self._add(thread, message)
        thread.scroll_token = data.get("messagesScrollToken") or ""
        contact = data.get("contact") or data.get("consumerContact") or {}
        if contact.get("status") != "closed":
            thread.contact_id = contact.get("id") or thread.contact_id
        return thread

    async def recover(self, thread, gateway=None):
        """Opens a thread of the list."""
        gateway = gateway or self.sdk.gateway_or_fail()
        self.current = thread
        try:
            data = await gateway.ask("RecoverThread", self.sdk.wire.recovery(thread.id), "ThreadRecovered")
        except OperationError as problem:
            if problem.code != "RecoveringThreadFailed":
                raise
            return  # nothing to recover is no failure
        if data and data.get("thread"):
            self._take_recovered(data)

    async def load_more(self, thread):
        """Loads the page before the oldest message, if there is one."""
        if not thread.scroll_token:
            return 0
        oldest = next(iter(thread.messages.values()), None)
        data = {"scrollToken": thread.scroll_token, "oldestMessageDatetime": oldest and oldest["createdAt"],
                "thread": self.sdk.wire.thread(thread, named=True)}
        if self.sdk.platform.name == "web" and self.sdk.mode == "live" and thread.contact_id:
            data["contact"] = {"id": thread.contact_id}
        told = await self.sdk.ask("LoadMoreMessages", data, "MoreMessagesLoaded")
        newer, thread.messages = thread.messages, {}
        for message in reversed((told or {}).get("messages") or []):
            self._add(thread, message)
        thread.messages.update(newer)
        thread.scroll_token = (told or {}).get("scrollToken") or ""
        return len(thread.messages) - len(newer)

    # Creating and changing

    def create(self, fields=None):
        """Begins a thread on the device; the server hears of it with the first message."""
        if self.sdk.mode != "multi" and self.current and self.current.state != "closed":
            raise UnsupportedChannel("there is a thread already, and the channel has only one")
        thread = Thread(new_id())
        thread.fields = dict(fields or {})
        self.all[thread.id] = self.current = thread
        if self.sdk.mode != "multi":
            self.sdk.storage["thread_id"] = thread.id
        self.sdk.thread_created()
        return thread

    async def rename(self, thread, name):
        """Gives a thread another name (multi-thread only)."""
        if self.sdk.mode != "multi":
            raise UnsupportedChannel("only threads of a multi-thread channel have names")
        data = {"thread": {"idOnExternalPlatform": thread.id, "threadName": name}}
        if self.sdk.platform.name == "ios":
            await self.sdk.tell("UpdateThread", data)
        else:
            await self.sdk.ask("UpdateThread", data)
        thread.name = name

    async def archive(self, thread):
        """Archives a thread (multi-thread only)."""
        if self.sdk.mode != "multi":
            raise UnsupportedChannel("only threads of a multi-thread channel can be archived")
        await self.sdk.ask("ArchiveThread", {"thread": self.sdk.wire.thread(thread, named=True)}, "ThreadArchived")
        thread.state = "closed"
        if self.current is thread:
            self.current = None

    # What the server says

    def _add(self, thread, message):
        known = thread.messages.get(message["idOnExternalPlatform"])
        thread.messages[message["idOnExternalPlatform"]] = dict(known or {}, **message)
        return known is None

    def take(self, frame):
        """Takes a push."""
        kind, data = frame.get("eventType"), frame.get("data") or {}
        case = data.get("case") or {}
        if kind == "MessageCreated":
            self._message_created(data, case)
        elif kind == "CaseCreated":
            thread = self.all.get(case.get("threadIdOnExternalPlatform"))
            if thread:
                thread.contact_id = case.get("id")
        elif kind == "CaseStatusChanged" and case.get("status") == "closed":
            thread = self.all.get(case.get("threadIdOnExternalPlatform"))
            if thread and thread.contact_id in (None, case.get("id")):
                self.contact_closed(thread)
        elif kind in ("MessageReadChanged", "MessageSeenChanged"):
            message = data.get("message") or {}
            thread = self.all.get(message.get("threadIdOnExternalPlatform"))
            if thread and message.get("idOnExternalPlatform") in thread.messages:
                self._add(thread, message)

    def contact_closed(self, thread):
        """A live chat ends with its contact; other threads go on, with a new one."""
        if self.sdk.mode == "live":
            thread.state = "closed"
            self.sdk.chat_closed()
        else:
            thread.contact_id = None

    def _message_created(self, data, case):
        thread = self.all.get((data.get("thread") or {}).get("idOnExternalPlatform"))
        message = data.get("message") or {}
        if not thread or not message.get("idOnExternalPlatform"):
            return
        if thread.state == "pending":
            thread.state = "ready"
        if case.get("id") and case.get("status") != "closed":
            thread.contact_id = case["id"]
        if self._add(thread, message) and message.get("direction") == "outbound":
            self.sdk.agent_spoke(thread, message)

    def is_unknown_content(self, message):
        """Whether this SDK cannot show the message."""
        known = KNOWN.get(self.sdk.platform.name)
        return known is not None and (message.get("messageContent") or {}).get("type") not in known
