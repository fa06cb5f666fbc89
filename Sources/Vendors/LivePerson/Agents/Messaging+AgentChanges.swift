import SparringVendorKit

/// The changes that an agent may make to a conversation (LivePerson reference 5.13 and 7; node-agent-sdk's README).
extension Messaging {
    /// Anybody of the brand may join; everything else takes an agent who has joined, or a manager.
    func change(_ conversation: Conversation, _ fields: [JSON], by session: AgentSession) throws -> Changed {
        let participant = session.participant(in: conversation)
        func isJoining(_ field: JSON) -> Bool { field["field"] == "ParticipantsChange" && field["type"] == "ADD" }
        guard participant != nil || session.agent.profile.mayChangeAnyConversation || fields.allSatisfy(isJoining) else {
            throw Refusal("participant-forbidden", "\(session.agent.nickname) takes no part in conversation \(conversation.id)")
        }
        if let objection = objection(to: fields, in: conversation, session) {
            throw Refusal("participant-forbidden", objection)
        }
        let suggestions = fields.filter(isSuggestion)
        guard !suggestions.isEmpty else {
            return try change(conversation, fields, by: participant ?? Conversation.Participant(id: session.agent.pid, role: "AGENT"))
        }
        return try suggest(suggestions, conversation, fields.filter { !isSuggestion($0) }, by: participant, session)
    }

    private func isSuggestion(_ field: JSON) -> Bool { field["field"] == "ParticipantsChange" && field["type"] == "SUGGEST" }

    /// Removing an assigned agent where that one is not assigned makes the request fail (node-agent-sdk's README).
    private func objection(to fields: [JSON], in conversation: Conversation, _ session: AgentSession) -> String? {
        for field in fields where field["field"] == "ParticipantsChange" && field["type"] == "REMOVE" {
            let asked = field["userId"]?.idText ?? session.agent.pid
            let role = field["role"]?.string ?? ""
            guard let agent = settings.agents.first(where: { $0.isCalled(asked, in: tenant.id) }) else { continue }
            let participants = conversation.dialogs.first?.participants ?? []
            guard participants.contains(Conversation.Participant(id: agent.pid, role: role)) else {
                return "\(agent.nickname) is no \(role) of conversation \(conversation.id)"
            }
        }
        return nil
    }

    /// Hands a conversation to one agent, who is offered it alone; the same request must remove any assigned agent.
    private func suggest(
        _ suggestions: [JSON], _ conversation: Conversation, _ others: [JSON], by participant: Conversation.Participant?,
        _ session: AgentSession
    ) throws -> Changed {
        let asked = suggestions.first?["userId"]?.idText ?? ""
        guard suggestions.count == 1, suggestions[0]["role"]?.string == "ASSIGNED_AGENT" else {
            throw Refusal("request-malformed", "one agent can be suggested, as ASSIGNED_AGENT")
        }
        guard let agent = settings.agents.first(where: { $0.isCalled(asked, in: tenant.id) }) else {
            throw Refusal("participant-forbidden", "the account has no agent '\(asked)'")
        }
        let isFreed = others.contains { $0["type"] == "REMOVE" && $0["role"] == "ASSIGNED_AGENT" || $0["field"] == "Skill" }
        guard conversation.assigned.isEmpty || isFreed else {
            throw Refusal("participant-forbidden", "conversation \(conversation.id) has an assigned agent, who must be removed")
        }
        let actor = participant ?? Conversation.Participant(id: session.agent.pid, role: "AGENT")
        // The suggestion stands before the conversation is offered, and falls with a refusal of the rest.
        try RoutingState.suggest(agent.pid, for: conversation.id, account: tenant.id, sandbox.id, db)
        do {
            var changed = try change(conversation, others, by: actor)
            changed.words = "suggested \(agent.nickname), " + changed.words
            return changed
        } catch let refusal as Refusal {
            try RoutingState.suggest(nil, for: conversation.id, account: tenant.id, sandbox.id, db)
            throw refusal
        }
    }
}
