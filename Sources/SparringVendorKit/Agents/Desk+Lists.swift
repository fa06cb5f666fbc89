public import GRDB
import SparringEngine
public import SparringJSON
import SparringJournal
public import SparringSandbox

/// The admin API's lists of consumers and conversations, and its view of one conversation.
extension Desk {
    public func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON] {
        try consumers(of: tenant, db).map { consumer in
            [
                "vendor": .string(name), "consumer": .string(consumer.name), "id": .string(consumer.id),
                "anonymous": .bool(consumer.isAnonymous), "signIns": .integer(Int64(consumer.signIns)),
                "signOuts": .integer(Int64(consumer.signOuts)), "lastSeen": .string(consumer.lastSeen.description),
                "sockets": .integer(Int64(sockets(of: consumer, of: tenant, in: sandbox))),
            ]
        }
    }

    public func conversations(of tenant: Tenant, consumer name: String?, state: String?, _ db: Database) throws -> [JSON]? {
        let consumer = try name.flatMap { try self.consumer(called: $0, of: tenant, db) }
        if name != nil, consumer == nil { return nil }
        return try conversations(of: tenant, db).filter {
            (consumer == nil || $0.consumer == consumer?.id) && (state == nil || $0.state == state)
        }.map { try summary(of: $0, consumer ?? self.consumer(called: $0.consumer, of: tenant, db), tenant, db) }
    }

    func readConversation(_ db: Database, _ request: AdminRequest) throws -> Answer {
        let (id, tenant) = (request.path("conversation"), request.tenant)
        guard let conversation = try conversation(id, of: tenant, db) else {
            throw AdminProblem(
                "conversation-unknown", "sandbox '\(tenant.sandbox)' has no \(Conversation.noun) \(id.quoted)", unknown: id,
                known: try conversations(of: tenant, db).map(\.id))
        }
        let consumer = try consumer(called: conversation.consumer, of: tenant, db)
        return Answer(
            "conversation",
            try said(in: conversation, consumer, tenant, db).filled(summary(of: conversation, consumer, tenant, db).object ?? [:]))
    }

    private func summary(of conversation: Conversation, _ consumer: Consumer?, _ tenant: Tenant, _ db: Database) throws -> JSON {
        let shared = JSON.members([
            "id": .string(conversation.id), "vendor": .string(name), "consumer": .string(consumer?.name ?? conversation.consumer),
            "state": .string(conversation.state), "startedAt": .string(conversation.started.description),
            "updatedAt": .string(conversation.updated.description), "closedAt": conversation.ended.map { .string($0.description) },
        ])
        // No merge patch: what a consumer has set to null is shown.
        return try members(of: conversation, consumer, tenant, db).filled(shared.object ?? [:])
    }
}
