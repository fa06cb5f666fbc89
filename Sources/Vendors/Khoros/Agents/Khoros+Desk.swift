import SparringVendorKit

extension MessengerUser: DeskConsumer {
    var isAnonymous: Bool { userId == nil }
}

extension MessengerConversation: DeskConversation {
    var consumer: String { user }
    var started: Timestamp { created }
    var ended: Timestamp? { removed }
}

/// Users, their conversations, and the business's agents as the admin API has them.
extension Khoros {
    static let tenantNoun = "app"

    func consumers(of tenant: Tenant, _ db: Database) throws -> [MessengerUser] {
        try MessengerUserState.users(of: tenant.id, tenant.sandbox, db)
    }

    func consumer(called name: String, of tenant: Tenant, _ db: Database) throws -> MessengerUser? {
        try MessengerUserState.user(called: name, of: tenant.id, tenant.sandbox, db)
    }

    func conversations(of tenant: Tenant, _ db: Database) throws -> [MessengerConversation] {
        try MessengerConversationState.conversations(of: tenant.id, tenant.sandbox, db)
    }

    func current(among all: [MessengerConversation]) -> MessengerConversation? {
        all.filter { $0.removed == nil }.max { $0.updated < $1.updated }
    }

    func hand(
        for consumer: MessengerUser, in conversation: MessengerConversation, _ occasion: Occasion, _ db: Database
    ) -> Messenger { messenger(for: consumer, occasion, db) }

    func begin(
        _ act: DeskAct<Act>, by agent: Agent, for consumer: MessengerUser, _ occasion: Occasion, _ db: Database
    ) throws -> Acted<MessengerConversation>? {
        try messenger(for: consumer, occasion, db).perform(act, by: agent, in: nil)
    }

    private func messenger(for user: MessengerUser, _ occasion: Occasion, _ db: Database) -> Messenger {
        let base = occasion.sandbox.openSockets(of: Messenger.owner(user.id, of: user.app)).first?.base ?? ""
        return Messenger(occasion, db, vendor: self, user: user, base: base)
    }

    func sockets(of consumer: MessengerUser, of tenant: Tenant, in sandbox: Sandbox) -> Int {
        sandbox.openSockets(of: tenant).count { BayeuxSession($0)?.user == consumer.id }
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

    func members(of conversation: MessengerConversation, _ user: MessengerUser?, _ tenant: Tenant, _ db: Database) throws -> JSON {
        .members(["app": .string(conversation.app), "displayName": conversation.display["displayName"]])
    }

    func said(in conversation: MessengerConversation, _ user: MessengerUser?, _ tenant: Tenant, _ db: Database) throws -> JSON {
        let messages = try MessengerMessageState.messages(of: conversation, tenant.sandbox, db).map { message -> JSON in
            let author = message.role == .appUser ? user.map { .string($0.name) } : message.content["name"]
            return [
                "sequence": .integer(Int64(message.number)), "time": .string(message.received.description),
                "from": author ?? .string(message.author), "author": .string(message.role.rawValue), "id": .string(message.id),
                "message": .object(message.content),
            ]
        }
        return ["unread": .integer(Int64(conversation.unread)), "messages": .array(messages)]
    }
}
