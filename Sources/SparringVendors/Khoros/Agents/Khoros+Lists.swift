import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What the lists that all vendors share have of Khoros, and what was said.
extension Khoros {
    func consumers(of tenant: Tenant, in sandbox: Sandbox, _ db: Database) throws -> [JSON] {
        let open = sandbox.openSockets(of: tenant).compactMap { BayeuxSession($0)?.user }
        return try MessengerUserState.users(of: tenant.id, sandbox.id, db).map { user in
            [
                "vendor": .string(name), "consumer": .string(user.name), "id": .string(user.id), "anonymous": .bool(user.userId == nil),
                "signIns": .integer(Int64(user.signIns)), "signOuts": .integer(Int64(user.signOuts)),
                "lastSeen": .string(user.lastSeen.description), "sockets": .integer(Int64(open.count { $0 == user.id })),
            ]
        }
    }

    func conversations(of tenant: Tenant, consumer: String?, state: String?, _ db: Database) throws -> [JSON]? {
        var id: String?
        if let consumer {
            id = try MessengerUserState.user(called: consumer, of: tenant.id, tenant.sandbox, db)?.id
            if id == nil { return nil }
        }
        return try MessengerConversationState.conversations(of: tenant.id, tenant.sandbox, db).filter { conversation in
            (id == nil || conversation.user == id) && (state == nil || Self.state(of: conversation) == state)
        }.map { .object(try summary(of: $0, tenant, db)) }
    }

    func registrations(on device: String, of tenant: Tenant, _ db: Database) throws -> [JSON] {
        try MessengerClientState.clients(on: device, of: tenant.id, tenant.sandbox, db).compactMap { client in
            guard let user = try MessengerUserState.user(client.user, of: tenant.id, tenant.sandbox, db) else { return nil }
            return [
                "consumer": .string(user.name), "appId": .string(client.integrationId ?? "khoros-\(tenant.id)"),
                "registeredAt": .string(client.lastSeen.description),
            ]
        }
    }

    func readConversation(_ db: Database, _ request: AdminRequest) throws -> Answer {
        let (id, tenant) = (request.path("conversation"), request.tenant)
        let all = try MessengerConversationState.conversations(of: tenant.id, tenant.sandbox, db)
        guard let conversation = all.first(where: { $0.id.isSame(as: id) }) else {
            throw AdminProblem(
                name: "conversation-unknown", detail: "sandbox '\(tenant.sandbox)' has no conversation \(id.quoted)", unknown: id,
                known: all.map(\.id))
        }
        var json = try summary(of: conversation, tenant, db)
        json["unread"] = .integer(Int64(conversation.unread))
        json["messages"] = .array(
            try MessengerMessageState.messages(of: conversation, tenant.sandbox, db).map { message in
                [
                    "sequence": .integer(Int64(message.number)), "time": .string(message.received.description),
                    "from": message.role == .appUser ? json["consumer"] ?? "" : message.content["name"] ?? .string(message.author),
                    "author": .string(message.role.rawValue), "id": .string(message.id), "message": .object(message.content),
                ]
            })
        return Answer("conversation", .object(json))
    }

    private static func state(of conversation: MessengerConversation) -> String { conversation.removed == nil ? "OPEN" : "CLOSE" }

    private func summary(of conversation: MessengerConversation, _ tenant: Tenant, _ db: Database) throws -> JSON.Object {
        let user = try MessengerUserState.user(conversation.user, of: tenant.id, tenant.sandbox, db)
        let json = JSON.members([
            "id": .string(conversation.id), "vendor": .string(name), "app": .string(conversation.app),
            "consumer": .string(user?.name ?? conversation.user), "state": .string(Self.state(of: conversation)),
            "displayName": conversation.display["displayName"], "startedAt": .string(conversation.created.description),
            "updatedAt": .string(conversation.updated.description), "closedAt": conversation.removed.map { .string($0.description) },
        ])
        return json.object ?? [:]
    }
}
