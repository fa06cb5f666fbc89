"""Bad habits of the app and its SDK. Each patches the good client in one way."""

import base64
import json

import websockets.exceptions

from app import App
from brand import Brand
from phone import Phone
from sdk import ChatSDK, Failed, Socket


class Habit:
    def __init__(self, name, patch, plays, faults=()):
        self.name, self.adopt, self.faults = name, patch, faults
        self.plays = [play.split() for play in plays]


HABITS = {}


def habit(*plays, faults=()):
    """Name a habit after the function that patches the client."""
    def keep(patch):
        name = patch.__name__.replace("_", "-")
        HABITS[name] = Habit(name, patch, plays, faults)
        return patch
    return keep


# The session and the user


@habit("context-token-expired ios", "push-sent-twice android")
def calls_before_the_session():
    good = App.use_asapp

    def use_asapp(app, bring):
        if not app.sdk.session:
            app.sdk._call("PUT", "/chat/v1/push-token", {"deviceToken": app.phone.token, "platform": app.sdk.platform}, None, 1)
            app.sdk._call("GET", "/chat/v1/status", None, None, 1)
        return good(app, bring)
    App.use_asapp = use_asapp


@habit("chat-before-the-sign-in ios", "chat-before-the-sign-in android")
def forgets_to_identify():
    def sign_in(app, person):
        app.phone.disk["credentials"] = app.brand.sign_in(person)
        app.phone.disk["person"] = person
        app.tell("signed-in")
        return True
    App.sign_in = sign_in
    App.with_context = lambda app: False


@habit("chat-socket-dropped ios")
def never_registers():
    App.register = lambda app: None


@habit("chat-before-the-sign-in restarts")
def clears_the_anonymous_session():
    good = App.start_again

    def start_again(app):
        app.tell("started")
        if app.sdk.session and app.sdk.session["anonymous"]:
            app.sdk.clear_session()
            return app.use_asapp(None)
        return good(app)
    App.start_again = start_again


@habit("context-token-expired ios", "context-refused-for-good android")
def brings_the_expired_token_again():
    App.fetch_token = lambda app: None


@habit("context-token-expired ios", "push-sent-twice android", faults=["asapp.startSession context-bad-signature times=1"])
def insists_on_a_refused_context():
    good = ChatSDK._with_context

    def with_context(sdk, *call):
        answer = good(sdk, *call)
        return answer if answer.status_code == 200 else good(sdk, *call)
    ChatSDK._with_context = with_context


@habit("context-token-expired ios", "push-sent-twice android")
def redeems_with_another_uri():
    good, tried = Brand._tokens, []

    def tokens(brand, form):
        if not tried and "redirect_uri" in form:
            tried.append(form)
            good(brand, form | {"redirect_uri": "https://other.example/"})
        return good(brand, form)

    def sign_in(brand, person):
        try:
            return usual(brand, person)
        except RuntimeError:
            return usual(brand, person)
    usual, Brand.sign_in, Brand._tokens = Brand.sign_in, sign_in, tokens


@habit("push-sent-twice android", faults=["asapp.startSession context-bad-signature times=1"])
def gives_up_in_silence():
    good, failed = ChatSDK.start_session, []

    def start_session(sdk, bring=None):
        if failed:
            raise failed[0]
        try:
            good(sdk, bring)
        except Failed as failure:
            failed.append(failure)
            raise
    ChatSDK.start_session = start_session
    tell_nothing_of_failures()


@habit("context-token-expired ios", "context-token-expired android")
def never_recovers():
    def _with_context(sdk, method, path, body, token, with_context, tries=None):
        if with_context:
            body = {**body, "context": sdk.user.request_context(False)}
        return sdk._call(method, path, body, token, tries)
    ChatSDK._with_context = _with_context
    tell_nothing_of_failures()


@habit("context-refused-for-good ios", "context-refused-for-good early-token")
def repeats_for_ever():
    def _with_context(sdk, method, path, body, token, with_context, tries=None):
        if with_context:
            body = {**body, "context": sdk.user.request_context(False)}
        answer = sdk._call(method, path, body, token, tries)
        for _ in range(15):
            if not with_context or answer.status_code != 401:
                break
            sdk.world.wait(0.5)
            answer = sdk._call(method, path, {**body, "context": sdk.user.request_context(True)}, token, tries)
        return answer
    ChatSDK._with_context = _with_context


def tell_nothing_of_failures():
    good = App.tell
    App.tell = lambda app, mark, **values: None if mark == "gave-up" else good(app, mark, **values)


def lose_messages_silently():
    good = ChatSDK.send

    def send(sdk, text):
        try:
            return good(sdk, text)
        except Failed:
            return None
    ChatSDK.send = send


@habit("session-ends-in-chat ios", "session-ends-in-chat web")
def lets_the_session_end():
    ChatSDK._as_user = lambda sdk, method, path, body=None, with_context=False, tries=None: sdk._with_context(
        method, path, body, sdk.session["token"], with_context, tries)
    lose_messages_silently()
    tell_nothing_of_failures()


@habit("session-ends-in-chat ios", "session-ends-in-chat android")
def keeps_the_dead_session():
    def _as_user(sdk, method, path, body=None, with_context=False, tries=None):
        for _ in range(4):
            answer = sdk._with_context(method, path, body, sdk.session["token"], with_context, tries)
            if answer.status_code != 401:
                break
            sdk.world.wait(1)
        return answer
    ChatSDK._as_user = _as_user
    lose_messages_silently()


@habit("context-token-expired ios", "push-sent-twice ios")
def storms_sessions():
    good = ChatSDK._as_user

    def _as_user(sdk, *call, **more):
        sdk.start_session()
        return good(sdk, *call, **more)
    ChatSDK._as_user = _as_user


@habit("context-token-expired ios", "chat-socket-dropped android")
def uses_a_mail_address():
    good = App.sign_in
    App.sign_in = lambda app, person: good(app, f"{person}.lovelace@example.com")


# The device


@habit("device-token-renewed ios", "device-token-renewed backend")
def ignores_a_new_token():
    App.device_token_changed = lambda app: None


@habit("deregistration-forgotten ios", "deregistration-forgotten backend")
def forgets_to_deregister():
    App.deregister = lambda app: True


@habit("deregistration-forgotten ios", "deregistration-fails android")
def deregisters_too_late():
    good_sign_in = App.sign_in

    def sign_out(app):
        app.leave_chat()
        app.leaving = app.sdk.session["token"], app.request_context(False)
        app.tell("signed-out")
        app.forget_person()
        return True

    def sign_in(app, person):
        done = good_sign_in(app, person)
        if hasattr(app, "leaving"):
            token, context = app.leaving
            del app.leaving
            app.sdk._call("DELETE", "/chat/v1/push-token", {"deviceToken": app.phone.token, "context": context}, token, 1)
        return done
    App.sign_out, App.sign_in = sign_out, sign_in


@habit("deregistration-forgotten ios", "deregistration-fails ios")
def deregisters_with_the_next_users_session():
    good_register = App.register

    def deregister(app):
        app.must_deregister = True
        return True

    def register(app):
        if getattr(app, "must_deregister", False):
            app.must_deregister = False
            try:
                app.sdk.disable_push(app.phone.token, app.with_context())
            except Failed:
                pass
        good_register(app)
    App.deregister, App.register = deregister, register


@habit("deregistration-forgotten ios", "deregistration-fails android")
def changes_user_over_a_registration():
    good = App.use_asapp

    def forget_person(app):
        app.bring = app.sdk.session["token"]
        app.phone.disk.pop("person")
        app.phone.disk.pop("credentials")

    def use_asapp(app, bring):
        if hasattr(app, "bring"):
            app.register = lambda: None
            return good(app, app.bring)
        return good(app, bring)
    App.deregister, App.forget_person, App.use_asapp = (lambda app: True), forget_person, use_asapp


@habit("deregistration-fails ios", "deregistration-fails android")
def ignores_a_failed_deregistration():
    def deregister(app):
        try:
            app.sdk.disable_push(app.phone.token, app.with_context())
        except Failed:
            pass
        return True
    App.deregister = deregister


@habit("push-sent-twice ios", "status-fails android")
def puts_a_name_into_the_token():
    Phone.first_token = lambda phone: base64.b64encode(json.dumps(
        {"device": phone.name, "email": "ada.lovelace@example.com"}).encode()).decode()


# The number, the chat and its socket


@habit("push-of-another-app ios", "push-sent-twice backend")
def counts_pushes_itself():
    good = App.receive

    def receive(app, payload):
        app.counted = getattr(app, "counted", 0) + 1
        good_show = app.show_badge
        app.show_badge = lambda number: good_show(app.counted)
        try:
            good(app, payload)
        finally:
            del app.show_badge
    App.receive = receive


@habit("status-fails ios", "status-fails android")
def zeroes_the_badge():
    App.status_failed = lambda app: app.show_badge(0)


@habit("context-token-expired ios", "message-while-in-chat android")
def shows_the_queue_as_not_live():
    good_frame, good_live = App.on_frame, App.show_live

    def on_frame(app, frame):
        if frame.get("name") == "AGENT_ASSIGNED":
            app.agent_seen = True
        good_frame(app, frame)
    App.on_frame = on_frame
    App.show_live = lambda app, live: good_live(app, live and getattr(app, "agent_seen", False))


@habit("push-of-another-app ios", "push-of-another-app backend")
def shows_a_foreign_push():
    good = App.leave_alone

    def leave_alone(app, payload):
        app.tell("push-shown", unread=1)
        good(app, payload)
    App.leave_alone = leave_alone


@habit("push-sent-twice ios", "message-while-in-chat android")
def opens_nothing_from_a_push():
    App.open_push = lambda app: app.tell("push-opened")


@habit("message-while-in-chat ios", "push-sent-twice android")
def keeps_the_socket_open():
    good = App.connect_chat
    App.disconnect_chat = lambda app: None
    App.connect_chat = lambda app: None if app.sdk.socket else good(app)


@habit("chat-socket-dropped ios", "endpoint-down ios")
def opens_an_old_url():
    good = Socket.connect

    def connect(socket, url):
        old = socket.sdk.disk.setdefault("socket-url", url)
        try:
            return good(socket, old)
        except websockets.exceptions.InvalidStatus:
            return good(socket, url)
    Socket.connect = connect


@habit("chat-socket-dropped ios", "chat-socket-dropped web")
def never_reopens():
    Socket.reopen = lambda socket: False


@habit("chat-socket-dropped ios", "chat-socket-dropped web")
def reopens_in_a_storm():
    good = Socket.reopen

    def reopen(socket):
        for _ in range(20):
            socket.connect(socket.sdk.socket_url()).close()
        return good(socket)
    Socket.reopen = reopen


@habit("context-token-expired ios", "chat-before-the-sign-in android", faults=["asapp.sendMessage internal-error times=1"])
def drops_a_lost_message():
    good_call = ChatSDK._call
    ChatSDK._call = lambda sdk, method, path, body, token, tries=None: good_call(
        sdk, method, path, body, token, 1 if path == "/chat/v1/messages" else tries)
    lose_messages_silently()


@habit("context-token-expired ios", "push-sent-twice android", faults=["asapp.readStatus rate-limited times=1"])
def ignores_retry_after():
    ChatSDK._pause = lambda sdk, answer, number: None


import habits_backend  # noqa: E402, F401  (it adds its own)
