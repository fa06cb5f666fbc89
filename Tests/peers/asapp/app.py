"""The customer's app on one phone: it owns the user, the device token, the badge and the chat screen."""

import threading

from sdk import ChatSDK, Failed, User


class App:
    """One process. What must outlive it is on the phone's disk."""

    EARLY = 10  # seconds before its end at which the app no longer trusts a token
    AGAIN = (1, 2, 4)  # waits between the tries of a deregistration

    def __init__(self, world, phone, variant, brand):
        self.world, self.phone, self.variant, self.brand = world, phone, variant, brand
        self.sdk = ChatSDK(world, variant.platform, *variant.server(world), phone.disk)
        self.lock = threading.RLock()
        self.in_chat = False
        self.badge = None
        self.pushes, self.foreign_pushes, self.heard, self.reopenings = [], [], [], 0
        self.last_lane = None
        phone.app = self

    # Who uses the app

    @property
    def person(self):
        return self.phone.disk.get("person")

    @property
    def lane(self):
        if self.person:
            self.last_lane = self.person
        elif self.sdk.session:
            self.last_lane = self.sdk.session["customer"]
        return self.last_lane

    @property
    def consumer(self):
        """The name by which ASAPP knows the user now."""
        return self.sdk.session["user"] or self.sdk.session["customer"]

    def tell(self, mark, **values):
        if self.variant.devices > 1:
            values["device"] = self.phone.name
        self.world.mark(mark, self.lane or "nobody", **values)

    def identifier(self, person):
        return person

    def start_again(self):
        """The process starts again, with what is on the disk."""
        self.tell("started")
        return self.use_asapp(None)

    def start_without_a_name(self):
        return self.use_asapp(None)

    def sign_in(self, person):
        """Sign a person in at the brand, then tell ASAPP."""
        anonymous = self.sdk.session and self.sdk.session["anonymous"]
        bring = self.sdk.session["token"] if anonymous else None
        self.phone.disk["credentials"] = self.brand.sign_in(person)
        self.phone.disk["person"] = person
        self.tell("signed-in")
        chatting = self.in_chat
        if chatting:
            self.sdk.close_socket()
        if not self.use_asapp(bring):
            return False
        if chatting:
            self.connect_chat()
        return True

    def use_asapp(self, bring):
        """Set the user, then register the device, then read the status."""
        user = User(self.person and self.identifier(self.person), self.request_context)
        try:
            self.sdk.set_user(user, bring)
        except Failed as failure:
            self.distrust_token()
            self.tell("gave-up", reason=str(failure))
            return False
        self.register()
        self.read_status()
        return True

    def sign_out(self):
        """Deregister as the person who leaves; only then forget them. If that fails for good, they stay signed in."""
        self.leave_chat()
        if not self.deregister():
            self.tell("gave-up")
            return False
        self.tell("signed-out")
        self.forget_person()
        return True

    def forget_person(self):
        self.lane  # keep the name for marks
        self.sdk.clear_session()
        self.phone.disk.pop("person", None)
        self.phone.disk.pop("credentials", None)
        self.badge = None

    # The context

    def request_context(self, needs_refresh):
        """The SDK asks for the context, on its own thread. Fetch a token if the one that we have is no good."""
        if not self.person:
            return {}
        if needs_refresh or self.variant.token == "always" or self.token_is_old():
            self.fetch_token()
        credentials = self.phone.disk["credentials"]
        return {"Auth": {"Token": credentials.access_token if self.variant.bearer else credentials.id_token}}

    def token_is_old(self):
        credentials = self.phone.disk["credentials"]
        if credentials.until is None:
            return True
        return self.variant.token == "checked" and self.world.now() > credentials.until - self.EARLY

    def fetch_token(self):
        old = self.phone.disk["credentials"]
        fresh = self.brand.refresh(old) if old.refresh_token else self.brand.sign_in(self.person)
        self.phone.disk["credentials"] = fresh

    def distrust_token(self):
        if self.person:
            self.phone.disk["credentials"].until = None

    # The device

    def register(self):
        if self.variant.platform != "web":
            self.sdk.enable_push(self.phone.token, self.with_context())

    def device_token_changed(self):
        self.register()

    def deregister(self):
        """The failure callback of the SDK makes the app try again."""
        if self.variant.platform == "web":
            return True
        token = self.phone.token if self.variant.names_device else None
        for pause in (*self.AGAIN, None):
            try:
                self.sdk.disable_push(token, self.with_context())
                return True
            except Failed:
                if pause is not None:
                    self.world.wait(pause)
        return False

    def with_context(self):
        return self.variant.context_at_registration and self.person is not None

    # The number of unread messages, and whether the chat is live

    def show_badge(self, number):
        self.badge = number
        self.tell("badge", value=number)

    def show_live(self, live):
        self.tell("live", value=live)

    def read_status(self):
        """Without an answer the app keeps what it shows."""
        with self.lock:  # so that a push that comes meanwhile is shown after it
            try:
                status = self.sdk.status()
            except Failed:
                self.status_failed()
                return
            self.show_badge(status["unreadMessages"])
            self.show_live(status["isLiveChat"])

    def status_failed(self):
        """Show what was shown before."""

    # Pushes

    def background(self):
        self.leave_chat()
        self.tell("backgrounded")

    def receive(self, payload):
        """A push comes, from ASAPP or from somebody else. While the chat is on the screen its number is of no use."""
        status = status_in(payload)
        if status is None:
            self.leave_alone(payload)
            return
        with self.lock:
            if not self.in_chat:
                self.tell("push-shown", unread=status["unread"])
                self.show_badge(status["unread"])
                if status["live"] is not None:
                    self.show_live(status["live"])
            self.pushes.append(status)

    def leave_alone(self, payload):
        self.foreign_pushes.append(payload)

    def open_push(self):
        """The user taps ASAPP's notification, and the chat opens."""
        self.tell("push-opened")
        self.enter_chat()

    # The chat

    def enter_chat(self):
        with self.lock:
            self.connect_chat()
            self.in_chat = True
            self.show_badge(0)
        self.catch_up(self.sdk.messages())

    def connect_chat(self):
        self.sdk.open_socket(self.on_frame, self.on_reopened)

    def on_reopened(self):
        """The socket is back. Read what was said meanwhile."""
        self.reopenings += 1
        last = self.heard[-1]["id"] if self.heard else None
        self.catch_up(self.sdk.messages(last))

    def catch_up(self, messages):
        with self.lock:
            known = {message["id"] for message in self.heard}
            self.heard += [message for message in messages if message["id"] not in known]

    def on_frame(self, frame):
        if frame["type"] == "message":
            self.catch_up([frame])
        elif frame["type"] == "event":
            with self.lock:
                self.show_live(frame["name"] != "CHAT_CLOSED")

    def say(self, text):
        try:
            return self.sdk.send(text)
        except Failed:
            self.tell("gave-up")
            raise

    def has_heard(self, text):
        with self.lock:
            return any(message["text"] == text for message in self.heard)

    def leave_chat(self):
        """The user leaves the chat screen, and the app closes the socket."""
        if not self.in_chat:
            return
        with self.lock:
            self.in_chat = False
        self.tell("chat-closed")
        self.disconnect_chat()

    def disconnect_chat(self):
        self.sdk.close_socket()


def status_in(payload):
    """The status that ASAPP's pushes carry, at the top on iOS and among the data on Android. None if it is not ASAPP's."""
    for place in (payload, payload.get("data")):
        if isinstance(place, dict) and "UnreadMessages" in place:
            live = place.get("isLiveChat")
            return {"unread": int(place["UnreadMessages"]), "live": live if live is None else str(live).lower() == "true"}
    return None
