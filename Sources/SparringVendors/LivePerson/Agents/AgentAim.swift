import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Whom the admin API means: one of the account's agents, and a conversation.
struct AgentAim {
    let conversation: Conversation
    let agent: AgentSettings

    init(_ request: JSON, _ tenant: Tenant, _ db: Database) throws {
        let conversation = try Self.conversation(request, tenant, db)
        self.conversation = conversation
        agent = try Self.agent(request["agent"]?.string, conversation, tenant)
    }

    private static func conversation(_ request: JSON, _ tenant: Tenant, _ db: Database) throws -> Conversation {
        let (name, id) = (request["consumer"]?.string, request["conversation"]?.string)
        var consumer: String?
        if let name {
            consumer = try ConsumerNameState.newest(called: name, tenant.sandbox, db)
            if consumer == nil { throw try ConsumerNameState.unknown(name, tenant.sandbox, db) }
        }
        if let id {
            guard let found = try Conversation.find(id, sandbox: tenant.sandbox, db), found.account == tenant.id else {
                let known = try Conversation.all(account: tenant.id, consumer: consumer, state: nil, sandbox: tenant.sandbox, db)
                throw error("conversation", "there is no conversation '\(id)'\(Nearest.hint(for: id, in: known.map(\.id)))")
            }
            if let consumer, let name, found.consumer != consumer {
                let owner = try LivePersonState.subject(of: found.consumer, tenant.sandbox, db)
                throw error("conversation", "conversation \(id) is \(owner)'s, not \(name)'s")
            }
            return found
        }
        guard let consumer, let name else {
            throw error("consumer", "'consumer' or 'conversation' is required")
        }
        let all = try Conversation.all(of: consumer, account: tenant.id, sandbox: tenant.sandbox, db)
        // One in which only the survey is left can still be closed.
        if let open = all.last(where: { $0.state == "OPEN" }) ?? all.last(where: { $0.stage == "OPEN" }) { return open }
        let last =
            all.last.map { "; the last one, \($0.id), was closed at \($0.ended?.description ?? "?")" }
            ?? ": only the consumer can open one, in the app"
        throw error("consumer", "\(name) has no open conversation\(last)")
    }

    /// The one that is named, else the one whose conversation it is, else the account's first.
    private static func agent(_ name: String?, _ conversation: Conversation, _ tenant: Tenant) throws -> AgentSettings {
        let agents = tenant.settings(of: LivePerson.self).agents
        guard let name else {
            if let agent = agents.first(where: { conversation.assigned.contains($0.pid) }) ?? agents.first { return agent }
            throw error("agent", "the account has no agents: its member 'agents' is empty")
        }
        if let agent = agents.first(where: { $0.isCalled(name, account: tenant.id) }) { return agent }
        let hint = Nearest.hint(for: name, in: agents.flatMap { [$0.loginName, $0.userId] })
        throw error("agent", "the account has no agent '\(name)'\(hint)")
    }

    private static func error(_ member: String, _ words: String) -> ConfigurationError {
        ConfigurationError(JSONPointer(tokens: [member]), words)
    }
}
