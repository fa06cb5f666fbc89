import SparringVendorKit

/// Handlers of the tag "Conversations" (LivePerson reference 5.7 to 5.9, 5.13).
extension LivePerson {
    func requestConversation(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        let messaging = Messaging(call.occasion, db)
        let opened = try messaging.open(for: session.consumer, call.body?["body"], by: session.clientProperties)
        var answer = reply("conversation-requested", body: ["conversationId": .string(opened.conversation.id)], call, cause: opened.words)
        answer.findings = opened.findings
        return .answer(answer)
    }

    func subscribeConversations(_ db: Database, _ call: Call) throws -> Decision {
        let (known, socket) = try consumerSession(of: call)
        var session = known
        let id = call.draw("subscription").uuid
        let filter = ConversationFilter(call.body?["body"])
        session.conversations.append((id, filter))
        socket.remember(ConsumerSession.key, session)
        let all = try Conversation.all(of: session.consumer, account: call.tenant.id, sandbox: call.sandbox.id, db)
        let messaging = Messaging(call.occasion, db)
        let changes = try all.filter(filter.fits).map { try messaging.change("UPSERT", $0) }
        try call.outbox.notify(
            Self.conversationsChanged, ["subscriptionId": .string(id), "changes": .array(changes)], to: socket,
            cause: "what is there already")
        return .answer(reply("conversations-subscribed", body: ["subscriptionId": .string(id)], call))
    }

    func unsubscribeConversations(_ call: Call) throws -> Decision {
        let (known, socket) = try consumerSession(of: call)
        var session = known
        let id = call.body?["body"]?["subscriptionId"]?.idText ?? ""
        guard session.conversations.contains(where: { $0.id == id }) else {
            throw Refusal("subscription-unknown", "the socket has no subscription '\(id)'")
        }
        session.conversations.removeAll { $0.id == id }
        socket.remember(ConsumerSession.key, session)
        return .answer(reply("conversations-unsubscribed", call))
    }

    func updateConversation(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        let messaging = Messaging(call.occasion, db)
        let body = call.body?["body"]
        let conversation = try messaging.conversation(body?["conversationId"]?.idText ?? "", of: session.consumer)
        let changed = try messaging.change(conversation, body?["conversationField"]?.oneOrMore ?? [], by: session.participant)
        return .answer(
            reply(
                "conversation-updated", body: .string(changed.isResolved ? "OK Conversation resolved successfully" : "OK"), call,
                cause: changed.words))
    }

    static let conversationsChanged = "conversationsChanged"
}

extension Outbox {
    /// Sends a notification, in the envelope that the contract's example has.
    func notify(_ message: String, _ body: JSON, to socket: Socket, cause: Cause? = nil) throws {
        var notification = socket.channel.sent.first { $0.id == message }?.example ?? [:]
        notification["body"] = body
        try send(message, notification, to: socket, cause: cause)
    }
}

/// Handlers of the tag "UserProfile" (LivePerson reference 5.14).
extension LivePerson {
    func setUserProfile(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        try ConversationState.setProfile(
            call.body?["body"] ?? [:], of: session.consumer, account: call.tenant.id, sandbox: call.sandbox.id, db)
        return .answer(reply("user-profile-set", call))
    }

    /// Answers with the engagement attributes that the profile carries.
    func getUserProfile(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        let profile = try ConversationState.profile(of: session.consumer, account: call.tenant.id, sandbox: call.sandbox.id, db)
        let attributes = profile?["authenticatedData"]?["lp_sdes"]?.array ?? []
        return .answer(reply("user-profile-told", body: .array(attributes), call))
    }
}
