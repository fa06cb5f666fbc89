"""Bad habits with realtime and with pushes."""

from app import App
from habit_tools import arm, around, at_the_start, habit
from monitor import Monitor
from sdk import Messenger


@habit("realtime-dropped ios", "realtime-dropped web")
def keeps_the_lost_socket():
    Monitor.run = lambda self: self.run_socket()


@habit("realtime-dropped ios", "realtime-dropped android")
def does_not_read_what_it_missed():
    App.catch_up = lambda self: None


@habit("realtime-session-forgotten ios", "realtime-session-forgotten web")
def ignores_unknown_client():
    Monitor.forgotten = lambda self: None


@habit("second-device-joins ios", "jwt-with-a-wrong-key web")
def never_subscribes():
    Monitor.subscribe = lambda self: self.settled.set()


@habit("realtime-dropped ios", "realtime-dropped android")
def reopens_in_a_storm():
    at_the_start(lambda world: arm(world, "khoros.openRealtime unavailable skip=1 times=40"))

    @around(Monitor, "__init__")
    def make(good, monitor, messenger, *rest):
        good(monitor, messenger, *rest)
        monitor.options = {**monitor.options, "retryInterval": 0.1, "maxConnectionAttempts": 1000}


@habit("realtime-dropped web")
def never_says_that_it_was_read():
    App.report_read = lambda self: None


@habit("push-from-another-sender ios", "push-from-another-sender android")
def takes_foreign_pushes():
    def open_notification(app, notification):
        app.mark("foregrounded")
        app.mark("push-shown", conversation=app.messenger.conversation_id or "none")
        app.open()
        return True
    App.open_notification = open_notification


@habit("push-token-refused-once ios", "push-token-refused-once android")
def forgets_a_failed_push_token():
    @around(Messenger, "tell_push_token")
    def tell(good, messenger):
        told = good(messenger)
        if not told:
            messenger.push_token = None
        return told


@habit("another-user-logs-in ios", "subscription-refused android")
def sends_the_same_push_token_again_and_again():
    @around(App, "say")
    def say(good, app, text):
        good(app, text)
        for _ in range(3):
            app.messenger.push_token_told = None
            app.messenger.tell_push_token()
