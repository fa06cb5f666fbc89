"""Bad habits of real apps and backends: each one is against the words that stand beside it."""

HABITS = {
    # Push Notifications: "If the user signs out of the Customer App, it is important to call the SDK API to de-register".
    "leaves-the-device-registered": "signs a user out without deregistering the device",
    # Push Notifications: "This must be done before changing the ASAPP user credentials".
    "deregisters-as-the-next-user": "deregisters the device only when the next user has signed in, with their session",
    # ASAPP reference ASP-05: the app does not go on as if it had worked.
    "signs-out-regardless": "signs the user out although the deregistration has failed",
    # ASAPP reference 2.2: if the token expired, the app must return fresh credentials.
    "gives-the-old-token-again": "gives the SDK the expired token again when it asks for fresh credentials",
    # ASAPP reference 2.6 and ASP-06: once; the second 401 ends in authenticationFailed.
    "asks-again-and-again": "asks for a session a dozen times, each time with a fresh token, although each is answered 401-02",
    # ASAPP reference 2.2: if the token expired, the SDK calls the provider with true.
    "gives-up-at-the-first-expiry": "gives up at the first 401-02, without fresh credentials",
    # asapp.openapi.yaml, requestSocket: the URL has a token that is good once.
    "uses-a-url-twice": "opens the socket again with the URL of the socket that it lost",
    # Push Notifications: "If the user is currently in chat, the message is sent directly to chat via WebSocket".
    "stays-disconnected": "does not open the socket again while the user is in chat",
    # ASAPP reference 2.6: closing means that the user left chat; Push Notifications, Scenario 2.
    "stays-in-chat": "leaves the socket open when the user leaves the chat",
    # RFC 9110 10.2.3.
    "ignores-retry-after": "sends a refused message again at once, whatever Retry-After says",
    # ASAPP reference 2.6: the same clientMessageId gives the same id.
    "new-id-for-a-retry": "sends a message again under another clientMessageId",
    # ASAPP reference ASP-08: the number equals UnreadMessages.
    "counts-pushes": "adds one to its number for each push",
    # Push Notifications: canHandleNotification, "to determine if ASAPP generated the notification"; ASP-14.
    "takes-any-push": "takes each push for ASAPP's",
    # ASAPP reference ASP-09: the app keeps its last number.
    "zero-after-a-failure": "shows no unread messages when the status cannot be read",
    # ASAPP reference ASP-08: it is 0 after entering chat.
    "badge-stays-after-chat": "keeps its number of unread messages when the user enters the chat",
    # ASAPP reference 2.5: live is also who waits in the queue; ASP-10.
    "live-only-with-an-agent": "shows the chat as live only once an agent has joined",
    # ASAPP reference 2.3 and ASP-02: register again when the token changes.
    "keeps-the-old-device-token": "does not register the device's new token",
    # ASAPP reference 2.3 and ASP-02: register at app start.
    "registers-once": "does not register again when the app starts again",
    # ASAPP reference ASP-02: byte for byte.
    "alters-the-device-token": "registers the device token in capital letters",
    # ASAPP reference ASP-01: no registration before init and user.
    "registers-before-the-user": "registers the device before it has a user",
    # asapp.openapi.yaml, startSession: with the session token that the client has so far; ASP-11.
    "forgets-the-anonymous-session": "signs an anonymous user in without the session that they have",
    # asapp.openapi.yaml, Codes: 401-03 and 401-04 call for a new session.
    "uses-a-dead-session": "goes on with a session that has expired",
    # ASAPP reference 2.2 and ASP-12: the identifier is opaque.
    "identifies-by-e-mail": "uses the e-mail address as userIdentifier",
    # ASAPP reference ASP-13: checks authToken.
    "trusts-any-caller": "forwards pushes of callers that do not have the agreed secret",
    # ASAPP reference ASP-13: drops repeats by id.
    "forwards-repeats": "forwards a push again that comes again",
    # ASAPP reference ASP-13: answers 200 inside the limit.
    "answers-late": "answers ASAPP's pushes after seven seconds",
    # ASAPP reference ASP-13: answers an error for an unknown token.
    "accepts-unknown-devices": "accepts pushes for devices that it does not know",
    # ASAPP reference ASP-13: passes UnreadMessages on.
    "drops-the-unread-messages": "forwards pushes without UnreadMessages",
}

adopted = set()


def adopt(name):
    """The client has this habit from now on, if there is one."""
    if name:
        adopted.add(name)


def has(name):
    return name in adopted
