"""The flows about pushes: registering for them, getting them, tapping them, and what they count."""

from app import ANDROID, BACK_OFF, App
from brand import NOW
from consumer import text
from flow import flow
from peer import check
from window import roles, said

AGENT = "ASSIGNED_AGENT"


def opened(app, conversation, *words, credentials=None):
    """[showConversation] Once the window has downloaded what was missed nothing is unread, and not before (8.1)."""
    window = app.show(credentials)
    shown = window.subscribe("OPEN")
    check("one conversation is open", [c["convId"] for c in shown] == [conversation], shown)
    check("with its agent", AGENT in roles(shown[0]["participants"]), shown)
    app.unread(len(words))
    missed = window.resume(conversation)
    check("what was missed comes", said(missed) == [(AGENT, each) for each in words], missed)
    app.unread(0)
    sequences = [change["sequence"] for change in missed]
    window.receipt("ACCEPT", *sequences)
    window.receipt("READ", *sequences)
    return window


@flow(ios="push registration fails and is retried", android="push registration fails and is retried")
def push_registration_fails(app):
    app.initialize()
    app.sign_in(app.own())
    app.brand.arm("liveperson.registerPush status code=503 times=2")
    answers = app.retrying(app.put)
    check("the third call succeeds", [a.status_code for a in answers] == [503, 503, 201], answers)
    check("1 s and 2 s later", app.brand.now == NOW + 3 and app.registered())
    app.logout()
    app.sign_in(app.own())
    app.brand.arm("liveperson.registerPush status code=503 times=6")
    answers = app.retrying(app.put)
    check("after five retries it gives up", [a.status_code for a in answers] == [503] * (1 + len(BACK_OFF)), answers)
    check("31 s later, unregistered", app.brand.now == NOW + 3 + 31 and not app.registered())
    app.register()  # when the app is started the next time


@flow(both="push registration without credentials")
def push_registration_without_credentials(app):
    app.initialize()
    answer = app.put(token="")
    check("without a token nobody is registered", answer.status_code == 401 and answer.json() == {"error": "token_invalid"}, answer.text)
    check("on no device", app.brand.registered(app.device) == [])
    app.sign_in(app.own())  # [showConversation] has credentials, and registers what was asked for before
    app.register()
    window = app.show()
    window.begin()
    window.close()
    app.agent_pushes("Now I reach you", 1, 1, 0, window.conversation)


@flow(both="push token changes")
def push_token_changes(app):
    conversation = app.converse()
    registration = app.register(200)
    old, app.device = app.device, app.device + "-2"
    check("the new token takes the old one's place", app.register(200) == registration)
    check("which is registered no more", not app.registered(old) and app.brand.registered(old) == [])
    app.agent_pushes("Hello?", 1, 1, 0, conversation)
    check("the old one gets nothing", app.brand.inbox(old) == [])


@flow(ios="push while the app is foregrounded")
def push_in_the_foreground(app):
    conversation = app.converse()
    note = app.agent_pushes("Your card is on its way", 1, 1, 0, conversation)
    check("[didReceiveRemoteNotification] brandId says whose it is", note["payload"]["brandId"] == app.brand.account, note)
    # [handlePush, notificationTapped, setPushNotificationTapped] The banner is shown and tapped: nothing goes over the wire.
    opened(app, conversation, "Your card is on its way")


@flow(ios="push while the app is backgrounded")
def push_in_the_background(app):
    conversation = app.converse()
    words = "Your card is on its way", "It comes on Tuesday"
    for sequence, each in enumerate(words):
        note = app.agent_pushes(each, sequence + 1, sequence + 1, sequence, conversation)
        file = app.brand.admin("GET", f"devices/{app.device}/notifications/{note['number']}.apns")
        check("the simulator's file is what came", file == {"Simulator Target Bundle": app.id} | note["payload"], file)
    app.wipe()  # the app was not running
    opened(app, conversation, *words, credentials=app.code())


@flow(android="push notification received")
def push_is_received(app):
    conversation = app.converse()
    huawei = App(app.brand, ANDROID._replace(push_type="HUAWEI", device="IQAAAACy0kP"))
    huawei.id = "test.brand.app.huawei"
    huawei.initialize()
    huawei.sign_in(huawei.own())
    huawei.register()
    for sequence, words in enumerate(["Your card is on its way", "It comes on Tuesday"]):
        firebase = app.agent_pushes(words, sequence + 1, sequence + 1, sequence, conversation)
        note = huawei.pushed(sequence + 1, words, sequence + 1, conversationId=conversation, sequence=sequence)
        check("by Firebase and by Huawei Push Kit, each on its own", (firebase["pushType"], note["pushType"]) == ("FCM", "HUAWEI"), note)
        check("[handlePushMessage] the same", note["payload"] == firebase["payload"], note)


@flow(android="consumer taps a push notification")
def push_is_tapped(app):
    conversation = app.converse()
    words = "Your card is on its way", "It comes on Tuesday"
    for sequence, each in enumerate(words):
        app.agent_pushes(each, sequence + 1, sequence + 1, sequence, conversation)
    app.unread(2)  # [getPushMessageId, setPushNotificationTapped] The tap alone downloads nothing.
    window = opened(app, conversation, *words, credentials=app.code())
    window.write("Thank you")


@flow(ios="window closes and pushes come", android="fragment closes and pushes come")
def window_closes(app):
    conversation = app.converse()
    window = app.show()
    check("nothing was missed", window.resume(conversation) == [])
    deed = app.brand.act("alice", "say", text="I am here")
    check("while the window is open what is said comes there", deed["delivery"] == "socket", deed)
    window.hear(AGENT, text("I am here"))
    window.close()
    for sequence, words in ((1, "Are you?"), (2, "Hello?")):
        app.agent_pushes(words, sequence, sequence, sequence, conversation)
    check("both are unread", app.unread(2) == {conversation: 2})
    window = app.show()
    window.conversation = conversation
    missed = window.read(since=1)
    check("they come when it is opened again", said(missed) == [(AGENT, "Are you?"), (AGENT, "Hello?")], missed)
    app.unread(0)
    app.brand.act("alice", "say", text="Welcome back")
    window.hear(AGENT, text("Welcome back"))
    window.close()
    app.agent_pushes("Gone again?", 3, 1, 4, conversation)  # the third in all, and the count starts again


CAMPAIGN = {"id": 880010, "name": "Contracts", "engagements": [{"id": 880011, "name": "Renewal", "skill": "77"}]}


@flow(both="proactive message is tapped", liveperson={"campaigns": [CAMPAIGN]})
def proactive_message(app):
    app.initialize()
    app.sign_in(app.own())
    app.register()
    campaign = {"campaignId": 880010, "engagementId": 880011}
    members = {"lookBackPeriod": 86400000, "campaignInfo": campaign, "title": "Brand"}
    app.brand.push("alice", "Your contract ends soon", backendService="prmsg", **members)
    app.pushed(1, app.brand_alert("Your contract ends soon"), 1, "prmsg", **members)
    window = app.show()  # [setPushNotificationTapped, showConversation]
    check("there is no conversation yet", window.subscribe("OPEN") == [])
    window.begin("77", ["Your contract ends soon"], campaignInfo=campaign, conversationContext={"type": "MobileAppContext", "lang": "en-US"})
    window.write("About my contract")
    window.close()
    app.brand.push("alice", "Go on here", backendService="c2m", **members)  # a call deflected to messaging (8.6)
    app.pushed(2, app.brand_alert("Go on here"), 1, "c2m", **members)
    window = app.show()
    conversation = window.subscribe("OPEN")
    check("tapped, it goes on where she was", len(conversation) == 1)
    window.conversation = conversation[0]["convId"]
    check("with the message", said(window.read())[-1][1] == "Go on here")


@flow(both="unread messages are counted")
def unread_messages(app):
    app.initialize()
    answer = app.count(token="")
    check("without credentials the pusher says nothing", answer.status_code == 401 and answer.json() == {"error": "token_invalid"}, answer.text)
    conversation = app.converse()
    app.unread(0)
    for sequence, words in enumerate(["One", "Two"]):
        app.agent_pushes(words, sequence + 1, sequence + 1, sequence, conversation)
        check(f"the count is the badge: {sequence + 1}", app.unread(sequence + 1) == {conversation: sequence + 1})
    opened(app, conversation, "One", "Two").close()
    app.agent_pushes("Three", 3, 1, 4, conversation)
    app.brand.act("alice", "close", closedCause="Solved", survey=False)
    check("what a closed conversation has counts too", app.unread(1) == {conversation: 1})


@flow(both="unread messages cannot be counted at first")
def unread_count_fails(app):
    conversation = app.converse()
    app.agent_pushes("One", 1, 1, 0, conversation)
    app.brand.arm("liveperson.readUnread status code=503 times=6")
    answers = app.retrying(app.count)
    check("after five retries iOS shows 0, Android what it showed", [a.status_code for a in answers] == [503] * 6, answers)
    app.unread(1)
