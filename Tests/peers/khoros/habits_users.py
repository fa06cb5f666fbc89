"""Bad habits with users, and with those who come and go."""

from app import App
from habit_tools import around, habit, try_to
from sdk import Messenger


@habit("another-user-logs-in ios", "another-user-logs-in android")
def logs_in_over_another_user():
    def log_out(app):
        app.close()
        app.messenger.forget_user()
    App.log_out = log_out


@habit("another-user-logs-in ios", "second-device-joins web")
def uses_the_jwt_after_logout():
    @around(Messenger, "log_out")
    def log_out(good, messenger):
        jwt, path = messenger.wire.jwt, messenger.user_path()
        good(messenger)
        messenger.wire.jwt = jwt
        try_to(messenger.wire.call, "GET", f"{path}/conversations")
        messenger.wire.jwt = None


@habit("user-made-by-the-first-message ios", "user-made-by-the-first-message web")
def logs_in_again_after_an_empty_login():
    @around(Messenger, "log_in")
    def again(good, messenger, user_id, jwt):
        good(messenger, user_id, jwt)
        for _ in range(3):
            if not messenger.app_user_id:
                messenger.world.wait(1)
                good(messenger, user_id, jwt)


@habit("user-made-by-the-first-message ios", "user-made-by-the-first-message android")
def forgets_to_make_the_user():
    def create_user(messenger, message, name=None):
        body = {"type": "personal", "messages": [message], "client": messenger.client()}
        messenger.wire.call("POST", f"{messenger.base}/appusers/{messenger.user_id}/conversations", body)
    Messenger.create_user = create_user


@habit("anonymous-user-logs-in ios", "anonymous-user-logs-in android")
def leaves_the_anonymous_user_behind():
    @around(Messenger, "log_in")
    def alone(good, messenger, user_id, jwt):
        messenger.wire.session = None
        good(messenger, user_id, jwt)


@habit("anonymous-user-logs-in ios", "anonymous-user-logs-in web")
def uses_the_dead_session():
    @around(Messenger, "log_in")
    def log_in(good, messenger, user_id, jwt):
        session = messenger.wire.session
        good(messenger, user_id, jwt)
        messenger.wire.jwt, messenger.wire.session = None, session


@habit("second-device-joins ios", "jwt-with-a-wrong-key android")
def logs_in_as_somebody_else():
    @around(Messenger, "log_in")
    def log_in(good, messenger, user_id, jwt):
        good(messenger, "somebody-else", jwt)
