import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What the lists that all vendors share have of Talkdesk, and what was said.
extension Talkdesk {
    func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON] {
        try TalkdeskTokenState.subjects(of: tenant.id, sandbox.id, db).map { subject in
            [
                "vendor": .string(name), "consumer": .string(subject.name), "id": .string(subject.name), "anonymous": false,
                "signIns": .integer(Int64(subject.tokens)), "signOuts": 0, "lastSeen": .string(subject.last.description), "sockets": 0,
            ]
        }
    }

    func conversations(of tenant: Tenant, consumer: String?, state: String?, _ db: Database) throws -> [JSON]? {
        if let consumer {
            let known = try TalkdeskTokenState.subjects(of: tenant.id, tenant.sandbox, db).map(\.name)
            if !known.containsSame(as: consumer) { return nil }
        }
        return try InteractionState.interactions(of: tenant.id, tenant.sandbox, db).filter { interaction in
            (consumer == nil || interaction.person == consumer) && (state == nil || Self.state(of: interaction) == state)
        }.map { .object(summary(of: $0, tenant)) }
    }

    func readConversation(_ db: Database, _ request: AdminRequest) throws -> Answer {
        let (id, tenant) = (request.path("conversation"), request.tenant)
        guard let interaction = try InteractionState.interaction(id, of: tenant.id, tenant.sandbox, db) else {
            throw AdminProblem(
                name: "conversation-unknown", detail: "sandbox '\(tenant.sandbox)' has no interaction \(id.quoted)", unknown: id,
                known: try InteractionState.interactions(of: tenant.id, tenant.sandbox, db).map(\.id))
        }
        var json = summary(of: interaction, tenant)
        json["messages"] = .array(
            try InteractionState.messages(of: interaction, tenant.sandbox, db).map { message in
                [
                    "sequence": .integer(Int64(message.number)), "time": .string(message.created.description),
                    "from": .string(message.name), "author": .string(message.author.rawValue), "id": .string(message.id),
                    "text": .string(message.text),
                ]
            })
        return Answer("conversation", .object(json))
    }

    private static func state(of interaction: Interaction) -> String { interaction.ended == nil ? "OPEN" : "CLOSE" }

    private func summary(of interaction: Interaction, _ tenant: Tenant) -> JSON.Object {
        let agent = tenant.settings(of: Talkdesk.self).agents.first { $0.id == interaction.agent }
        let json = JSON.members([
            "id": .string(interaction.id), "vendor": .string(name), "account": .string(interaction.account),
            "consumer": .string(interaction.person), "app": .string(interaction.app), "intention": .string(interaction.intention),
            "metadata": interaction.metadata, "state": .string(Self.state(of: interaction)),
            "status": .string(interaction.status.rawValue), "reason": interaction.reason.map { .string($0) }, "agent": agent?.json,
            "startedAt": .string(interaction.created.description), "updatedAt": .string(interaction.updated.description),
            "closedAt": interaction.ended.map { .string($0.description) },
        ])
        return json.object ?? [:]
    }
}
