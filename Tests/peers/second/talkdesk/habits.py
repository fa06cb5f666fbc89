"""Bad habits: the words finish the sentence "A client that …". Beside each stands what it offends."""

HABITS = {
    "starts-without-a-token": "starts its interaction without a token when its backend denies one",  # Authorization: required
    "asks-until-granted": "asks its backend again and again until it grants a token",  # Authorization: your server is in charge of it
    "starts-from-a-late-token": "starts an interaction that has failed when the token comes at last",  # Authorization: will fail due to timeout
    "asks-twice": "sends a second token request when the first takes ten seconds",  # Authorization: 30 seconds; TDK-01: exactly one
    "ends-at-401": "ends its interaction when a token expires",  # Authorizing: requested when the current authorization expired
    "resends-the-old-token": "repeats a refused call with the token that was refused",  # Talkdesk reference 3.5: asks again; TDK-03: never again
    "repeats-without-end": "asks for a token and repeats a refused call without end",  # Talkdesk reference 3.5: then repeats once
    "new-interaction-at-401": "starts another interaction when a token expires",  # Authorizing; contract, sendToInteraction: goes on with that
    "believes-in-ten-minutes": "keeps each token for ten minutes",  # Authorization: can change at any time with no prior notice; TDK-04
    "token-for-each-message": "asks for a new token before each message",  # Authorizing: when none exists, or it expired; TDK-02
    "token-from-any-push": "takes the token from any push that has one",  # Authorization: a Talkdesk ID token provided by your backend; Talkdesk reference 3.1
    "silent-when-denied": "does not answer its SDK when the backend denies a token",  # TDK-06: notAuthorized is called, not silence
    "authorizes-twice": "calls authorize(with:) twice",  # TDK-07: exactly once per shouldAuthorize()
    "secret-in-the-app": "has the client secret of Talkdesk ID in its app, and sends it",  # TDK-09: never in an app request
    "polls-with-the-first-token": "polls with the first token for ever",  # TDK-03: old one never used again
    "one-assertion": "signs one assertion and sends it with each request",  # TDK-08: fresh jti each time; RFC 7523 section 3
    "retries-a-refused-assertion": "has a backend that asks again at once when Talkdesk ID refuses its assertion",  # TDK-11: passes the refusal on
    "ignores-retry-after": "has a backend that asks Talkdesk ID again at once after a 429",  # TDK-12; RFC 9110 section 10.2.3
    "resends-a-code": "has a backend that redeems its code again when the answer was lost",  # RFC 6749 section 4.1.2: not more than once
    "null-token": "has a backend that answers 201 with null where it got no token",  # TDK-11: not 201 with null
}


class Habits:
    """Which habit a client has, if any."""

    def __init__(self, habit):
        self.habit = habit

    def has(self, name):
        return self.habit == name
