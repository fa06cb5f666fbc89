public import GRDB
public import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// The consumer, the conversation and the agent that a request of the admin API means: its members `consumer`, `conversation` and `agent`.
public struct DeskAim<Vendor: Desk> {
    let vendor: Vendor
    let body: JSON
    let tenant: Tenant
    let db: Database

    public init(_ vendor: Vendor, _ request: AdminRequest, _ db: Database) {
        (self.vendor, self.db) = (vendor, db)
        (body, tenant) = (request.body, request.tenant)
    }

    /// The one that `consumer` names, or whose `conversation` it is; without either the only one who has signed in.
    public func consumer() throws -> Vendor.Consumer {
        if let consumer = try namedConsumer() { return consumer }
        guard let conversation = try conversation(), let consumer = try vendor.consumer(called: conversation.consumer, of: tenant, db)
        else { return try onlyConsumer() }
        return consumer
    }

    /// The one that `conversation` names, else the consumer's current one, and without a name that of the only one who has signed in; nil where there is none.
    func conversation() throws -> Vendor.Conversation? {
        let consumer = try namedConsumer()
        guard let id = body["conversation"]?.string else {
            let all = try vendor.conversations(of: tenant, db)
            if consumer == nil, let meant = vendor.meant(among: all) { return meant }
            let owner = try consumer ?? onlyConsumer()
            return vendor.current(among: all.filter { $0.consumer == owner.id })
        }
        let noun = Vendor.Conversation.noun
        guard let conversation = try vendor.conversation(id, of: tenant, db) else {
            let known = try vendor.conversations(of: tenant, db).map(\.id)
            throw error("conversation", "there is no \(noun) '\(id)'", nearest: id, among: known)
        }
        if let consumer, conversation.consumer != consumer.id {
            let owner = try vendor.consumer(called: conversation.consumer, of: tenant, db)?.name ?? conversation.consumer
            throw error("conversation", "\(noun) \(id) is \(owner)'s, not \(consumer.name)'s")
        }
        return conversation
    }

    /// The one that `agent` names, else the one who is assigned, else the tenant's first.
    func agent(assigned: Vendor.Hand.Agent?) throws -> Vendor.Hand.Agent {
        let agents = tenant.settings(of: Vendor.self).agents
        if let name = body["agent"]?.string {
            if let agent = agents.first(where: { $0.isCalled(name, in: tenant.id) }) { return agent }
            let known = agents.flatMap { $0.names(in: tenant.id) }
            throw error("agent", "the \(Vendor.tenantNoun) has no agent '\(name)'", nearest: name, among: known)
        }
        if let agent = assigned ?? agents.first { return agent }
        throw error("agent", "the \(Vendor.tenantNoun) has no agents: its member 'agents' is empty")
    }

    private func namedConsumer() throws -> Vendor.Consumer? {
        guard let name = body["consumer"]?.string, !name.isEmpty else { return nil }
        if let consumer = try vendor.consumer(called: name, of: tenant, db) { return consumer }
        throw error(
            "consumer", "no consumer '\(name)' has signed in", nearest: name, among: try vendor.consumers(of: tenant, db).map(\.name))
    }

    /// The one whom a request without a name means, as the author of a scenario does not know how a client's user is called. Who has come without signing in does
    /// not count where somebody has signed in.
    private func onlyConsumer() throws -> Vendor.Consumer {
        let all = try vendor.consumers(of: tenant, db)
        let known = all.filter { !$0.isAnonymous }
        let meant = known.isEmpty ? all : known
        let names = Set(meant.map(\.name)).sorted()
        // Under one name there may be several, by issuer; a name means the one who came last.
        if names.count == 1, let consumer = try vendor.consumer(called: names[0], of: tenant, db) { return consumer }
        guard let first = names.first else { throw error("consumer", "no consumer has signed in") }
        throw error(
            "consumer",
            "\(names.count) consumers have signed in, such as '\(first)': 'consumer' or 'conversation' must say which one is meant")
    }

    /// Why there is nothing that an act could be done in.
    func nothingOpen(for consumer: Vendor.Consumer) throws -> ConfigurationError {
        let last = try vendor.conversations(of: tenant, db).last { $0.consumer == consumer.id }
        let words =
            last.map { "; the last one, \($0.id), was closed at \($0.ended?.description ?? "?")" } ?? ": only the consumer can begin one"
        return error("consumer", "\(consumer.name) has no open \(Vendor.Conversation.noun)\(words)")
    }

    /// - Parameter known: names that may have been meant.
    private func error(_ member: String, _ words: String, nearest name: String? = nil, among known: [String] = []) -> ConfigurationError {
        ConfigurationError(JSONPointer(tokens: [member]), words + (name.map { Nearest.hint(for: $0, in: known) } ?? ""))
    }
}
