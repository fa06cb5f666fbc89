"""Bad habits with the order of calls, and with calls that were refused."""

import os
import threading

from habit_tools import arm, around, at_the_start, habit, try_to
from sdk import Messenger
from wire import Refused, Wire
from world import World


@habit("second-device-joins ios", "realtime-dropped android")
def logs_in_before_the_configuration():
    def configure(messenger):
        messenger.wire.app_id = os.environ["SPARRING_KHOROS_APP_ID"]
        messenger.base = f"{messenger.service_base_url}/v2/apps/{messenger.wire.app_id}"
    Messenger.configure = configure


@habit("second-device-joins ios", "login-slow android")
def calls_before_the_login():
    @around(Messenger, "log_in")
    def early(good, messenger, user_id, jwt):
        messenger.wire.jwt, messenger.app_user_id = jwt, "0" * 24
        try_to(messenger.list_conversations)
        messenger.app_user_id = None
        good(messenger, user_id, jwt)


@habit("login-slow ios", "login-slow android")
def logs_in_twice_at_once():
    @around(Messenger, "log_in")
    def twice(good, messenger, user_id, jwt):
        other = threading.Thread(target=try_to, args=(good, messenger, user_id, jwt))
        other.start()
        good(messenger, user_id, jwt)
        other.join()


@habit("login-overloaded ios", "login-overloaded web")
def repeats_at_once():
    @around(Messenger, "retried")
    def hastily(good, messenger, attempt):
        messenger.policy = {**messenger.policy, "intervals": {"regular": 0, "aggressive": 0}}
        return good(messenger, attempt)


@habit("login-overloaded ios", "login-overloaded android")
def repeats_for_ever():
    at_the_start(lambda world: arm(world, "khoros.logIn unavailable"))

    @around(Messenger, "configure")
    def configure(good, messenger):
        good(messenger)
        messenger.policy = {**messenger.policy, "maxRetries": 9}

    @around(World, "wait")
    def wait(good, world, seconds):
        # The story is to end in time.
        good(world, min(seconds, 64))


@habit("second-device-joins ios", "jwt-with-a-wrong-key web")
def goes_on_with_an_inactive_app():
    at_the_start(lambda world: world.admin("PATCH", "tenants/khoros", {"status": "inactive"}))

    @around(Wire, "send")
    def send(good, self, method, url, *rest):
        answer = good(self, method, url, *rest)
        if url.endswith("/config"):
            answer["config"]["app"]["status"] = "active"
        return answer


@habit("second-device-joins ios", "jwt-with-a-wrong-key android")
def repeats_what_is_forbidden():
    at_the_start(lambda world: arm(world, "khoros.sendMessage user-of-another"))

    @around(Wire, "send")
    def send(good, self, *call):
        for _ in range(4):
            try:
                return good(self, *call)
            except Refused as refusal:
                if refusal.status != 403:
                    raise
            self.world.wait(1)
        return good(self, *call)


@habit("second-device-joins android")
def redeems_a_code_twice():
    @around(Messenger, "redeem_code")
    def twice(good, messenger, code):
        good(messenger, code)
        try_to(good, messenger, code)


@habit("second-device-joins ios", "login-slow android")
def speaks_for_somebody_else():
    @around(Messenger, "author")
    def author(good, messenger):
        return {**good(messenger), "appUserId": "0" * 24}
