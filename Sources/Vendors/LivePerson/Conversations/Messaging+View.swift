import SparringVendorKit

/// Conversations and what was said last in them, as notifications have them.
extension Messaging {
    /// One of an ExConversationChangeNotification's `changes`, as consumers and apps get it.
    func change(_ kind: String, _ conversation: Conversation) throws -> JSON {
        var result = conversation.view
        if let last = try lastContent(of: conversation, for: [MessagingTerms.everybody]) { result[Self.lastContentMember] = last }
        return ["type": .string(kind), "result": result]
    }

    static let lastContentMember = "lastContentEventNotification"

    /// The last message in the conversation (Messaging Agent SDK, Events: cqm.ExConversationChangeNotification).
    ///
    /// - Parameter audiences: for which of them it may have been; nil: any.
    func lastContent(of conversation: Conversation, for audiences: [String]? = nil) throws -> JSON? {
        for dialog in conversation.dialogs.reversed() {
            let last = try Conversation.lastEvent(dialog: dialog.id, sandbox: sandbox.id, db) { event in
                event["event"]?.isContent == true
                    && audiences?.contains(event["messageAudience"]?.string ?? MessagingTerms.everybody) != false
            }
            if let last { return last }
        }
        return nil
    }
}

extension Conversation.Participant {
    /// `originatorMetadata`, which repeats the client's properties (Messaging Agent SDK, Events: ms.MessagingEventNotification).
    func metadata(_ clientProperties: JSON?) -> JSON {
        .members(["id": .string(id), "role": .string(role), "clientProperties": clientProperties])
    }
}
