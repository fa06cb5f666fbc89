import SparringVendorKit

/// The survey after a conversation (LivePerson reference 5.13). Which question is next is read from what the bot has asked in the dialog, so that it
/// goes on after a restart.
extension Messaging {
    static let surveyDialog = "POST_SURVEY"

    /// The bot that asks (LivePerson reference 5.9: AGENT is a bot's role).
    var surveyBot: Conversation.Participant {
        Conversation.Participant(id: Draw(seed: sandbox.idSeed, "survey bot", tenant.id).uuid, role: "AGENT")
    }

    // MARK: Opening

    /// Opens the survey's dialog where the change has closed the main one, and only that.
    ///
    /// - Returns: what was done, or why not, for the journal; nil where no survey was due.
    func openSurvey(
        in conversation: inout Conversation, before: Conversation, _ fields: [JSON], by actor: Conversation.Participant
    ) throws -> String? {
        guard before.state == "OPEN", conversation.state == "CLOSE", let name = before.survey, let main = before.dialogs.first else {
            return nil
        }
        if let objection = try objection(to: name, before, main, fields, by: actor) { return "no survey '\(name)': \(objection)" }
        let readers = main.participants.filter { $0.role == "ASSIGNED_AGENT" }.map { Conversation.Participant(id: $0.id, role: "READER") }
        let consumer = Conversation.Participant(id: conversation.consumer, role: "CONSUMER")
        let dialog = Conversation.Dialog(
            id: draw("survey").uuid, type: Self.surveyDialog, started: now, participants: [consumer, surveyBot] + readers)
        conversation.dialogs.append(dialog)
        (conversation.stage, conversation.ended) = ("OPEN", nil)
        return "survey '\(name)' opened in dialog \(dialog.id)"
    }

    /// Why no survey follows.
    private func objection(
        to name: String, _ conversation: Conversation, _ main: Conversation.Dialog, _ fields: [JSON], by actor: Conversation.Participant
    ) throws -> String? {
        guard fields.allSatisfy({ $0["field"] == "DialogChange" || $0["conversationState"] == nil }) else { return "everything was closed" }
        guard settings.surveys[name] != nil else { return "the account does not have it any more" }
        let closing = fields.first { $0["field"] == "DialogChange" && $0["dialog"]?["dialogId"]?.idText == main.id }
        // node-agent-sdk issue 153.
        guard actor.role == "CONSUMER" || closing?["dialog"]?["closedCause"]?.string?.isEmpty == false else {
            return "the agent gave no closedCause"
        }
        guard try announces("MULTI_DIALOG", conversation.consumer) else { return "the consumer's client did not announce MULTI_DIALOG" }
        return nil
    }

    /// Whether one of the consumer's clients can do something: those on open sockets; where there is none, the last that said what it can
    /// (assumed).
    private func announces(_ feature: JSON, _ consumer: String) throws -> Bool {
        let open = sockets(of: consumer)
        let announced =
            open.isEmpty
            ? [try LivePersonState.clientProperties(of: consumer, sandbox.id, db)] : open.map(\.session.clientProperties)
        return announced.contains { $0?["features"]?.oneOrMore.contains(feature) == true }
    }

    // MARK: Asking

    /// Asks the first question of a survey where the change has opened one.
    func beginSurvey(of conversation: Conversation, before: Conversation) throws {
        guard conversation.dialogs.count > before.dialogs.count, let dialog = conversation.dialogs.last, dialog.type == Self.surveyDialog
        else { return }
        try ask(0, in: dialog, of: conversation)
    }

    /// Takes what the consumer has said in a survey's dialog as the answer to the last question: the next is asked, or the survey is over.
    ///
    /// - Returns: what was done, for the journal; nil where it is no answer.
    func takeAnswer(_ event: JSON, in dialog: Conversation.Dialog, of conversation: Conversation) throws -> String? {
        guard event["type"] == "ContentEvent", let text = event["message"]?.string, let name = conversation.survey else { return nil }
        let questions = settings.surveys[name] ?? []
        let bot = surveyBot.id
        let asked = try Conversation.events(dialog: dialog.id, from: 0, sandbox: sandbox.id, db)
            .count { $0["originatorId"]?.string == bot && $0["event"]?["type"] == "ContentEvent" }
        var words = "answer \(asked) of survey '\(name)'"
        if asked >= 1, asked <= questions.count, let replies = questions[asked - 1].quickReplies {
            words += replies.contains(text) ? ", a quick reply" : ", none of the quick replies"
        }
        guard asked >= questions.count else {
            try ask(asked, in: dialog, of: conversation)
            return words
        }
        var done = conversation
        done.close(dialog: dialog.id, by: surveyBot.closer, cause: "Completed", at: now)
        try done.store(sandbox: sandbox.id, db)
        try notify(done, before: conversation)
        return words + ", completed"
    }

    /// The form is LivePerson reference 5.11's; what the metadata hold beside their type is assumed.
    private func ask(_ index: Int, in dialog: Conversation.Dialog, of conversation: Conversation) throws {
        guard let name = conversation.survey, let question = settings.surveys[name]?[index] else { return }
        let id = "\(name)-\(index + 1)"
        var event: JSON = ["type": "ContentEvent", "contentType": "text/plain", "message": .string(question.text)]
        if let replies = question.quickReplies {
            let buttons = replies.enumerated().map { number, text -> JSON in
                [
                    "type": "button", "title": .string(text), "tooltip": .string(text),
                    "click": [
                        "actions": [["type": "publishText", "text": .string(text)]],
                        "metadata": [["type": "ExternalId", "id": .string("\(id)-\(number + 1)")]],
                    ],
                ]
            }
            event["quickReplies"] = ["type": "quickReplies", "itemsPerRow": 8, "replies": .array(buttons)]
        }
        try say(event, metadata: [["type": "Question", "id": .string(id)]], by: surveyBot, in: dialog, of: conversation)
    }
}
