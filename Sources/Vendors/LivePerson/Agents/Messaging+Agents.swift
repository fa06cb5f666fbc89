import SparringVendorKit

/// Notifications to agents' sockets (LivePerson reference 7).
extension Messaging {
    /// The account's open sockets of agents.
    var agentSockets: [(socket: Socket, session: AgentSession)] {
        sandbox.openSockets(of: Self.agents(of: tenant)).compactMap { socket in socket.agentSession.map { (socket, $0) } }
    }

    /// The owner under which the sandbox files agents' sockets.
    static func agents(of tenant: Tenant) -> String { "agents of \(tenant.id)" }

    // MARK: Conversations

    /// Tells agents who follow the conversation, and offers it to agents where it waits for one.
    func tellAgents(of conversation: Conversation, before: Conversation?) throws {
        for (socket, session) in agentSockets {
            for (id, filter) in session.conversations {
                let kind = filter.fits(conversation) ? "UPSERT" : before.map(filter.fits) == true ? "DELETE" : nil
                guard let kind else { continue }
                try outbox.notify(
                    LivePerson.agentConversationsChanged,
                    ["subscriptionId": .string(id), "changes": [change(kind, conversation, for: session)]], to: socket)
            }
        }
        try route(conversation, before: before)
    }

    /// A conversation as agents are shown it: who takes part as maps of roles, agents by their older id in one, by their UUID in the other.
    func change(_ kind: String, _ conversation: Conversation, for session: AgentSession) throws -> JSON {
        var view = conversation.view
        var details = view["conversationDetails"] ?? [:]
        let participants = conversation.dialogs.first?.participants ?? []
        details["participants"] = Conversation.byRole(participants.map { Conversation.Participant(id: olderId(of: $0.id), role: $0.role) })
        let suggested =
            session.seesSuggestions && conversation.assigned.isEmpty
            ? try RoutingState.task(of: conversation.id, sandbox.id, db)?.suggested : nil
        details["dialogs"] = .array(
            (details["dialogs"]?.array ?? []).enumerated().map { index, dialog in
                var dialog = dialog
                var people = dialog["participantsDetails"]?.array ?? []
                if index == 0, let suggested {
                    people.append(["id": .string(suggested), "role": "ASSIGNED_AGENT", "state": "SUGGESTED"])
                }
                dialog["participantsDetails"] = .array(
                    people.map { person in
                        var person = person
                        person["id"] = .string(olderId(of: person["id"]?.string ?? ""))
                        return person
                    })
                return dialog
            })
        // Only agents see it (assumed).
        if let note = conversation.note { details["note"] = .string(note) }
        details["conversationHandlerDetails"] = ["accountId": .string(conversation.account), "skillId": .string(conversation.skill)]
        view["conversationDetails"] = details
        if let last = try lastContent(of: conversation) { view[Self.lastContentMember] = agentForm(last) }
        return ["type": .string(kind), "result": view]
    }

    /// An agent's id as it was before UUIDs: account and number; a consumer's is its id.
    func olderId(of pid: String) -> String {
        settings.agents.first { $0.pid == pid }.map { "\(tenant.id).\($0.userId)" } ?? pid
    }

    // MARK: Events

    /// Tells every agent who takes part in the dialog, the one who said it too.
    func tellAgents(_ change: JSON, in dialog: Conversation.Dialog, of conversation: Conversation) throws {
        for (socket, session) in agentSockets where session.participant(in: conversation, dialog: dialog) != nil {
            if session.takesLists {
                let body: JSON = ["dialogId": .string(dialog.id), "changes": [change]]
                try outbox.notify(LivePerson.agentEventsPublished, body, to: socket)
            } else {
                try outbox.notify(LivePerson.agentEventDistributed, agentForm(change), to: socket)
            }
        }
    }

    /// An event with its originator by the older id, and by the UUID beside it.
    func agentForm(_ event: JSON) -> JSON {
        var event = event
        let pid = event["originatorId"]?.string ?? ""
        event["originatorPId"] = .string(pid)
        event["originatorId"] = .string(olderId(of: pid))
        return event
    }

    // MARK: Who is there

    /// Tells the agents in a consumer's open conversations that it has gone or come back (LivePerson reference 5.11: BACKGROUND and ACTIVE).
    func tellAgents(thatConsumer consumer: ConsumerSession, is chatState: String) throws {
        guard !agentSockets.isEmpty else { return }
        for conversation in try Conversation.all(of: consumer.consumer, account: tenant.id, sandbox: sandbox.id, db)
        where conversation.state == "OPEN" {
            guard let dialog = conversation.dialogs.first else { continue }
            let change: JSON = .members([
                "originatorClientProperties": consumer.clientProperties, "originatorId": .string(consumer.consumer),
                "originatorMetadata": consumer.participant.metadata(consumer.clientProperties),
                "event": ["type": "ChatStateEvent", "chatState": .string(chatState)], "conversationId": .string(conversation.id),
                "dialogId": .string(dialog.id), "messageAudience": .string(MessagingTerms.everybody),
            ])
            try tellAgents(change, in: dialog, of: conversation)
        }
    }

    func tellAgents(ofState availability: String, of agent: LivePerson.Agent) throws {
        let result: JSON = [
            "agentUserId": .string(olderId(of: agent.pid)), "availability": .string(availability), "channels": ["MESSAGING"],
            "description": "",
        ]
        for (socket, session) in agentSockets {
            for (id, followed) in session.states where followed == agent.pid {
                let body: JSON = ["subscriptionId": .string(id), "changes": [["type": "UPSERT", "result": result]]]
                try outbox.notify(LivePerson.agentStateChanged, body, to: socket)
            }
        }
    }
}
