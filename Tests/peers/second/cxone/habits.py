"""Bad habits. Each is a predicate at the place where the good client decides."""

HABITS = {
    # CXone reference 4.4: iOS and Web send heartbeats, Android pings.
    "keeps-no-socket-alive": "sends neither heartbeats nor pings",
    # CXone reference 4.4: every 10 s, every 15 s.
    "beats-every-second": "sends a heartbeat every second",
    # CXone reference 4.4: 5 s without a pong, and iOS closes the socket.
    "waits-for-no-pong": "keeps a socket on which its heartbeats are not answered",
    # CXone reference 8.2: iOS and Android refresh before a message; help.nicecxone.com: the token is checked with each message.
    "repeats-an-expired-token": "sends its message again and again with an access token that has expired",
    # CXone reference 8.3: another transaction token where the old one has expired.
    "keeps-a-refused-transaction-token": "opens the socket again and again with a transaction token that was refused",
    # CXone reference 10: delays that grow.
    "hammers-the-gateway": "opens the socket again at once, with the transaction token that was refused",
    # RFC 6749 §4.1.2: a code must not be used more than once.
    "sends-a-refused-code-again": "sends the authorization code again that was refused",
    # Event diagrams, Open Chat, OAuth Handling; CXone reference 8.1: AuthorizeCustomer is the first event.
    "signs-nobody-in": "loads its threads without having signed in on the socket",
    # Event diagrams, Single-Thread, Thread Recovery; CXone reference 10: the recover reply is the catch-up.
    "recovers-nothing": "opens the socket and loads no thread",
    # Event diagrams, Thread Existence Check: no thread recovery is needed.
    "asks-again-for-a-lost-thread": "asks every second for a thread that was not found",
    # Event diagrams, Thread Existence Check: the chat is ready.
    "leaves-when-there-is-no-thread": "leaves the socket when its thread is not found",
    # Event diagrams, Create Thread: the UI shows a pre-chat form view.
    "shows-no-form": "begins a conversation without the form that the channel requires",
    # CXone reference 3.1, preContactForm: isRequired.
    "sends-the-form-empty": "lets its user skip the required field of the form",
    # Event diagrams, Chat with an Agent: the SDK sends the welcome message if one is available.
    "keeps-the-welcome-message-to-itself": "shows the welcome message and never sends it",
    # CXone reference 6.2: SendOutbound before SendMessage.
    "welcomes-after-the-message": "sends the welcome message after the customer's first message",
    # CXone reference 6.2: variables resolved by the client.
    "says-the-placeholders": "sends the welcome message with its placeholders in it",
    # CXone reference 7.3: canAddMoreMessages false; CXone reference 9.1: the thread is closed.
    "writes-to-what-is-closed": "sends messages to a live chat that is closed, or to a thread that is archived",
    # Event diagrams, End Contact: the thread state is set to closed.
    "ends-what-is-closed": "ends a live chat again that is closed",
    # Event diagrams, End Contact: closed only where there is no server error.
    "takes-a-refused-end-for-an-end": "shows a live chat as ended although the server refused to end it",
    # Event diagrams, Process Large Events: the bucket is publicly available.
    "shows-its-token-to-the-bucket": "sends its access token along when it fetches a large event",
    # Event diagrams, Process Large Events: the body is downloaded once; CXone reference 12.
    "fetches-for-ever": "fetches the URL of a large event again and again",
    # Event diagrams, Process Large Events: the actual event body.
    "ignores-large-events": "fetches a large event and does not treat it as the event",
    # CXone reference 3.0: SdkVersionNotSupported, no retry.
    "goes-on-with-an-old-sdk": "asks for the configuration again although its version is refused",
    # CXone reference 3.4: responses are not interpreted; Event diagrams, View Page: a failure is handled.
    "repeats-visitor-events": "sends a visitor event a dozen times when it fails",
    # Event diagrams, View Page Event: if expired, new visit details are created.
    "keeps-an-expired-visit": "reports pages under a visit that has expired",
    # CXone reference 3.4: a new visitId and a VisitorVisit event.
    "begins-a-visit-silently": "takes a new visit id without reporting a visit",
    # Event diagrams, View Page Event: the SDK ends the page view that was not ended.
    "never-ends-a-page": "reports that pages are shown, and never that they are left",
    # Event diagrams, Application Enters Background: pageViewEnded.
    "leaves-its-page-open": "goes to the background without ending its page",
    # Event diagrams, Application Enters Background: the UI initiates disconnection.
    "stays-connected-in-the-background": "keeps its socket open in the background",
    # Event diagrams, Open Chat: offline, no socket (CXone reference 3.2).
    "connects-to-nobody": "opens a socket to a live chat that is offline",
    # CXone reference 3.2 and 9.4: GET availability first.
    "asks-for-no-availability": "connects to a live chat without asking whether somebody is there",
    # Event diagrams, Multi-Thread, Thread Handling: thread metadata is loaded.
    "loads-no-metadata": "opens a thread of its list without having loaded the metadata",
    # Event diagrams, Multi-Thread, Thread List Retrieval.
    "opens-a-thread-unlisted": "opens the thread that it has stored without listing the threads",
    # Event diagrams, Visitor and Customer Handling: created where null, and stored locally.
    "takes-another-visitor-id": "takes another visitor id whenever it prepares, for the same customer",
    # Event diagrams, Visitor and Customer Handling: created where null, and stored locally.
    "takes-another-customer-id": "takes another customer id whenever it prepares",
    # CXone reference 6.2, CaseCreated: typing is sent once the thread exists.
    "types-before-the-first-message": "reports typing in a thread whose first message was not sent yet",
    # Event diagrams, Single-Thread: each contact can have only one chat thread.
    "sends-each-message-to-another-thread": "sends each message to a thread of its own",
    # Event diagrams, Channel Configuration: the state is reset, and the app may prepare again.
    "never-prepares-again": "never asks for the channel's configuration again after it failed",
    # Event diagrams, Channel Configuration: the visitor comes after the configuration.
    "sends-a-visitor-without-a-configuration": "creates the visitor although the configuration could not be read",
    # Event diagrams, Visitor and Customer Handling: the state is reset.
    "goes-on-without-a-visitor": "opens the chat although the visitor could not be created",
    # Event diagrams, Disconnecting: if preparing, the state is set to initial.
    "prepares-on-in-the-background": "goes on preparing in the background, and opens the socket there",
    # CXone reference 7.1: one id for each message, which tells whether it arrived.
    "sends-again-under-another-id": "sends a message again under another id after the socket was lost",
    "uses-a-message-id-twice": "gives all messages the id of the first",
    # CXone reference 10: the recover reply shows what is missing.
    "loses-what-was-on-its-way": "drops a message that was on its way when the socket was lost",
}


class Habits:
    """The habit of one play, if there is one."""

    def __init__(self, name):
        self.name = name

    def has(self, name):
        if name not in HABITS:
            raise KeyError(name)
        return name == self.name
