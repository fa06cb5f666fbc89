import GRDB
import SparringEngine
import SparringJSON
import SparringSandbox

/// Who and what the admin API means: a customer, one of their conversations, one of the company's agents.
struct IssueAim {
    static let members = ["consumer", "conversation", "agent"]

    let tenant: Tenant
    let db: Database
    private let request: Members

    init(_ body: JSON, _ tenant: Tenant, _ db: Database) throws {
        (self.tenant, self.db) = (tenant, db)
        request = try Members(.object((body.object ?? [:]).filter { Self.members.contains($0.key) }), known: Self.members)
    }

    /// The one that `consumer` names, or whose `conversation` it is.
    func customer() throws -> CompanyCustomer {
        if let name = try request.string("consumer"), !name.isEmpty {
            if let customer = try CompanyCustomerState.customer(called: name, of: tenant.id, tenant.sandbox, db) { return customer }
            let known = try CompanyCustomerState.customers(of: tenant.id, tenant.sandbox, db).map(\.name)
            throw request.error("consumer", "nobody called '\(name)' has started a session" + Nearest.hint(for: name, in: known))
        }
        guard let issue = try named(),
            let customer = try CompanyCustomerState.customer(issue.customer, of: tenant.id, tenant.sandbox, db)
        else { throw request.error("consumer", "whose conversation is meant is missing: a 'consumer' or a 'conversation'") }
        return customer
    }

    /// The one that `conversation` names, else the customer's newest that is not closed.
    func issue() throws -> Issue {
        let customer = try customer()
        guard let issue = try named() else {
            if let open = try IssueState.open(of: customer, tenant.sandbox, db) { return open }
            throw request.error("consumer", "\(customer.name) has no open conversation")
        }
        guard issue.customer == customer.id else {
            throw request.error("conversation", "conversation \(issue.id) is not \(customer.name)'s")
        }
        return issue
    }

    private func named() throws -> Issue? {
        guard let id = try request.string("conversation") else { return nil }
        if let issue = try IssueState.issue(id, of: tenant.id, tenant.sandbox, db) { return issue }
        let known = try IssueState.issues(of: tenant.id, tenant.sandbox, db).map(\.id)
        throw request.error("conversation", "there is no conversation '\(id)'" + Nearest.hint(for: id, in: known))
    }

    /// The one who is named; else who is assigned, or the company's first.
    func agent(for issue: Issue) throws -> AsappAgent {
        let agents = tenant.settings(of: ASAPP.self).agents
        if let name = try request.string("agent") {
            if let agent = agents.first(where: { $0.isCalled(name) }) { return agent }
            throw request.error(
                "agent", "the company has no agent '\(name)'" + Nearest.hint(for: name, in: agents.flatMap { [$0.id, $0.name] }))
        }
        if let assigned = agents.first(where: { $0.id == issue.agent }) ?? agents.first { return assigned }
        throw request.error("agent", "the company has no agents: its member 'agents' is empty")
    }
}
