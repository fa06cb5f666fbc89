"""Bad habits with JWTs and secrets."""

import os

import wire
from app import App
from forged_jwts import forge
from habit_tools import around, habit
from identity import Session
from monitor import Monitor
from sdk import Messenger
from wire import Wire


@habit("jwt-expires-mid-conversation ios", "jwt-with-a-wrong-key web")
def repeats_the_dead_jwt():
    App.on_invalid_token = lambda app: app.messenger.wire.jwt


@habit("jwt-expires-mid-conversation ios", "jwt-with-a-wrong-key android")
def never_asks_for_another_jwt():
    Wire.asks_for_jwt = lambda self, refusal: False
    Monitor.renew = lambda self: False

    @around(App, "mark")
    def mark(good, app, name, **values):
        if name != "gave-up":
            good(app, name, **values)


@habit("reauthentication-refused-five-times ios", "reauthentication-refused-five-times android")
def asks_for_ever():
    # For ever is as long as the story lasts.
    wire.MOST_REPEATS = 30

    @around(App, "on_invalid_token")
    def slowly(good, app):
        app.world.wait(2)
        return good(app)


@habit("realtime-dropped ios", "realtime-dropped android")
def asks_for_a_jwt_at_each_step():
    @around(App, "care_for_new_jwt")
    def care(good, app):
        app.session.get_jwt()
        good(app)


@habit("jwt-expires-mid-conversation ios")
def stays_silent_after_reauthentication():
    def care(app):
        if app.messenger.renewals != app.renewals_seen:
            app.renewals_seen = app.messenger.renewals
            app.close()
            app.open = lambda: None
            app.shown = True
            app.read()
    App.care_for_new_jwt = care


@habit("jwt-expires-mid-conversation ios")
def does_not_read_after_reauthentication():
    @around(App, "care_for_new_jwt")
    def care(good, app):
        if app.messenger.renewals != app.renewals_seen:
            app.read = app.messenger.read_user = lambda: None
        good(app)


@habit("second-device-joins ios")
def asks_for_anothers_jwt():
    @around(Session, "ask_for_jwt")
    def ask(good, session):
        own, session.user_id = session.user_id, "somebody-else"
        good(session)
        session.user_id = own
        return good(session)


@habit("second-device-joins ios", "login-slow android")
def sends_the_secret():
    @around(Messenger, "client")
    def client(good, messenger):
        told = good(messenger)
        told["info"] = {**told["info"], "appKeySecret": os.environ["SPARRING_KHOROS_KEY_SECRET"]}
        return told


@habit("second-device-joins ios", "second-device-joins web")
def signs_jwts_with_another_algorithm():
    Session.get_jwt = lambda session: forge(session, algorithm="RS256" if session.world.variant.platform == "web" else "HS384")


@habit("second-device-joins ios", "login-slow android")
def dates_jwts_in_milliseconds():
    Session.get_jwt = lambda session: forge(session, milliseconds=True)


@habit("second-device-joins ios", "login-slow android")
def dates_jwts_ahead():
    Session.get_jwt = lambda session: forge(session, ahead=7 * 86_400)


@habit("second-device-joins ios", "login-slow android")
def leaves_claims_out():
    Session.get_jwt = lambda session: forge(session, without=("platform", "givenName"))


@habit("second-device-joins ios", "login-slow android")
def names_another_platform():
    Session.get_jwt = lambda session: forge(session, platform="windows")
