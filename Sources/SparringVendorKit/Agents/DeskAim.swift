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

    /// The one that `consumer` names, or whose `conversation` it is.
    public func consumer() throws -> Vendor.Consumer {
        if let consumer = try namedConsumer() { return consumer }
        guard let conversation = try conversation(), let consumer = try vendor.consumer(called: conversation.consumer, of: tenant, db)
        else {
            throw error("consumer", "'consumer' or 'conversation' is required")
        }
        return consumer
    }

    /// The one that `conversation` names, else the consumer's current one; nil where there is none.
    func conversation() throws -> Vendor.Conversation? {
        let consumer = try namedConsumer()
        guard let id = body["conversation"]?.string else {
            let all = try vendor.conversations(of: tenant, db)
            guard let consumer else { return vendor.meant(among: all) }
            return vendor.current(among: all.filter { $0.consumer == consumer.id })
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
