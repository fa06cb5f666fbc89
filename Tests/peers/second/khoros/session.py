"""Start, login and logout, and the user that they lead to."""

import habits
from stage import Refused, Stage
from wire import Answer


class Session:
    """Whose messenger this is: nobody's yet, an anonymous user's, or that of a user whom the brand knows."""

    def __init__(self, owner):
        self.owner = owner
        self.store = owner.store
        self.wire = owner.wire
        self.calls = owner.calls
        self.renewed_for = None

    def app_path(self):
        return f"/v2/apps/{self.wire.app_id}"

    def user_path(self):
        return f"{self.app_path()}/appusers/{self.store.app_user_id}"

    # Start.

    def start(self, promise):
        self.owner.enter(Stage.STARTING)
        path = f"/sdk/v2/integrations/{self.wire.integration_id}/config"
        self.calls.make("GET", path, None, lambda answer: self.on_config(promise, answer), follows_policy=True)

    def on_config(self, promise, answer):
        if not answer.good or answer.body["config"]["app"]["status"] != "active":
            self.owner.enter(Stage.CLOSED)
            promise.set_exception(Refused("start", answer))
            return
        config = answer.body["config"]
        self.wire.configure(config)
        self.calls.policy = config["restRetryPolicy"]
        if self.store.user_id and self.store.jwt:
            # Khoros reference 1.2: with a stored user and JWT the start logs in by itself.
            self.login(promise, self.store.user_id, self.store.jwt)
            return
        if self.store.session_token:
            self.read_user()
        self.owner.enter(Stage.READY)
        promise.set_result(None)

    def read_user(self):
        self.calls.make("GET", self.user_path(), None, self.on_user)

    def on_user(self, answer):
        if answer.good:
            self.take_user(answer.body)
            self.owner.registration.report()
        elif answer.status == 401 and not self.store.jwt:
            # Khoros reference 1.6: an anonymous user whose session is refused starts afresh.
            self.store.forget_user()
            self.owner.talk.forget()

    def enter_foreground(self, promise):
        self.owner.in_foreground = True
        if self.store.app_user_id:
            self.read_user()
        promise.set_result(None)

    def enter_background(self, promise):
        self.owner.in_foreground = False
        self.owner.realtime.disconnect()
        promise.set_result(None)

    # Login and logout.

    def login(self, promise, user_id, jwt):
        body = {"userId": user_id, "client": self.wire.client(self.owner.registration.token)}
        if self.store.session_token and not habits.has("leaves-the-anonymous-user-behind"):
            # What the user said before the login comes along (Khoros reference 1.11).
            body |= {"appUserId": self.store.app_user_id, "sessionToken": self.store.session_token}
        self.owner.realtime.disconnect()
        self.store.user_id, self.store.jwt = user_id, jwt
        self.owner.enter(Stage.LOGGING_IN)
        follows_policy = self.owner.variant.follows_policy
        self.calls.make("POST", f"{self.app_path()}/login", body, lambda answer: self.on_login(promise, answer), follows_policy)
        if habits.has("logs-in-again-while-waiting"):
            path = f"{self.app_path()}/login"
            self.owner.machine.later(4, lambda: self.calls.make("POST", path, body, lambda answer: None))

    def on_login(self, promise, answer):
        if not answer.body and habits.has("takes-an-empty-login-for-a-failure"):
            answer = Answer(0)
        if answer.good:
            if not habits.has("keeps-the-session-after-the-login"):
                self.store.session_token = None
            self.owner.registration.on_carried()
            if answer.body:
                self.take_user(answer.body)
            else:
                # An empty answer: the user is created with the first message (KBM-17).
                self.store.app_user_id = None
                self.owner.talk.forget()
                if habits.has("creates-the-user-at-login"):
                    self.owner.talk.create_user(promise, [])
                    return
        else:
            self.store.user_id = self.store.jwt = None
        self.owner.enter(Stage.READY)
        self.owner.settle(promise, "login", answer)

    def logout(self, promise):
        client = {"id": self.store.client_id} if self.owner.variant.platform == "ios" else self.wire.client(self.owner.registration.token)
        self.owner.realtime.disconnect()
        if not self.store.app_user_id or habits.has("forgets-to-log-out"):
            self.forget_user()
            promise.set_result(None)
            return
        self.owner.enter(Stage.LOGGING_OUT)
        self.calls.make("POST", f"{self.user_path()}/logout", {"client": client}, lambda answer: self.on_logout(promise, answer), True)

    def on_logout(self, promise, answer):
        if answer.good and habits.has("tidies-up-after-the-logout"):
            path = f"{self.user_path()}/clients/{self.store.client_id}"
            self.calls.make("PUT", path, {"pushNotificationToken": ""}, lambda _: self.on_left(promise, answer))
        else:
            self.on_left(promise, answer)

    def on_left(self, promise, answer):
        if answer.good:
            self.forget_user()
        self.owner.enter(Stage.READY)
        self.owner.settle(promise, "logout", answer)

    def forget_user(self):
        """Nothing of this user is sent or repeated any more (KBM-10)."""
        self.calls.forget()
        self.store.forget_user()
        self.owner.talk.forget()

    # The user.

    def take_user(self, bundle):
        self.store.app_user_id = bundle["appUser"]["_id"]
        if not self.store.jwt:
            self.store.session_token = bundle.get("sessionToken", self.store.session_token)
        self.owner.realtime.settings = bundle["settings"]["realtime"]
        if bundle["conversations"] and not habits.has("begins-a-new-conversation"):
            self.owner.talk.take_conversation(bundle["conversations"][0])
        self.open_realtime()

    def open_realtime(self):
        eager = self.owner.variant.connects_eagerly
        if self.owner.in_foreground and self.store.app_user_id and (self.owner.conversation or eager):
            self.owner.realtime.connect()

    def on_renewed_call(self, call):
        """A call has succeeded with a new JWT."""
        if not call.path.endswith(("/login", "/logout")):
            self.recreate(reads_user=call.method != "GET" or call.path != self.user_path())

    def recreate(self, reads_user=True):
        """After a re-authentication the connection is recreated, once for each JWT, and the app reloads its screen (Reauthentication)."""
        if self.renewed_for == self.store.jwt or habits.has("keeps-the-socket-after-reauthentication"):
            return
        self.renewed_for = self.store.jwt
        if reads_user:
            self.read_user()
        self.owner.realtime.disconnect()
        self.open_realtime()
        self.owner.app.on_reauthenticated()
