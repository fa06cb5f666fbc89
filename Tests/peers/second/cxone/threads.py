"""The customer's threads, and the one that is open."""

from content import Contact, Message, Thread
from state import State


class Threads:
    """Loads the threads after each connection, as the channel's mode has it (CXone reference 9.4), and keeps them up to date."""

    def __init__(self, chat):
        self.chat = chat
        self.known = {}
        self.current = None
        self.heard = []
        self.metadata_missing = 0
        chat.events.on("create-thread", self.create_by_user)
        chat.events.on("open-thread", self.open)
        chat.events.on("rename-thread", self.rename)
        chat.events.on("archive-thread", self.archive)
        chat.events.on("end-contact", self.end_contact)
        chat.events.on("about-thread", self.say_about)
        chat.exchange.on_push("CaseCreated", self.case_created)
        chat.exchange.on_push("CaseStatusChanged", self.case_status_changed)
        chat.exchange.on_push("MessageCreated", self.message_created)

    def forget(self):
        """Only the stored id is left of them, and what is still to be sent."""
        self.known.clear()
        self.current = None

    def load(self):
        stored = self.chat.store.thread
        mode = self.chat.configuration.mode
        if self.chat.habits.has("recovers-nothing"):
            self.ready()
        elif mode == "single":
            self.chat.exchange.ask("RecoverThread", self.chat.wire.recovery(stored), self.recovered, self.not_recovered)
        elif mode == "live":
            self.chat.exchange.ask("RecoverLivechat", self.chat.wire.recovery(stored), self.live_recovered, self.live_not_recovered)
        elif stored and self.chat.habits.has("opens-a-thread-unlisted"):
            self.open(stored)
        else:
            self.chat.exchange.ask("FetchThreadList", self.chat.wire.nothing(), self.listed)

    def ready(self):
        self.chat.state = State.READY
        self.chat.connection.losses = 0
        self.chat.outbox.resume()

    def take(self, data):
        found = data["thread"]
        thread = self.known.setdefault(found["idOnExternalPlatform"], Thread(found["idOnExternalPlatform"]))
        thread.exists = True
        thread.name = found["threadName"]
        thread.is_closed = not found["canAddMoreMessages"]
        contact = data.get("contact")
        thread.contact = contact and Contact(contact["id"], contact["status"])
        self.current = thread
        self.chat.store.thread = thread.id
        for message in data["messages"]:
            self.chat.outbox.arrived(message["idOnExternalPlatform"])

    def recovered(self, data):
        self.take(data)
        self.ready()

    def not_recovered(self, code):
        """No failure: a new thread begins with the next message (Event diagrams, Thread Existence Check)."""
        habits = self.chat.habits
        if habits.has("asks-again-for-a-lost-thread"):
            self.chat.events.after(1, "open-thread", thread_id=self.chat.store.thread)
        elif habits.has("leaves-when-there-is-no-thread"):
            self.chat.connection.tear_down("thread-not-found")
        elif self.chat.configuration.mode == "multi":
            self.chat.tell("thread-not-found")
            self.ready()
        else:
            self.begin_anew()

    def begin_anew(self):
        if not self.current or self.current.exists:
            self.adopt(self.chat.outbox.unsent_thread())
            if not self.current and not self.chat.configuration.lacks({}):
                self.adopt(Thread())
        self.ready()

    def adopt(self, thread):
        """Makes a local thread the current one, or none."""
        self.current = thread
        self.chat.store.thread = thread and thread.id
        if thread:
            self.known[thread.id] = thread

    def live_recovered(self, data):
        """A closed live chat is left alone, and the next one is a new one (CXone reference 9.4)."""
        contact = data.get("contact") or {}
        if not data.get("thread"):
            self.adopt(self.chat.outbox.unsent_thread())
        elif contact.get("status") == "closed" or not data["thread"]["canAddMoreMessages"]:
            self.adopt(None)
        else:
            self.take(data)
        self.ready()

    def live_not_recovered(self, code):
        if self.chat.configuration.recovery_never_fails:
            self.chat.connection.tear_down("recover-failed")
        else:
            self.adopt(self.chat.outbox.unsent_thread())
            self.ready()

    def listed(self, data):
        for found in data["threads"] or []:
            thread = self.known.setdefault(found["idOnExternalPlatform"], Thread(found["idOnExternalPlatform"]))
            thread.exists = True
            thread.name = found["threadName"]
            thread.is_closed = not found["canAddMoreMessages"]
        existing = [thread for thread in self.known.values() if thread.exists]
        self.metadata_missing = len(existing)
        if not existing or self.chat.habits.has("loads-no-metadata"):
            self.all_loaded()
            return
        for thread in existing:
            reference = {"thread": {"idOnExternalPlatform": thread.id}}
            self.chat.exchange.ask("LoadThreadMetadata", reference, self.metadata_loaded, self.metadata_loaded)

    def metadata_loaded(self, _):
        self.metadata_missing -= 1
        if self.metadata_missing == 0:
            self.all_loaded()

    def all_loaded(self):
        if self.current and self.current.exists:
            self.open(self.current.id)
        else:
            self.ready()

    def open(self, thread_id):
        self.chat.exchange.ask("RecoverThread", self.chat.wire.recovery(thread_id), self.recovered, self.not_recovered)

    def create_by_user(self, fields):
        """Begins a conversation (Event diagrams, Create Thread); a live chat is opened by a message of its own."""
        if self.chat.configuration.lacks(fields) and not self.sends_incomplete_forms():
            self.chat.tell("form-incomplete")
            return
        self.adopt(self.chat.outbox.unsent_thread() or Thread(fields=fields))
        self.chat.state = State.READY
        if self.chat.configuration.mode == "live":
            self.chat.outbox.write(Message(self.chat.platform.opener, self.current, is_opener=True))

    def sends_incomplete_forms(self):
        return self.chat.habits.has("shows-no-form") or self.chat.habits.has("sends-the-form-empty")

    def say_about(self, event_type):
        """Typing, and that messages were seen: only of a thread that exists (CXone reference 6.2, CaseCreated)."""
        may_say = self.current and (self.current.exists or self.chat.habits.has("types-before-the-first-message"))
        if may_say and self.chat.state == State.READY:
            self.chat.exchange.ask(event_type, {"thread": {"idOnExternalPlatform": self.current.id}})

    def rename(self, name):
        self.current.name = name
        self.chat.exchange.ask("UpdateThread", {"thread": {"idOnExternalPlatform": self.current.id, "threadName": name}})

    def archive(self):
        thread = self.current

        def archived(_):
            thread.is_closed = True
            if not self.chat.habits.has("writes-to-what-is-closed"):
                self.adopt(None)

        name = {} if self.chat.wire.is_web else {"threadName": thread.name}
        self.chat.exchange.ask("ArchiveThread", {"thread": {"idOnExternalPlatform": thread.id} | name}, archived)

    def end_contact(self):
        """Closed at once, before the server has answered (CXone reference 9.1); open again where it refuses."""
        thread = self.current
        self.chat.state = State.CLOSED

        def refused(_):
            if self.chat.habits.has("takes-a-refused-end-for-an-end"):
                self.chat.tell("contact-closed")
            else:
                self.chat.state = State.READY
                self.chat.tell("end-refused")

        self.chat.exchange.ask("EndContact", {"thread": {"idOnExternalPlatform": thread.id}, "contact": {"id": thread.contact.id}}, fail=refused)

    def case_created(self, data):
        """The thread's first message has arrived (CXone reference 6.2)."""
        thread = self.update_contact(data["case"])
        if thread:
            thread.exists = True

    def update_contact(self, case):
        thread = self.known.get(case["threadIdOnExternalPlatform"])
        if thread:
            thread.contact = Contact(case["id"], case["status"])
        return thread

    def case_status_changed(self, data):
        thread = self.update_contact(data["case"])
        if not thread or data["case"]["status"] != "closed":
            return
        self.chat.tell("contact-closed")
        if self.chat.configuration.mode == "live":
            thread.is_closed = True
            if thread is self.current:
                self.chat.state = State.CLOSED
                self.chat.store.thread = None

    def message_created(self, data):
        self.update_contact(data["case"])
        message = data["message"]
        self.chat.outbox.arrived(message["idOnExternalPlatform"])
        if message["direction"] == "outbound":
            self.heard.append(message["messageContent"]["payload"].get("text"))
