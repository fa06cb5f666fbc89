"""Which story is played in which scenario, and which variants can play it."""

from plots_connection import (
    chat_a_little,
    jwt_expires,
    no_jwt_is_taken,
    realtime_dropped,
    realtime_forgotten,
    second_device,
    subscription_refused,
)
from plots_users import anonymous_logs_in, another_user, made_by_the_first_message, push_of_another_sender, push_token_refused

STORIES = {
    "jwt-expires-mid-conversation": jwt_expires,
    "jwt-with-a-wrong-key": chat_a_little,
    "reauthentication-refused-five-times": no_jwt_is_taken,
    "realtime-dropped": realtime_dropped,
    "login-slow": chat_a_little,
    "second-device-joins": second_device,
    "login-overloaded": chat_a_little,
    "realtime-session-forgotten": realtime_forgotten,
    "another-user-logs-in": another_user,
    "push-from-another-sender": push_of_another_sender,
    "user-made-by-the-first-message": made_by_the_first_message,
    "anonymous-user-logs-in": anonymous_logs_in,
    "push-token-refused-once": push_token_refused,
    "subscription-refused": subscription_refused,
}
NEEDS_PUSHES = {"push-from-another-sender", "push-token-refused-once"}
FOR_TWO_DEVICES = {
    "jwt-expires-mid-conversation", "jwt-with-a-wrong-key", "login-slow", "second-device-joins", "login-overloaded",
    "realtime-session-forgotten", "subscription-refused",
}


def makes_sense(story, variant):
    if story in NEEDS_PUSHES and not variant.pushes:
        return False
    # Nothing happens to a JWT that is renewed in time, nor while nobody uses it.
    if story == "jwt-expires-mid-conversation" and (variant.leaves or variant.renews_early):
        return False
    return not variant.two_devices or story in FOR_TWO_DEVICES
