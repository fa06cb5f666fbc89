"""How what the user writes gets into the conversation."""
from clock import Retries
from failures import GivenUp, Refused
from files import upload
from habits import has


def send(chat, item):
    """Publishes one message and sees it through; the order in which the user wrote is kept by going one by one."""
    retries = Retries(chat.app.clock, chat.app.options, chat.socket.closed)
    try:
        if chat.memory.conversation is None:
            begin_conversation(chat)
        if item.photo and "relativePath" not in item.event["message"]:
            upload(chat.app, item, chat.ask, chat.socket.closed)
        while not item.done:
            if item.tried and has("never-sends-again"):
                item.done = True
                break
            dialog = "nowhere" if has("publishes-to-no-dialog") else chat.memory.dialog
            item.tried, item.known = True, chat.memory.transcript(dialog).highest
            answer = chat.socket.request("ms.PublishEvent", {
                "dialogId": dialog, "conversationId": chat.memory.conversation, "event": item.event})
            if answer["code"] < 400:
                item.done = True
                transcript = chat.memory.transcript(dialog)
                transcript.highest = max(transcript.highest, answer["body"]["sequence"])
            elif has("drops-what-was-refused"):
                item.done = True
            elif has("lets-later-messages-pass"):
                chat.memory.outbox.remove(item)
                chat.memory.outbox.append(item)
                chat.app.clock.wait(1, chat.socket.closed)
                return
            elif has("hurries-after-429"):
                chat.app.clock.wait(0.2, chat.socket.closed)
            else:
                retries.pause(chat.refusal("ms.PublishEvent", answer))
                chat.take_in()  # it may be there all the same
    except (GivenUp, Refused) as failure:
        item.failed = True
        chat.app.give_up("message", failure)


def begin_conversation(chat):
    """A conversation of the engagement that the user was shown ("User navigates about the App" 4)."""
    engagement, visitor = chat.memory.engagement or {}, chat.memory.visitor
    body = {"ttrDefName": "NORMAL", "channelType": "MESSAGING", "brandId": chat.app.settings.account,
            "conversationContext": {"type": "MobileAppContext", "lang": "en-US"}}
    if engagement.get("contextId"):
        body["campaignInfo"] = {"campaignId": engagement["campaignId"], "engagementId": engagement["engagementId"]}
        body["conversationContext"] = {
            "type": "SharkContext", "lang": "en-US", "visitorId": visitor["vid"], "sessionId": visitor["sid"],
            "interactionContextId": engagement["contextId"]}
    answer = chat.ask("cm.ConsumerRequestConversation", body)
    # The main dialog has the conversation's own id (LivePerson reference 5.7).
    chat.memory.conversation = chat.memory.dialog = answer["conversationId"]
    chat.follow(chat.memory.dialog)
