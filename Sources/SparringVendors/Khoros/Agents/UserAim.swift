import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Who and what the admin API means: a user, one of their conversations, one of the business's agents.
struct UserAim {
    static let members = ["consumer", "conversation", "agent"]

    let tenant: Tenant
    let db: Database
    private let request: Members

    init(_ body: JSON, _ tenant: Tenant, _ db: Database) throws {
        (self.tenant, self.db) = (tenant, db)
        request = try Members(.object((body.object ?? [:]).filter { Self.members.contains($0.key) }), known: Self.members)
    }

    /// The user that `consumer` names, or whose `conversation` it is.
    func user() throws -> MessengerUser {
        if let name = try request.string("consumer"), !name.isEmpty {
            if let user = try MessengerUserState.user(called: name, of: tenant.id, tenant.sandbox, db) { return user }
            let known = try MessengerUserState.users(of: tenant.id, tenant.sandbox, db).map(\.name)
            throw request.error("consumer", "nobody called '\(name)' has come" + Nearest.hint(for: name, in: known))
        }
        guard let conversation = try named(), let user = try owner(of: conversation) else {
            throw request.error("consumer", "whose conversation is meant is missing: a 'consumer' or a 'conversation'")
        }
        return user
    }

    /// The conversation that `conversation` names, else the user's newest; nil where they have none.
    func conversation() throws -> MessengerConversation? {
        let user = try user()
        guard let named = try named() else {
            return try MessengerConversationState.conversations(of: user, tenant.sandbox, db).first
        }
        guard named.user == user.id else {
            throw request.error("conversation", "conversation \(named.id) is not \(user.name)'s")
        }
        return named
    }

    private func named() throws -> MessengerConversation? {
        guard let id = try request.string("conversation") else { return nil }
        let all = try MessengerConversationState.conversations(of: tenant.id, tenant.sandbox, db)
        guard let conversation = all.first(where: { $0.id.isSame(as: id) }) else {
            throw request.error("conversation", "there is no conversation '\(id)'" + Nearest.hint(for: id, in: all.map(\.id)))
        }
        return conversation
    }

    private func owner(of conversation: MessengerConversation) throws -> MessengerUser? {
        try MessengerUserState.user(conversation.user, of: tenant.id, tenant.sandbox, db)
    }

    /// The one that `agent` names, else the business's first.
    func agent() throws -> BusinessAgent {
        let agents = tenant.settings(of: Khoros.self).agents
        guard let name = try request.string("agent") else {
            if let agent = agents.first { return agent }
            throw request.error("agent", "the app has no agents: its member 'agents' is empty")
        }
        if let agent = agents.first(where: { $0.isCalled(name) }) { return agent }
        throw request.error("agent", "the app has no agent '\(name)'" + Nearest.hint(for: name, in: agents.flatMap { [$0.id, $0.name] }))
    }
}
