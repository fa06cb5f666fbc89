import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Agents played by a test, and conversations as it reads them.
extension LivePerson {
    /// What an agent does in a conversation, in the lane of its consumer.
    func agentAct(_ kind: Act) -> AdminHandler {
        .act(
            checking: { (body: JSON) throws(ConfigurationError) in try requireSound(DeskAct(kind, body)) },
            in: { db, request in
                let aim = try AgentAim(request.body, request.tenant, db)
                return try LivePersonState.subject(of: aim.conversation.consumer, request.sandbox.id, db)
            }
        ) { db, request, occasion in
            let aim = try AgentAim(request.body, request.tenant, db)
            let act = DeskAct(kind, request.body)
            let acted = try Messaging(occasion, db).perform(act, by: aim.agent, in: aim.conversation).get()
            let subject = occasion.origin.lane
            let done = acted.done + unknownMembers(of: act)
            let json = JSON.members([
                "conversation": .string(acted.conversation.id), "consumer": .string(subject),
                "agent": ["userId": .string(aim.agent.userId), "nickname": .string(aim.agent.nickname)],
                "act": .string(kind.rawValue), "sequence": acted.sequence.map { .integer(Int64($0)) },
                "delivery": .string(acted.delivery.rawValue), "done": .array(done.map { .string($0) }),
            ])
            return Answer("agent-acted", json, cause: "\(aim.agent.nickname) to \(subject): \(done.joined(separator: "; "))")
        }
    }

    func conversations(of tenant: Tenant, consumer: String?, state: String?, _ db: Database) throws -> [JSON]? {
        var id: String?
        if let consumer {
            id = try ConsumerNameState.newest(called: consumer, tenant.sandbox, db)
            if id == nil { return nil }
        }
        return try Conversation.all(account: tenant.id, consumer: id, state: state, sandbox: tenant.sandbox, db).map {
            .object(try summary(of: $0, tenant, db))
        }
    }

    func readConversation(_ db: Database, _ request: AdminRequest) throws -> Answer {
        let (id, tenant) = (request.path("conversation"), request.tenant)
        guard let found = try Conversation.find(id, sandbox: tenant.sandbox, db), found.account == tenant.id else {
            let known = try Conversation.all(account: tenant.id, consumer: nil, state: nil, sandbox: tenant.sandbox, db).map(\.id)
            throw AdminProblem(
                name: "conversation-unknown", detail: "sandbox '\(tenant.sandbox)' has no conversation \(id.quoted)", unknown: id,
                known: known)
        }
        var json = JSON.object(try summary(of: found, tenant, db))
        let consumer = json["consumer"] ?? ""
        let agents = tenant.settings(of: LivePerson.self).agents
        json["dialogs"] = .array(
            try found.dialogs.map { dialog in
                let events = try Conversation.events(dialog: dialog.id, from: 0, sandbox: tenant.sandbox, db).map { record -> JSON in
                    let agent = agents.first { $0.pid == record["originatorId"]?.string }
                    return .members([
                        "sequence": record["sequence"],
                        "time": .string(Timestamp(milliseconds: record["serverTimestamp"]?.integer ?? 0).description),
                        "from": agent.map { .string($0.nickname) }
                            ?? (record["originatorId"]?.string == found.consumer ? consumer : record["originatorId"]),
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
            })
        return Answer("conversation", json)
    }

    private func summary(of conversation: Conversation, _ tenant: Tenant, _ db: Database) throws -> JSON.Object {
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
        let json = JSON.members([
            "id": .string(conversation.id), "vendor": .string(name), "account": .string(conversation.account),
            "consumer": .string(try LivePersonState.subject(of: conversation.consumer, tenant.sandbox, db)),
            "consumerId": .string(conversation.consumer), "state": .string(conversation.state), "stage": .string(conversation.stage),
            "skill": .string(conversation.skill), "agents": .array(taking), "startedAt": .string(conversation.started.description),
            "updatedAt": .string(conversation.updated.description), "closedAt": conversation.ended.map { .string($0.description) },
            "closeReason": conversation.closeReason.map { .string($0) }, "unread": .integer(Int64(unread?.count ?? 0)),
        ])
        return json.object ?? [:]
    }
}
