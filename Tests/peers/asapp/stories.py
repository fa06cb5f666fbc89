"""What people do in each scenario. The agent is played with the admin API."""

from app import App
from backend import Backend
from brand import Brand
from phone import Phone
from world import World

PARCEL = "Your parcel waits"


class Stage:
    """The phones, the brand and perhaps the customer's own endpoint."""

    def __init__(self, variant, habit=None):
        self.variant = variant
        self.world = World()
        self.world.patient = habit is None
        self.world.marks_wanted = variant.marks
        if variant.bearer:
            self.world.change_tenant("asapp", {"context": {"validation": "api"}})
        if variant.token == "lazy":
            # Short-lived tokens, so that one is refused.
            self.world.change_tenant("identity", {"tokenLifetime": "40s"})
        self.backend = Backend(self.world, variant.template) if variant.backend else None
        self.brand = Brand(self.world)
        for fault in habit.faults if habit else ():
            self.world.arm(fault)
        self.app = self.new_app(Phone(self.world, "phone", variant.platform, self.backend))
        self.tablet = None

    def new_app(self, phone):
        return App(self.world, phone, self.variant, self.brand)

    def use_tablet(self, person):
        """The same person signs in on a second device, if the variant has one."""
        if self.variant.devices > 1:
            self.tablet = self.new_app(Phone(self.world, "tablet", self.variant.platform, self.backend))
            must(self.tablet.sign_in(person))

    def apps(self):
        return [app for app in (self.app, self.tablet) if app]

    def maybe_restart(self):
        """In the middle of a story the process may end, while it is in the background."""
        if self.variant.restarts:
            self.app.background()
            self.app = self.new_app(self.app.phone)
            must(self.app.start_again())

    def hear(self, text, app=None, seconds=40):
        app = app or self.app
        self.world.wait_until(lambda: app.has_heard(text), seconds, f"'{text}' in the chat")

    def agent_says(self, text, consumer):
        self.world.agent("say", consumer, text=text)

    def await_push(self, app=None, seconds=120, count=1):
        app = app or self.app
        return self.world.wait_until(lambda: len(app.pushes) >= count and app.pushes[-1], seconds, "a push")

    def await_pushes(self, seconds=120):
        """One on every device."""
        for app in self.apps():
            self.await_push(app, seconds)

    def await_timeline(self, act, seconds, count=1):
        """Wait until the scenario's timeline has done something."""
        self.world.admin("GET", f"/journal/wait?operation={act}&kind=due&count={count}"
                         f"&timeout={int(seconds * self.world.scale * 1000) + 2000}ms")

    def chat(self, text="Where is my parcel?", answer="It is on its way"):
        """Ask, see that the question waits in the queue, and get an answer."""
        self.app.say(text)
        self.hear(text)
        self.app.read_status()
        self.agent_says(answer, self.app.consumer)
        self.hear(answer)

    def open_and_talk(self):
        """Open the push, read, answer, leave; the agent answers the one who has left; open that push too."""
        seen = len(self.app.pushes)
        self.app.open_push()
        self.app.say("Thank you")
        self.hear("Thank you")
        self.app.background()
        self.agent_says("You are welcome", self.app.consumer)
        self.await_push(count=seen + 1, seconds=30)
        self.app.read_status()
        self.app.open_push()
        self.hear("You are welcome")
        self.app.leave_chat()
        self.app.read_status()

    def open_talk_and_sign_out(self):
        self.open_and_talk()
        self.sign_everybody_out()

    def sign_everybody_out(self):
        for app in self.apps():
            must(app.sign_out())


class GaveUp(Exception):
    """The app gave up. That ends the story: well if the app has a bad habit, else not."""


def must(done):
    if not done:
        raise GaveUp("the app gave up where it should not")


def chat_before_the_sign_in(s):
    must(s.app.start_without_a_name())
    s.app.enter_chat()
    s.chat()
    s.maybe_restart()
    if not s.app.in_chat:
        s.app.enter_chat()
    must(s.app.sign_in("ada"))
    s.hear("It is on its way")
    s.chat("I am Ada", "Hello Ada")
    s.app.leave_chat()
    if s.variant.platform != "web":
        s.agent_says("Here it is", s.app.consumer)
        s.await_push()
        s.app.open_push()
        s.hear("Here it is")
        s.app.leave_chat()
    s.app.read_status()
    s.sign_everybody_out()


def chat_socket_dropped(s):
    must(s.app.sign_in("ada"))
    s.use_tablet("ada")
    s.maybe_restart()
    s.app.enter_chat()
    s.chat()
    s.world.wait_until(lambda: s.app.reopenings, 60, "the socket to be lost and opened again")
    s.agent_says("Are you there?", s.app.consumer)
    s.hear("Are you there?")
    s.app.say("Yes")
    s.hear("Yes")
    s.app.leave_chat()
    s.app.read_status()
    s.sign_everybody_out()


def context_refused_for_good(s):
    if s.app.sign_in("ada"):
        raise RuntimeError("ASAPP took a token that it should refuse")
    if s.variant.restarts:
        s.app = s.new_app(s.app.phone)
        s.app.start_again()


def context_token_expired(s):
    must(s.app.sign_in("ada"))
    s.use_tablet("ada")
    s.maybe_restart()
    s.app.enter_chat()
    s.chat()
    s.app.leave_chat()
    s.app.read_status()
    s.sign_everybody_out()


def deregistration_fails(s):
    must(s.app.sign_in("ada"))
    s.use_tablet("ada")
    s.maybe_restart()
    s.app.enter_chat()
    s.chat()
    s.app.leave_chat()
    must(s.app.sign_out())
    must(s.app.sign_in("bob"))
    s.agent_says("Are you there?", "ada")
    if s.tablet:
        s.await_push(s.tablet)
    s.world.push("bob", "Hello Bob")
    s.await_push()
    s.app.open_push()
    s.app.leave_chat()


def deregistration_forgotten(s):
    must(s.app.sign_in("ada"))
    s.use_tablet("ada")
    s.maybe_restart()
    s.app.enter_chat()
    s.chat()
    s.app.leave_chat()
    must(s.app.sign_out())
    must(s.app.sign_in("bob"))
    s.app.background()
    s.await_timeline("asapp.push", 180)
    if s.tablet:
        s.await_push(s.tablet)
        s.tablet.open_push()
        s.hear(PARCEL, s.tablet)
        s.tablet.leave_chat()
    s.world.push("bob", "Hello Bob")
    s.await_push()
    s.app.open_push()
    s.hear("Hello Bob")
    s.app.leave_chat()
    s.app.read_status()


def device_token_renewed(s):
    must(s.app.sign_in("ada"))
    s.app.background()
    s.app.phone.watch_for_a_new_token(90)
    s.use_tablet("ada")
    s.maybe_restart()
    s.await_pushes()
    s.open_talk_and_sign_out()


def pushed_at_a_minute(s):
    must(s.app.sign_in("ada"))
    s.use_tablet("ada")
    s.maybe_restart()
    s.app.background()
    s.await_pushes()
    s.app.read_status()
    s.open_talk_and_sign_out()


def message_while_in_chat(s):
    must(s.app.sign_in("ada"))
    s.use_tablet("ada")
    s.app.enter_chat()
    s.hear(PARCEL, seconds=90)
    s.chat()
    s.app.leave_chat()
    s.maybe_restart()
    s.app.background()
    s.await_pushes(180)
    s.open_talk_and_sign_out()


def push_of_another_app(s):
    must(s.app.sign_in("ada"))
    s.app.background()
    s.world.wait_until(lambda: s.app.foreign_pushes, 90, "the shop's offer")
    s.use_tablet("ada")
    s.maybe_restart()
    s.await_pushes()
    s.open_talk_and_sign_out()


def session_ends_in_chat(s):
    must(s.app.sign_in("ada"))
    s.use_tablet("ada")
    s.maybe_restart()
    s.app.enter_chat()
    s.chat()
    s.world.wait_until(lambda: s.world.now() > 120, 130, "two minutes")
    if s.variant.platform == "ios":
        s.app.say("Anything new?")
        s.hear("Anything new?")
    s.app.read_status()
    s.agent_says("It is there", s.app.consumer)
    s.hear("It is there")
    s.app.leave_chat()
    s.app.read_status()
    s.sign_everybody_out()


def status_fails(s):
    must(s.app.sign_in("ada"))
    s.app.background()
    if s.variant.platform == "web":
        s.await_timeline("asapp.push", 60)
    else:
        s.await_push()
    s.maybe_restart()
    s.app.read_status()
    s.app.read_status()
    s.use_tablet("ada")
    s.app.enter_chat()
    s.hear(PARCEL)
    s.chat()
    s.app.leave_chat()
    s.app.read_status()
    s.sign_everybody_out()


STORIES = {
    "chat-before-the-sign-in": chat_before_the_sign_in,
    "chat-socket-dropped": chat_socket_dropped,
    "context-refused-for-good": context_refused_for_good,
    "context-token-expired": context_token_expired,
    "deregistration-fails": deregistration_fails,
    "deregistration-forgotten": deregistration_forgotten,
    "device-token-renewed": device_token_renewed,
    "endpoint-called-by-a-stranger": pushed_at_a_minute,
    "endpoint-down": pushed_at_a_minute,
    "endpoint-slow": pushed_at_a_minute,
    "message-while-in-chat": message_while_in_chat,
    "push-of-another-app": push_of_another_app,
    "push-sent-twice": pushed_at_a_minute,
    "session-ends-in-chat": session_ends_in_chat,
    "status-fails": status_fails,
}

WITHOUT_PUSHES = {"chat-before-the-sign-in", "chat-socket-dropped", "context-refused-for-good", "context-token-expired",
                  "session-ends-in-chat", "status-fails"}
WITHOUT_A_SECOND_DEVICE = {"chat-before-the-sign-in", "context-refused-for-good"}


def makes_sense(scenario, variant):
    if variant.platform == "web":
        return scenario in WITHOUT_PUSHES
    if variant.devices > 1:
        return scenario not in WITHOUT_A_SECOND_DEVICE
    return True


def play(scenario, variant, habit=None):
    """Tell a story to its end. With a bad habit the user does not wait for ever for what does not come."""
    stage = Stage(variant, habit)
    try:
        STORIES[scenario](stage)
        if stage.backend and not habit:
            stage.backend.stop()
    except GaveUp:
        if not habit:
            raise
