import SparringVendorKit

/// Handlers of the tag "Messages" (Khoros reference 1.3 and 1.9).
extension Khoros {
    func fetchMessages(_ messenger: Messenger, _ call: Call, _ conversation: MessengerConversation) throws -> Decision {
        let before = call.query("before").flatMap { Double($0) }.map { Timestamp(milliseconds: Int64(clamped: $0 * 1000)) }
        let shown = try messenger.shown(conversation, before: before)
        return .answer("messages-found", shown, cause: "\(shown["messages"]?.array?.count ?? 0) messages")
    }

    func sendMessage(_ messenger: Messenger, _ call: Call, _ conversation: MessengerConversation) throws -> Decision {
        let author = call.body?["author"]
        let said = try messenger.say(call.body?["message"], in: conversation, client: author?["client"], tab: author?["sessionId"])
        var answer = Answer(
            "message-sent", ["messages": [said.message.json(base: messenger.base)], "conversation": said.conversation.json],
            cause: "message \(said.message.number) of conversation \(conversation.id)")
        answer.findings = foreignAuthor(messenger, call)
        return .answer(answer)
    }

    func reportActivity(_ messenger: Messenger, _ call: Call, _ conversation: MessengerConversation) throws -> Decision {
        let type = call.body?["activity"]?["type"]?.string ?? ""
        if type == "conversation:read" { try messenger.read(conversation) }
        var answer = Answer("activity-taken", [:], cause: "\(messenger.user.name): \(type)")
        answer.findings = foreignAuthor(messenger, call)
        if type == "message:delivery" { answer.findings += try unknownArrival(messenger, call, conversation) }
        return .answer(answer)
    }

    /// A finding if the conversation does not have the message that is reported as delivered.
    private func unknownArrival(_ messenger: Messenger, _ call: Call, _ conversation: MessengerConversation) throws -> [Finding] {
        let place = "body:/activity/messageId"
        guard let id = call.body?["activity"]?["messageId"]?.string else {
            return [Finding("message-unknown", at: place, "it is not said which message has arrived")]
        }
        let messages = try MessengerMessageState.messages(of: conversation, messenger.sandbox.id, messenger.db)
        if messages.contains(where: { $0.id.isSame(as: id) }) { return [] }
        return [Finding("message-unknown", at: place, "conversation \(conversation.id) has no message \(id.quoted)")]
    }

    func sendPostback(_ messenger: Messenger, _ call: Call, _ conversation: MessengerConversation) throws -> Decision {
        let id = call.body?["postback"]?["actionId"]?.string ?? ""
        let messages = try MessengerMessageState.messages(of: conversation, call.sandbox.id, messenger.db)
        let actions = messages.flatMap { message in
            let items = message.content["items"]?.array ?? []
            return (message.content["actions"]?.array ?? []) + items.flatMap { $0["actions"]?.array ?? [] }
        }
        guard let action = actions.first(where: { $0["_id"]?.string?.isSame(as: id) == true }) else {
            throw Refusal("action-unknown", "no message of conversation \(conversation.id) has a button \(id.quoted)")
        }
        guard action["type"]?.string == "postback" else {
            let type = action["type"]?.text ?? "missing"
            throw Refusal("action-unknown", "the button's type is \(type), the server hears of postbacks only")
        }
        return .answer("postback-taken", [:], cause: "\(messenger.user.name) pressed \((action["text"]?.string ?? id).quoted)")
    }

    /// The author that the body names is the caller.
    private func foreignAuthor(_ messenger: Messenger, _ call: Call) -> [Finding] {
        guard let id = call.body?["author"]?["appUserId"]?.string, !id.isSame(as: messenger.user.id) else { return [] }
        return [
            Finding(
                "author-of-another", at: "body:/author/appUserId",
                "the caller is \(messenger.user.id), the author \(id.abbreviated(to: 100))")
        ]
    }
}
