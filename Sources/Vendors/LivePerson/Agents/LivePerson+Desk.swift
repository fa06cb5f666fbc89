import SparringVendorKit

extension LivePersonState.Consumer: DeskConsumer {}

extension Conversation: DeskConversation {}

extension LivePerson.Agent {
    var participant: Conversation.Participant { Conversation.Participant(id: pid, role: "ASSIGNED_AGENT") }
}

/// Consumers, their conversations, and the account's agents as the admin API has them.
extension LivePerson {
    static let tenantNoun = "account"

    func adminHandler(of operation: OwnOperation) -> AdminHandler {
        switch operation {
        case .push: .act(in: { _, request in request.body["consumer"]?.string ?? "" }, push)
        case .signOut: .act(in: { _, request in request.body["consumer"]?.string ?? "" }, signOut)
        }
    }

    func consumers(of tenant: Tenant, _ db: Database) throws -> [LivePersonState.Consumer] {
        try LivePersonState.consumers(tenant.sandbox, db)
    }

    func consumer(called name: String, of tenant: Tenant, _ db: Database) throws -> LivePersonState.Consumer? {
        try consumers(of: tenant, db).filter { [$0.id, $0.name].containsSame(as: name) }.max { $0.lastSeen < $1.lastSeen }
    }

    func conversations(of tenant: Tenant, _ db: Database) throws -> [Conversation] {
        try Conversation.all(account: tenant.id, consumer: nil, state: nil, sandbox: tenant.sandbox, db)
    }

    func conversation(_ id: String, of tenant: Tenant, _ db: Database) throws -> Conversation? {
        try Conversation.find(id, sandbox: tenant.sandbox, db).flatMap { $0.account == tenant.id ? $0 : nil }
    }

    /// One in which only the survey is left can still be closed.
    func current(among all: [Conversation]) -> Conversation? { all.last { $0.state == "OPEN" } ?? all.last { $0.stage == "OPEN" } }

    func check(_ act: DeskAct<Act>, at pointer: JSONPointer) throws(ConfigurationError) { try requireSound(act, at: pointer) }

    func hand(for consumer: LivePersonState.Consumer, in conversation: Conversation, _ occasion: Occasion, _ db: Database) -> Messaging {
        Messaging(occasion, db)
    }

    func sockets(of consumer: LivePersonState.Consumer, of tenant: Tenant, in sandbox: Sandbox) -> Int {
        sandbox.openSockets(of: tenant).count { $0.session?.consumer == consumer.id }
    }

    func members(of conversation: Conversation, _ consumer: LivePersonState.Consumer?, _ tenant: Tenant, _ db: Database) throws -> JSON {
        let agents = tenant.settings(of: LivePerson.self).agents
        let taking = (conversation.dialogs.first?.participants ?? []).compactMap { participant -> JSON? in
            guard participant.role != "CONSUMER" else { return nil }
            let agent = agents.first { $0.pid == participant.id }
            return .members([
                "id": .string(participant.id), "role": .string(participant.role), "userId": agent.map { .string($0.userId) },
                "nickname": agent.map { .string($0.nickname) },
            ])
        }
        let unread = try PusherState.unread(conversation.consumer, tenant.sandbox, db).first { $0.conversation == conversation.id }
        return .members([
            "account": .string(conversation.account), "consumerId": .string(conversation.consumer), "stage": .string(conversation.stage),
            "skill": .string(conversation.skill), "agents": .array(taking), "closeReason": conversation.closeReason.map { .string($0) },
            "unread": .integer(Int64(unread?.count ?? 0)),
        ])
    }

    func said(in conversation: Conversation, _ consumer: LivePersonState.Consumer?, _ tenant: Tenant, _ db: Database) throws -> JSON {
        let agents = tenant.settings(of: LivePerson.self).agents
        let dialogs = try conversation.dialogs.map { dialog -> JSON in
            let events = try Conversation.events(dialog: dialog.id, from: 0, sandbox: tenant.sandbox, db).map { record -> JSON in
                let agent = agents.first { $0.pid == record["originatorId"]?.string }
                let isConsumers = record["originatorId"]?.string == conversation.consumer
                return .members([
                    "sequence": record["sequence"],
                    "time": .string(Timestamp(milliseconds: record["serverTimestamp"]?.integer ?? 0).description),
                    "from": agent.map { .string($0.nickname) } ?? (isConsumers ? consumer.map { .string($0.name) } : nil)
                        ?? record["originatorId"],
                    "role": record["originatorMetadata"]?["role"], "event": record["event"], "metadata": record["metadata"],
                    "messageAudience": record["messageAudience"],
                ])
            }
            return .members([
                "id": .string(dialog.id), "type": .string(dialog.type), "state": .string(dialog.state),
                "startedAt": .string(dialog.started.description), "closedAt": dialog.ended.map { .string($0.description) },
                "closedBy": dialog.closedBy.map { .string($0) }, "closedCause": dialog.closedCause.map { .string($0) },
                "events": .array(events),
            ])
        }
        return ["dialogs": .array(dialogs)]
    }
}
