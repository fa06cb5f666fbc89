import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Who and what the admin API means: a user, one of their conversations, one of the business's agents.
struct UserAim {
    private let aim: AdminAim
    private var tenant: Tenant { aim.tenant }
    private var db: Database { aim.db }

    init(_ body: JSON, _ tenant: Tenant, _ db: Database) throws { aim = try AdminAim(body, tenant, db) }

    /// The user that `consumer` names, or whose `conversation` it is.
    func user() throws -> MessengerUser {
        if let name = try aim.consumer() {
            if let user = try MessengerUserState.user(called: name, of: tenant.id, tenant.sandbox, db) { return user }
            let known = try MessengerUserState.users(of: tenant.id, tenant.sandbox, db).map(\.name)
            throw aim.error("consumer", "no consumer '\(name)' has connected", nearest: name, among: known)
        }
        guard let conversation = try named(), let user = try owner(of: conversation) else {
            throw aim.error("consumer", "'consumer' or 'conversation' is required")
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
            throw aim.error("conversation", "conversation \(named.id) is not \(user.name)'s")
        }
        return named
    }

    private func named() throws -> MessengerConversation? {
        guard let id = try aim.conversation() else { return nil }
        let all = try MessengerConversationState.conversations(of: tenant.id, tenant.sandbox, db)
        guard let conversation = all.first(where: { $0.id.isSame(as: id) }) else {
            throw aim.error("conversation", "there is no conversation '\(id)'", nearest: id, among: all.map(\.id))
        }
        return conversation
    }

    private func owner(of conversation: MessengerConversation) throws -> MessengerUser? {
        try MessengerUserState.user(conversation.user, of: tenant.id, tenant.sandbox, db)
    }

    /// The one that `agent` names, else the business's first.
    func agent() throws -> Khoros.Agent {
        try aim.agent(among: tenant.settings(of: Khoros.self).agents, of: "the app")
    }
}
