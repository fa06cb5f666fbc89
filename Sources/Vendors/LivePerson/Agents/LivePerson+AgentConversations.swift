import SparringVendorKit

/// Handlers of the tag "AgentConversations" (LivePerson reference 7; the fields of a change are those of 5.13).
extension LivePerson {
    static let agentConversationsChanged = "agentConversationsChanged"

    func agentSubscribeConversations(_ db: Database, _ call: Call) throws -> Decision {
        let (known, socket) = try agentSession(of: call)
        var session = known
        let id = call.draw("subscription").uuid
        let messaging = Messaging(call.occasion, db)
        let filter = AgentFilter(
            call.body?["body"], messaging.settings.agents, account: call.tenant.id,
            own: session.agent.seesAllConversations ? nil : session.agent.pid)
        session.conversations.append((id, filter))
        socket.remember(AgentSession.key, session)
        let all = try Conversation.all(account: call.tenant.id, consumer: nil, state: nil, sandbox: call.sandbox.id, db)
        let changes = try filter.shown(all).map { try messaging.change("UPSERT", $0, for: session) }
        try call.outbox.notify(
            Self.agentConversationsChanged, ["subscriptionId": .string(id), "changes": .array(changes)], to: socket,
            cause: "what is there already")
        return .answer(reply("agent-conversations-subscribed", body: ["subscriptionId": .string(id)], call))
    }

    func agentUnsubscribeConversations(_ call: Call) throws -> Decision {
        let (known, socket) = try agentSession(of: call)
        var session = known
        let id = call.body?["body"]?["subscriptionId"]?.idText ?? ""
        guard session.conversations.contains(where: { $0.id == id }) else {
            throw Refusal("subscription-unknown", "the socket has no subscription '\(id)'")
        }
        session.conversations.removeAll { $0.id == id }
        socket.remember(AgentSession.key, session)
        return .answer(reply("agent-conversations-unsubscribed", call))
    }

    func agentUpdateConversation(_ db: Database, _ call: Call) throws -> Decision {
        let session = try agentSession(of: call).session
        let body = call.body?["body"]
        let fields = body?["conversationField"]?.oneOrMore ?? []
        let messaging = Messaging(call.occasion, db)
        let conversation = try messaging.conversation(body?["conversationId"]?.idText ?? "")
        let changed = try messaging.change(conversation, fields, by: session)
        let text =
            switch fields.first?["type"]?.string {
            case "ADD": "OK Agent added successfully"
            case "REMOVE": "OK Agent removed successfully"
            default: changed.isResolved ? "OK Conversation resolved successfully" : "OK"
            }
        return .answer(reply("agent-conversation-updated", body: .string(text), call, cause: changed.words))
    }

    /// The agent who asks for it is the one assigned to it (assumed).
    func agentRequestConversation(_ db: Database, _ call: Call) throws -> Decision {
        let session = try agentSession(of: call).session
        let body = call.body?["body"]
        let consumer = body?["consumerId"]?.string ?? ""
        guard try LivePersonState.knows(consumer, call.sandbox.id, db) else {
            throw Refusal("consumer-unknown", "nobody has signed in as consumer '\(consumer)'")
        }
        let opened = try Messaging(call.occasion, db).open(for: consumer, body, with: session.agent.participant)
        return .answer(
            reply("agent-conversation-requested", body: ["conversationId": .string(opened.conversation.id)], call, cause: opened.words))
    }

    /// The profile that the consumer has given, with the members that the SDK reads (LivePerson reference 7).
    func agentGetUserProfile(_ db: Database, _ call: Call) throws -> Decision {
        let body = call.body?["body"]
        let consumer = body?.string ?? body?["userId"]?.string ?? ""
        guard let identity = try LivePersonState.identity(of: consumer, call.sandbox.id, db) else {
            throw Refusal("consumer-unknown", "nobody has signed in as consumer '\(consumer)'")
        }
        var profile = try ConversationState.profile(of: consumer, account: call.tenant.id, sandbox: call.sandbox.id, db) ?? [:]
        profile["userId"] = .string(consumer)
        profile["claims"] = .members(["iss": identity.iss.map { .string($0) }, "sub": identity.sub.map { .string($0) }, "lp_sdes": []])
        for name in ["authenticatedData", "privateData"] where profile[name]?.object == nil { profile[name] = [:] }
        return .answer(reply("agent-user-profile-told", body: profile, call))
    }
}
