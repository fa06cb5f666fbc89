"""Bad habits of developers. Each is broken at the one place where the good code decides."""

HABITS = {
    # Khoros reference 1.13, KBM-06.
    "keeps-the-dead-jwt": "gives the SDK the refused JWT again",
    # End User Authentication, Reauthentication; KBM-04.
    "sets-no-delegate": "has nobody to ask for another JWT",
    # Khoros reference 1.6 and KBM-07.
    "asks-for-jwts-too-often": "repeats a refused call thirty times, each time with a new JWT",
    # KBM-08.
    "asks-the-brand-for-each-call": "gets a JWT for each of the calls that fail together",
    # End User Authentication, Using an identity provider; KBM-16.
    "signs-jwts-itself": "signs its JWTs in the app, with the app key's secret",
    # Khoros reference 1.10 and KBM-15.
    "retries-logins-at-once": "repeats an overloaded login at once",
    # Khoros reference 1.10, times the multiplier.
    "never-waits-longer": "repeats an overloaded login always after the same interval",
    # End User Login.
    "logs-in-again-while-waiting": "logs in a second time while the first login is under way",
    # End User Login: once successful, the SDK is ready to communicate.
    "talks-before-the-login": "makes other calls while the login is under way",
    # KBM-10.
    "forgets-to-log-out": "drops the user without a logout",
    # KBM-10: no request with the old JWT afterwards.
    "tidies-up-after-the-logout": "takes its push token back after the logout, with the JWT of the user who has left",
    # Khoros reference 1.11.
    "leaves-the-anonymous-user-behind": "logs in without the session of the anonymous user",
    # Khoros reference 1.3: Bearer if there is a JWT.
    "keeps-the-session-after-the-login": "goes on with the anonymous session after the login",
    # Khoros reference 1.8.
    "takes-every-push-for-khoros": "opens the chat for every push",
    # Khoros reference 1.8.
    "shows-pushes-in-the-foreground": "shows notifications while the app is in the foreground",
    # KBM-12: a failed one is sent again.
    "never-repeats-the-push-token": "takes a push token for reported although that failed",
    # KBM-12: unchanged token, no call.
    "reports-the-token-at-each-return": "reports an unchanged push token at each return to the app",
    # Khoros reference 1.7 and KBM-13.
    "never-reconnects": "stays without a socket once it is cut",
    # Khoros reference 1.7, retryInterval.
    "reconnects-without-a-pause": "opens the socket again at once",
    # KBM-13.
    "does-not-catch-up": "does not read what was said while it had no socket",
    # Khoros reference 1.7: both reconnect from the handshake.
    "clings-to-the-dead-session": "goes on with connect although the server does not know its client",
    # Khoros reference 1.7, frame order.
    "forgets-to-subscribe-again": "shakes hands again and does not subscribe",
    # Bayeux 1.0 section 4.2; Khoros reference 1.7, a held connect.
    "connects-without-waiting": "sends connect each second, whether or not the last one is answered",
    # End User Authentication, Re-authenticating on Conversation screen.
    "keeps-the-socket-after-reauthentication": "recreates nothing after a re-authentication",
    # KBM-13, no doubled messages; KBM-05, one repeat.
    "sends-again-after-reauthentication": "sends a message once more after its JWT was renewed",
    # KBM-17.
    "takes-an-empty-login-for-a-failure": "gives up after a login with an empty response",
    # KBM-17: with the first message.
    "creates-the-user-at-login": "creates the user right after the empty response, without anything to say",
    # End User Authentication: the user can be identified between sessions and devices.
    "begins-a-new-conversation": "begins a conversation on each device and at each start",
    # KBM-02.
    "makes-up-a-user-id": "logs in with a userId of its own for each device",
    # KBM-14.
    "never-says-read": "does not report that the user has read",
    # Khoros reference 1.11: a client is an installation.
    "is-a-new-client-at-each-start": "has another client id after each start",
    # KBM-07: then the app shows a failure.
    "gives-up-in-silence": "does not tell its user that the chat is unavailable",
}

chosen = set()


def choose(name):
    """Called once, at the start."""
    if name:
        chosen.add(name)


def has(name):
    return name in chosen
