"""Bad habits, which the good clients take on one at a time: each a small deviation that a line of the document or of the reference forbids.

What each breaks, and in which scenario it shows, is in habits.json.
"""

HABITS = {
    # The retry policy
    "retries-at-once": "retries without waiting",
    "hurries-the-first-retry": "retries at once, and only then waits 1, 2, 4 and 8 s",
    "waits-half-as-long": "waits 0.5, 1, 2, 4 and 8 s",
    "waits-twice-as-long": "waits 2, 4, 8, 16 and 32 s",
    "waits-a-second-each-time": "waits 1 s each time",
    "waits-30s-each-time": "waits 30 s each time",
    "backs-off-linearly": "waits 1, 2, 3, 4 and 5 s",
    "doubles-the-last-wait": "waits 1, 2, 4, 8 and 32 s",
    "is-off-by-60-percent": "waits up to 60 % longer or shorter than the schedule",
    "never-retries": "never retries",
    "gives-up-after-two-retries": "gives up after two retries",
    "retries-ten-times": "retries ten times, every 16 s from the fifth retry on",
    "starts-the-schedule-over": "starts over with 1 s after the fifth retry",
    "ignores-retry-after": "ignores Retry-After",
    "halves-retry-after": "waits half as long as Retry-After asks",
    "hurries-the-brand": "retries the brand's identity provider five times a second",
    "calls-twice": "starts a second sign-in while one has been running for more than 5 s",
    "counts-twice": "requests the unread count again before the first request is answered",
    "waits-two-minutes": "waits two minutes for an answer",
    "trusts-any-certificate": "accepts any certificate",
    "insists-on-a-bad-registration": "registers without the device's token, and keeps doing so every second although it is refused",
    "insists-on-another-version": "asks for an engagement with an unknown version, and keeps doing so every second although it is refused",
    # Starting
    "starts-once": "does not retry a failed initialisation",
    "starts-again-five-times": "retries a failed initialisation according to the retry policy",
    "goes-on-without-a-start": "continues with hard-coded hosts after the initialisation has failed twice",
    "looks-the-services-up-once": "initialises at the first log-in only",
    "registers-before-the-start": "registers with hard-coded hosts before it initialises",
    # Registering and counting
    "registers-without-credentials": "registers without a token",
    "registers-once-for-all": "does not register again when the app starts again",
    "keeps-the-old-push-token": "does not register the push token that the device gets later",
    "registers-the-old-push-token-again": "registers the old push token again when the device gets a new one",
    "counts-before-it-registers": "counts the unread messages before it registers",
    "counts-without-credentials": "counts the unread messages without a token",
    "never-counts": "never counts the unread messages",
    "counts-though-it-is-not-registered": "counts the unread messages although the registration has failed",
    "counts-at-the-log-in-only": "does not count the unread messages when the app comes to the foreground",
    "does-not-count-again": "does not retry a failed count",
    # Signing in
    "brings-a-code-again": "reuses a code after a sign-in with it has failed",
    "brings-one-code-each-time": "reuses the code of its last successful sign-in for the next one",
    "signs-in-for-each-call": "signs in with another code for each call",
    "brings-the-refused-token": "sends LivePerson's token once more after it was refused",
    "insists-on-the-refused-token": "sends LivePerson's token twelve more times after it was refused",
    "brings-the-brands-old-token": "reuses a brand token that LivePerson has refused, or for which it has closed a socket",
    "signs-in-in-a-loop": "fetches fresh credentials twelve times although all are refused",
    "signs-in-every-second": "signs in again each second for as long as the window is open",
    "never-tells-the-user": "does not tell its user that it has given up",
    "keeps-its-redirect-uri-to-itself": "does not name its redirect URI when it signs in",
    "names-another-redirect-uri": "sends the brand a redirect URI that is not registered",
    "asks-the-brand-twice": "asks the brand for two codes or tokens for each sign-in",
    "looks-at-its-own-clock": "discards brand tokens that have expired according to the phone's clock",
    "sends-no-state": "sends neither a state nor a nonce to the brand",
    "has-one-state": "sends the same state each time",
    "challenges-plainly": "sends its code verifier as a plain challenge",
    "sends-no-challenge": "sends no challenge to a brand that requires one",
    "names-no-challenge-method": "does not say how its challenge was made",
    "keeps-its-verifier": "sends a challenge to the brand, and no verifier to LivePerson",
    "brings-another-verifier": "sends the verifier of another challenge",
    "has-one-verifier": "has one code verifier for all sign-ins",
    "names-another-uri-at-the-sign-in": "names another redirect URI at the sign-in than at the brand",
    "verifies-without-a-challenge": "sends a verifier to LivePerson, and no challenge to the brand",
    "redeems-a-code-again": "redeems a code at the brand itself, and redeems it again when it next needs the brand's token",
    "keeps-its-first-refresh-token": "fetches the brand's tokens with its first refresh token again and again",
    "begins-anew-as-nobody": "takes a new anonymous identity when the last one has expired",
    # The window
    "never-reconnects": "keeps showing the window after its socket was lost, without reopening it",
    "renews-without-need": "fetches a fresh token before each reconnection",
    "never-follows-again": "does not resubscribe to the dialog on the next socket",
    "follows-from-too-far-on": "resubscribes to the dialog several sequence numbers too far on",
    "follows-from-one-too-far-on": "resubscribes to the dialog one sequence number too far on",
    "keeps-nothing-alive": "sends nothing on a socket on its own initiative",
    "misses-no-answer": "waits forever for an answer on the socket",
    "polls-by-reopening": "keeps closing and reopening its socket to poll for news",
    "opens-a-socket-for-each-message": "closes its socket and opens another before each message",
    "has-two-sockets": "opens two sockets for one window",
    "has-a-socket-for-each-token": "signs in again while a socket is open, and opens another with the new token",
    "opens-another-socket-at-a-push": "opens a second socket when a push comes",
    "leaves-the-window-at-a-push": "closes its socket when a push comes, and opens another",
    "leaves-the-socket-open": "does not close the socket when the window closes",
    "forgets-its-socket": "leaves the socket open when the window closes, and says nothing more on it",
    "opens-the-socket-after-the-window": "opens the socket again when the window has closed",
    "opens-a-socket-behind-the-window": "opens the socket again while the window is closed",
    "opens-another-socket-for-the-list": "opens another socket if subscribing to the conversations failed",
    "never-asks-for-the-list-again": "shows an empty window if subscribing to the conversations failed",
    # Messages
    "sends-again-what-arrived": "resends a message without checking whether it arrived",
    "never-sends-again": "does not resend what was lost",
    "hurries-after-429": "waits a fifth of a second after 429",
    "lets-later-messages-pass": "moves a refused message behind those that are waiting",
    "drops-what-was-refused": "drops a message that was refused only temporarily",
    "leaves-gaps": "does not ask for missing sequence numbers",
    "shows-as-they-come": "shows messages in order of arrival",
    "shows-messages-twice": "shows a message twice if it arrives twice",
    "uploads-to-the-old-url": "uploads to an expired URL",
    "publishes-to-no-dialog": "sends its messages to a dialog that does not exist, and tells nobody that they are refused",
    "publishes-what-is-not-there": "publishes a file that could not be uploaded",
    # Pushes, and signing out
    "shows-a-push-twice": "shows a push twice if it arrives twice",
    "takes-others-pushes-for-its-own": "shows the brand's own pushes as LivePerson's",
    "shows-another-badge": "shows a badge number that it did not receive",
    "announces-what-was-read": "shows a push for what was read in the window",
    "opens-nothing-from-a-push": "does not open the window when its user taps a push",
    "forgets-to-unregister": "signs out without unregistering",
    "unregisters-once": "does not retry unregistering",
    "unregisters-in-passing": "tries to unregister once, and signs out whatever the result",
    "unregisters-another-app": "unregisters another app",
    "unregisters-afterwards": "unregisters only after it has signed out",
    "signs-out-all-the-same": "signs out although unregistering has failed",
    "counts-after-signing-out": "counts the unread messages of the user who has signed out",
    # Engagements
    "loses-the-visitor": "does not send the visitor id that a failed call created",
    "loses-the-session": "names the visitor without the session",
    "is-a-new-visitor-each-time": "names neither visitor nor session",
    "names-no-entry-points": "does not say where in the app its user is when it asks for an engagement",
    "asks-again-for-an-engagement": "asks again at once if there is no engagement, or it could not get one",
    "asks-for-the-engagement-each-second": "asks ten times, once a second, for an engagement that it cannot get",
}
SCHEDULES = {
    "retries-at-once": (0, 0, 0, 0, 0),
    "hurries-the-first-retry": (0, 1, 2, 4, 8),
    "waits-half-as-long": (0.5, 1, 2, 4, 8),
    "waits-twice-as-long": (2, 4, 8, 16, 32),
    "waits-a-second-each-time": (1, 1, 1, 1, 1),
    "waits-30s-each-time": (30, 30, 30, 30, 30),
    "backs-off-linearly": (1, 2, 3, 4, 5),
    "doubles-the-last-wait": (1, 2, 4, 8, 32),
    "is-off-by-60-percent": (1.6, 0.8, 6.4, 3.2, 25.6),
    "never-retries": (),
    "gives-up-after-two-retries": (1, 2),
    "retries-ten-times": (1, 2, 4, 8, 16, 16, 16, 16, 16, 16),
    "starts-the-schedule-over": (1, 2, 4, 8, 16, 1, 2, 4, 8, 16),
}
# What shows only in time: with these the user keeps the window open, or stays signed in, for so many seconds more than the story needs.
LINGERING = {
    "window": (110, ("never-sends-again", "opens-another-socket-for-the-list", "never-asks-for-the-list-again", "has-two-sockets")),
    "account": (130, (
        "never-retries", "gives-up-after-two-retries", "registers-once-for-all", "keeps-the-old-push-token", "registers-the-old-push-token-again", "counts-before-it-registers",
        "counts-without-credentials", "never-counts", "counts-at-the-log-in-only", "does-not-count-again", "forgets-its-socket",
    )),
}  # fmt: skip
_taken = None


def take(name):
    """Takes a habit on, or None."""
    global _taken
    _taken = name


def has(*names):
    """Whether the client has one of these habits."""
    unknown = [name for name in names if name not in HABITS]
    if unknown:
        raise KeyError(f"no such habits: {unknown}")
    return _taken in names


def stay(what):
    """For how many seconds the user keeps the window, or the account, though nothing more is to be done."""
    seconds, names = LINGERING[what]
    return seconds if _taken in names else 0


def patience_with_refusals():
    """How often a token is brought again that was refused."""
    return {"brings-the-refused-token": 1, "insists-on-the-refused-token": 12}.get(_taken, 0)


def delays(standard):
    """The waits before the retries of a schedule."""
    return SCHEDULES.get(_taken, standard)
