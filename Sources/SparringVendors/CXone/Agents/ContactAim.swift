import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Who and what the admin API means: a customer, one of their contacts, one of the brand's agents.
struct ContactAim {
    static let members = ["consumer", "conversation", "agent"]

    let tenant: Tenant
    let db: Database
    private let request: Members

    init(_ body: JSON, _ tenant: Tenant, _ db: Database) throws {
        (self.tenant, self.db) = (tenant, db)
        request = try Members(.object((body.object ?? [:]).filter { Self.members.contains($0.key) }), known: Self.members)
    }

    /// The customer that `consumer` names.
    func customer() throws -> CustomerState.Customer {
        guard let name = try request.string("consumer"), !name.isEmpty else { throw request.error("consumer", "somebody must be named") }
        guard let customer = try CustomerState.customer(called: name, of: tenant.id, tenant.sandbox, db) else {
            let known = try CustomerState.customers(of: tenant.id, tenant.sandbox, db).map(\.id)
            throw request.error("consumer", "nobody called '\(name)' has come" + Nearest.hint(for: name, in: known))
        }
        return customer
    }

    /// The contact that `conversation` names, else the customer's newest one that is not closed, else their newest.
    func contact() throws -> ChatContact {
        let all = try ThreadState.contacts(of: tenant.id, tenant.sandbox, db)
        let customer = try request.string("consumer") == nil ? nil : try customer().id
        if let id = try request.string("conversation") {
            guard let contact = all.first(where: { $0.id == id }) else {
                throw request.error("conversation", "there is no contact '\(id)'" + Nearest.hint(for: id, in: all.map(\.id)))
            }
            if let customer, contact.thread.customer != customer {
                throw request.error("conversation", "contact \(id) is \(contact.thread.customer)'s, not \(customer)'s")
            }
            return contact
        }
        guard let customer else {
            throw request.error("consumer", "whose contact is meant is missing: a 'consumer' or a 'conversation'")
        }
        let own = all.filter { $0.thread.customer == customer }
        guard let contact = own.last(where: { $0.status != .closed }) ?? own.last else {
            throw request.error("consumer", "\(customer) has no contact: it is theirs to say the first word")
        }
        return contact
    }

    /// The one that `agent` names, else the assigned one, else the brand's first.
    func agent(for contact: ChatContact) throws -> ChatAgent {
        let agents = tenant.settings(of: CXone.self).agents
        guard let name = try request.string("agent") else {
            if let agent = agents.first(where: { $0.id == contact.assignee }) ?? agents.first { return agent }
            throw request.error("agent", "the brand has no agents: its member 'agents' is empty")
        }
        if let agent = agents.first(where: { $0.isCalled(name) }) { return agent }
        let hint = Nearest.hint(for: name, in: agents.flatMap { [String($0.id), $0.loginUsername] })
        throw request.error("agent", "the brand has no agent '\(name)'\(hint)")
    }
}
