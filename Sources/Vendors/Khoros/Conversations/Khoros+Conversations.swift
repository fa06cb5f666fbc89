import SparringVendorKit

/// Handlers of the tag "Conversations" (Khoros reference 1.3).
extension Khoros {
    func listConversations(_ messenger: Messenger, _ call: Call) throws -> Decision {
        let offset = call.query("offset")?.integer(in: 0...1_000_000) ?? 0
        let page = try messenger.conversationPage(from: offset)
        return .answer("conversations-listed", page, cause: "\(page["conversations"]?.array?.count ?? 0) conversations, from \(offset) on")
    }

    func createConversation(_ messenger: Messenger, _ call: Call) throws -> Decision {
        let known = try MessengerConversationState.conversations(of: messenger.user, call.sandbox.id, messenger.db)
        guard call.settings(of: self).allowsSeveralConversations || known.isEmpty else {
            throw Refusal("conversation-limit", "\(messenger.user.name) has a conversation, and the app allows one only")
        }
        try keepClient(of: messenger.user, call, messenger.db)
        let conversation = try messenger.begin(call.body, client: call.body?["client"], heard: true)
        return .answer(
            "conversation-started", try messenger.shown(conversation), cause: "conversation \(conversation.id) of \(messenger.user.name)")
    }

    /// A subscription is answered in the same way: the socket has the user's conversations, all of them.
    func fetchConversation(_ messenger: Messenger, _ call: Call, _ conversation: MessengerConversation) throws -> Decision {
        let name = call.operation.id == Operation.subscribeConversation.rawValue ? "conversation-subscribed" : "conversation-found"
        return .answer(name, try messenger.shown(conversation), cause: "conversation \(conversation.id)")
    }

    /// The path names the user too, who must be the caller.
    func fetchConversationOfUser(_ messenger: Messenger, _ call: Call) throws -> Decision {
        try inConversation(call, messenger.db) { try fetchConversation($0, call, $1) }
    }

    func updateConversation(_ messenger: Messenger, _ call: Call, _ conversation: MessengerConversation) throws -> Decision {
        var conversation = conversation
        conversation.take(call.body)
        conversation.updated = call.now
        try MessengerConversationState.update(conversation, call.sandbox.id, messenger.db)
        return .answer("conversation-changed", try messenger.shown(conversation), cause: "conversation \(conversation.id)")
    }
}
