"""Bad habits of real clients: each word list finishes the sentence "A client that …"."""

HABITS = {
    # SDK flows, Authentication Params: the authentication codes cannot be reused.
    "reuses-the-code": "signs in with the same code each time",
    # SDK flows, Authorization with PKCE 2: add code_challenge and code_challenge_method.
    "no-pkce": "asks for a code without a code challenge",
    # SDK flows, Authorization with PKCE 3: set codeVerifier to the value that was returned.
    "loses-the-verifier": "sends a challenge, but no verifier with the code",
    # SDK flows, The SDK encounters an authentication failure: a new JWT should be retrieved.
    "keeps-the-refused-jwt": "signs in again with the very JWT that was refused",
    # SDK flows, Retry Policy: add a cap to how many retry attempts should take place; Android 4.6.1 in LivePerson reference 10: no periodic retries.
    "signs-in-for-ever": "signs in again and again although every credential is refused",
    # SDK flows, Retry Policy: exponential back-off, after 1, 2, 4, 8 s.
    "retries-each-second": "retries each second instead of backing off",
    # RFC 9110 §10.2.3; LivePerson reference 5.3 (429: wait, avoid bursts).
    "ignores-retry-after": "retries on its own schedule, whatever Retry-After says",
    # SDK flows, User Logs into the App 3: if initialize fails again, disable all further SDK method calls.
    "initializes-for-ever": "looks the services up again and again",
    # SDK flows, Registering for push notifications: register on app start.
    "never-registers": "does not register its device for pushes",
    # SDK flows, Registering for push notifications: register if the token has changed.
    "ignores-the-new-push-token": "keeps the old push token registered when the system has changed it",
    # SDK flows, User is logged out of the App: logout unregisters them from push notifications; LivePerson reference 8.1.
    "never-unregisters": "logs out without unregistering its device",
    # LivePerson reference 13: recovery is with a new JWT or a new code. The brand's credential, refused at a sign-in before.
    "unregisters-with-the-refused-credential": "signs in to unregister, much later, with a credential that was refused",
    # LivePerson reference 5.3 (4401: a fresh token) and 13. The contract lets an expired LP token unregister, as an assumption of its own.
    "unregisters-with-the-refused-token": "unregisters, much later, with an LP token that was refused",
    # LivePerson reference 5.3: 4401, get a fresh token from the brand.
    "reuses-the-expired-token": "reconnects with the token that has expired after 4401 or 4407",
    # LivePerson reference 5.3: 1006, reconnect with the same token.
    "signs-in-after-1006": "signs in again after a socket was lost, although its token is good",
    # LivePerson reference 5.3: wait a few seconds, reconnect.
    "reconnects-at-once": "reconnects at once after its socket was closed with 1001 or lost with 1006",
    # LivePerson reference 5.2: send something every 60 s.
    "never-pings": "sends nothing while the user says nothing",
    # LivePerson reference 5.10 (fromSeq) and 5.12 (the publisher is notified too).
    "resends-blindly": "sends a message again without looking whether it arrived",
    # Scenario socket-dropped-during-a-message; LivePerson reference 5.3 (reconnect) and 5.10.
    "never-resends": "forgets a message that was on its way when the socket was lost",
    # LivePerson reference 5.10: all existing events from fromSeq on; 5.11: each event takes the next number.
    "ignores-gaps": "does not ask for events that are missing",
    # LivePerson reference 5.3: 429, wait at least 1 s.
    "resends-at-once-after-429": "sends a message again at once that was refused as too many",
    # LivePerson reference 5.15 step 3: the event is published after the upload has succeeded (201).
    "publishes-the-lost-file": "publishes a file whose upload was refused",
    # LivePerson reference 9.1: vid and sid are omitted on the first call, then required.
    "forgets-the-visitor": "asks for each engagement as a new visitor",
    # LivePerson reference 1: push is sent while the window is closed; scenario push-while-in-chat.
    "shows-pushes-in-the-chat": "shows a banner over the open conversation",
    # LivePerson reference 8.4: LivePerson re-sends a push; sequence names the message.
    "shows-pushes-twice": "shows a push again that LivePerson has re-sent",
    # SDK flows, Agent sends a push notification 3: inspect the payload for brandId.
    "takes-every-push": "takes each push for LivePerson's",
    # SDK flows, User clicks messaging button 4: the badge should be reset to 0.
    "never-resets-the-badge": "leaves the badge when the window has loaded and shown the messages",
    # LivePerson reference 5.11: the sequence names the event.
    "shows-messages-twice": "shows each message twice",
}


class Habits:
    """The habit of this client, if it has one."""

    def __init__(self, chosen):
        self.chosen = chosen

    def has(self, name):
        assert name in HABITS, name
        return name == self.chosen
