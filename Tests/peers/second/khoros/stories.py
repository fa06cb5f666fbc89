"""The stories, by scenario."""

import credentials
import sockets
import users

STORIES = {
    "anonymous-user-logs-in": users.chats_before_the_login,
    "another-user-logs-in": users.hands_the_phone_on,
    "jwt-expires-mid-conversation": credentials.writes_after_the_jwt_has_expired,
    "jwt-with-a-wrong-key": credentials.begins_with_a_bad_jwt,
    "login-overloaded": credentials.waits_for_the_login,
    "login-slow": credentials.writes_during_the_login,
    "push-from-another-sender": users.gets_an_offer,
    "push-token-refused-once": users.gets_a_new_push_token,
    "realtime-dropped": sockets.loses_the_connection,
    "realtime-session-forgotten": sockets.is_forgotten,
    "reauthentication-refused-five-times": credentials.is_never_let_in,
    "second-device-joins": users.takes_up_the_tablet,
    "subscription-refused": sockets.is_not_subscribed,
    "user-made-by-the-first-message": users.is_new,
}
