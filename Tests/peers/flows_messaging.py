"""The flows about the messaging window: where it is offered, what is said in it, and how it ends."""

import base64

from app import MONITORING_BACK_OFF
from brand import NOW
from consumer import text
from flow import flow
from peer import check, http
from window import dialog, roles, said

AGENT = "ASSIGNED_AGENT"
CLOSED = "OK Conversation resolved successfully"


@flow(ios="user clicks messaging button", android="user clicks messaging button")
def messaging_button(app):
    app.initialize()
    app.refused({"id_token": app.brand.credential("jwt", "alice", defect="wrong-key")}, "9007")  # the most common failure
    window = app.show(app.code())
    check("[ConnectionStateChanged, onConnectionChanged(true)] there is nothing yet", window.subscribe("OPEN", "CLOSE") == [])
    window.begin()
    window.send({"type": "ChatStateEvent", "chatState": "COMPOSING"})
    check("the first message has sequence 0 (5.11)", window.write("Hello") == 0)

    deed = app.brand.act("alice", "read")
    check("the agent's receipt goes by the socket", (deed["delivery"], deed["sequence"]) == ("socket", 1), deed)
    details = window.changed(state="OPEN", stage="OPEN")
    agent = roles(details["participants"])[AGENT]
    taking = roles(dialog(details, "MAIN")["participantsDetails"])
    check("the agent takes part, in the dialog too", taking == {"CONSUMER": app.consumer, AGENT: agent}, details)
    change = window.hear(AGENT, {"type": "AcceptStatusEvent", "status": "READ", "sequenceList": [0]})
    check("and it was the agent who read", change["originatorId"] == agent, change)
    app.brand.act("alice", "typing")
    window.hear(AGENT, {"type": "ChatStateEvent", "chatState": "COMPOSING"})
    app.brand.act("alice", "say", text="Hello Alice")
    window.hear(AGENT, text("Hello Alice"))
    check("receipts take sequences too", [window.receipt("ACCEPT", 2), window.receipt("READ", 2)] == [3, 4])
    window.close()

    spent = app.code()
    window = app.show(spent)  # each opening of the window needs a fresh code
    window.subscribe("OPEN", "CLOSE")
    window.conversation = details["convId"]
    check("the history is there", [c for c in said(window.read()) if c[1]] == [("CONSUMER", "Hello"), (AGENT, "Hello Alice")])
    field = [{"field": "ConversationStateField", "conversationState": "CLOSE"}]
    body = {"conversationId": window.conversation, "conversationField": field}
    check("[resolveConversation]", window.ask("cm.UpdateConversationField", body, "StringResponse", ".ReqBody$StringResp") == CLOSED)
    details = window.changed(state="CLOSE", stage="CLOSE", closeReason="CONSUMER")
    main = dialog(details, "MAIN")
    check("its dialog was closed by her (5.9)", (main["state"], main["closedBy"]) == ("CLOSE", "CONSUMER") and main["endTs"] == NOW * 1000, main)
    late = window.request("ms.PublishEvent", {"dialogId": window.conversation, "event": text("Late")})
    check("nothing can be said after that", late["code"] >= 400, late)
    window.close()
    app.refused(spent)


@flow(ios="token expires during a conversation", android="token expires during a conversation", liveperson={"tokenLifetime": "60s"})
def token_expires(app):
    conversation = app.converse()
    stale = app.token
    window = app.show()
    window.resume(conversation)
    window.write("Hello")
    app.brand.advance(59)
    window.write("Still here")
    app.brand.advance(1)
    check("[TokenExpired, onTokenExpired] the window closes with 4401 (5.3)", window.closed() == 4401)
    check("and with that token again", app.barred() == 4401)
    for call in (app.put, app.count):
        answer = call()
        check("the pusher says that it has expired", answer.status_code == 401 and answer.json() == {"error": "token_expired"}, answer.text)
    window = app.show(app.own())  # [reconnect]
    check("with a fresh one nothing is lost", app.token != stale and [c["convId"] for c in window.subscribe("OPEN")] == [conversation])
    check("what was said is there", said(window.resume(conversation)) == [("CONSUMER", "Hello"), ("CONSUMER", "Still here")])
    check("and it goes on", window.write("Back again") == 2)
    app.register(200)


LOANS = {"id": 880002, "name": "Loans", "revision": 3, "entryPoints": ["sec://Loans"], "language": "de-DE", "windowId": "w1", "skill": "77"}
CARDS = {"id": 880003, "name": "Cards", "entryPoints": ["sec://Cards"], "consumers": ["authenticated"]}
CAMPAIGNS = {"campaigns": [{"id": 880001, "name": "App", "engagements": [LOANS, CARDS]}]}


def typed(shown):
    """An engagement's members have the types of the samples (9.1)."""
    numbers = [type(shown[m]) for m in ("campaignId", "engagementId", "engagementRevision", "connectorId")]
    texts = [type(shown[m]) for m in ("contextId", "conversationId", "status", "windowId", "language") if m in shown]
    check("numbers are numbers and texts texts", set(numbers) == {int} and set(texts) == {str}, shown)
    return {m: shown.get(m) for m in ("campaignId", "engagementId", "status")}


@flow(ios="user navigates about the app", android="user navigates about the app", liveperson=CAMPAIGNS)
def user_navigates(app):
    app.initialize()
    check("on the start page there is nothing: no button", app.engagement("sec://Start") is None)
    shown = app.engagement("sec://Loans")
    want = {"campaignId": 880001, "engagementId": 880002, "status": "expose"}
    check("in the section Loans there is an engagement", typed(shown) == want and shown["engagementRevision"] == 3, shown)
    check("elsewhere the button goes", app.engagement("sec://News") is None)
    check("in Cards it is for who is signed in", app.engagement("sec://Cards") is None)
    alice = {"iss": app.brand.liveperson["issuers"][0]["iss"], "acr": "loa1", "sub": "alice"}
    check("such as alice", typed(app.engagement("sec://Cards", identities=[alice]))["engagementId"] == 880003)
    again = app.engagement("sec://Loans", identities=[alice])
    check("coming back to Loans shows the same", again == shown, again)

    window = app.show(app.own())  # [showConversation] with the engagement that was kept
    window.subscribe("OPEN")
    context = {
        "type": "MobileAppContext", "lang": shown["language"], "visitorId": app.visitor, "sessionId": app.session,
        "interactionContextId": shown["contextId"]}
    info = {"campaignId": shown["campaignId"], "engagementId": shown["engagementId"]}
    window.begin("77", campaignInfo=info, conversationContext=context)  # 77: the agents for loans
    current = app.engagement("sec://Loans", identities=[alice])
    check("the open conversation is shown in its place", typed(current)["status"] == "conversation", current)
    check("by its id", current["conversationId"] == window.conversation, current)


@flow(both="user navigates about the app while the account is loading", liveperson=CAMPAIGNS)
def engagement_fails(app):
    app.initialize()
    app.brand.arm("liveperson.fetchEngagement account-loading times=2")
    answers = app.retrying(lambda: app.fetch("sec://Loans"), MONITORING_BACK_OFF)
    check("202 until it is loaded (9.3)", [a.status_code for a in answers] == [202, 202, 201], answers)
    check("by code 38", all(a.json()["internalCode"] == 38 for a in answers[:2]), answers[0].text)
    check("which named the visitor", all(answers[-1].json()["visitorId"] in a.text for a in answers[:2]), answers[0].text)
    check("after 3 and 10 s", app.brand.now == NOW + 13)
    app.brand.arm("liveperson.fetchEngagement unavailable times=5")
    answers = app.retrying(lambda: app.fetch("sec://Loans"), MONITORING_BACK_OFF)
    check("at the fifth 503 the app gives up, and shows no button", [a.status_code for a in answers] == [503] * 5, answers)
    check("the next page has one again", app.engagement("sec://Loans")["status"] == "expose")


@flow(both="engagement with a JWE identity", liveperson=CAMPAIGNS)
def engagement_by_jwe(app):
    app.initialize()
    check("not for who is unknown", app.engagement("sec://Cards") is None)
    identity = {"iss": app.brand.liveperson["issuers"][0]["iss"], "acr": "loa1", "sub": app.brand.credential("jwe", "alice")}
    shown = app.engagement("sec://Cards", identities=[identity])
    check("for alice, by the JWE alone", typed(shown) == {"campaignId": 880001, "engagementId": 880003, "status": "expose"}, shown)
    window = app.show({"id_token": app.brand.credential("jwe", "alice")})
    window.begin()
    shown = app.engagement("sec://Cards", identities=[identity])
    check("it names her conversation", typed(shown)["status"] == "conversation" and shown["conversationId"] == window.conversation, shown)


PHOTO = base64.b64decode(  # a PNG of one pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


@flow(both="a photo is shared")
def photo_is_shared(app):
    conversation = app.converse()
    window = app.show()
    window.resume(conversation)

    def url(kind, **body):
        """Where a file is put or fetched (5.15)."""
        said = window.ask(f"ms.GenerateURLFor{kind}File", body, "ms.BaseGenerateURLResponse", "ms.GenerateURLResponse")
        query = said["queryParams"]
        check("for a minute", query["temp_url_expires"] == str(app.brand.now + 60) and len(query["temp_url_sig"]) == 40, said)
        return said["relativePath"], app.url("swift", said["relativePath"]) + "?" + "&".join(f"{n}={v}" for n, v in query.items())

    path, room = url("Upload", fileSize=len(PHOTO), fileType="PNG")
    check("the photo is put", http.put(room, data=PHOTO, timeout=60).status_code == 201)
    preview = "data:image/png;base64," + base64.b64encode(PHOTO).decode()
    message = {"caption": "my receipt", "relativePath": path, "fileType": "PNG", "preview": preview}
    window.send({"type": "ContentEvent", "contentType": "hosted/file", "message": message})
    same, link = url("Download", relativePath=path)
    got = http.get(link, timeout=60)
    check("and fetched to be shown, as it was", same == path and got.status_code == 200 and got.content == PHOTO, got.status_code)
    late = url("Upload", fileSize=len(PHOTO), fileType="PNG")[1]
    app.brand.advance(60)
    refused = http.get(link, timeout=60), http.put(late, data=PHOTO, timeout=60)
    check("a minute later neither URL serves", [a.status_code for a in refused] == [401, 401], refused)
    got = http.get(url("Download", relativePath=path)[1], timeout=60)
    check("a fresh one does", got.content == PHOTO, got.status_code)


def chosen(window, change, title):
    """A quick reply is clicked: two publishes with its metadata (5.11)."""
    reply = next(each for each in change["event"]["quickReplies"]["replies"] if each["title"] == title)
    action, metadata = reply["click"]["actions"][0], reply["click"]["metadata"]
    check("clicking it publishes its text", action == {"type": "publishText", "text": title}, reply)
    window.receipt("ACTION", change["sequence"], metadata=metadata, at=change["dialogId"])
    return window.send(text(title), change["dialogId"], metadata)


SURVEY = {"surveys": {"nps": [{"text": "Would you come again?", "quickReplies": ["Yes", "No"]}, {"text": "Why?"}]}, "messaging": {"survey": "nps"}}


@flow(both="a survey follows", liveperson=SURVEY)
def survey_follows(app):
    conversation = app.converse()
    window = app.show()
    window.subscribe("OPEN", "CLOSE")
    window.resume(conversation)
    app.brand.act("alice", "say", text="Good bye")
    window.changed(state="OPEN")
    window.hear(AGENT, text("Good bye"))
    app.brand.act("alice", "close", closedCause="Solved")
    details = window.changed(state="CLOSE", stage="OPEN", closeReason="AGENT")
    main, survey = dialog(details, "MAIN"), dialog(details, "POST_SURVEY")
    check("the main dialog is closed", (main["state"], main["closedBy"], main["closedCause"]) == ("CLOSE", "AGENT", "Solved"), main)
    taking = roles(survey["participantsDetails"])
    check("the survey is open, between her and a bot", survey["state"] == "OPEN" and taking.keys() >= {"CONSUMER", "AGENT"}, survey)

    asked = window.read(survey["dialogId"])  # a subscription of its own (5.10)
    check("the bot asks", said(asked) == [("AGENT", "Would you come again?")] and asked[0]["originatorId"] == taking["AGENT"], asked)
    check("which is a question", asked[0]["metadata"][0]["type"] == "Question", asked)
    check("answered by a click", chosen(window, asked[0], "Yes") == 2)
    question = window.hear("AGENT", text("Why?"), survey["dialogId"])
    check("the second is one too", question["metadata"][0]["type"] == "Question", question)
    window.send(text("Nice people"), survey["dialogId"])
    details = window.changed(state="CLOSE", stage="CLOSE")
    ends = [(d["dialogType"], d["state"], d["closedBy"], d["closedCause"]) for d in details["dialogs"]]
    want = [("MAIN", "CLOSE", "AGENT", "Solved"), ("POST_SURVEY", "CLOSE", "AGENT", "Completed")]
    check("then all is closed, the survey as completed (5.13)", ends == want, details)


@flow(both="structured content opens a deep link")
def structured_content(app):
    """[structured_content_link_as_callback] The link is in a card that the agent sends; the app opens it itself."""
    conversation = app.converse()
    window = app.show()
    window.resume(conversation)
    link = {"type": "link", "name": "open", "uri": "https://brand.test/chat/loans"}
    metadata = [{"type": "ExternalId", "id": "loans-1"}]
    button = {"type": "button", "title": "Your loans", "tooltip": "Your loans", "click": {"actions": [link], "metadata": metadata}}
    content = {"type": "vertical", "elements": [{"type": "text", "text": "Look at this", "tooltip": "Look at this"}, button]}
    app.brand.act("alice", "card", content=content)
    change = window.hear(AGENT, {"type": "RichContentEvent", "content": content})
    check("the link is whole", change["event"]["content"]["elements"][1]["click"]["actions"] == [link], change)
    window.receipt("ACTION", change["sequence"], metadata=metadata)
