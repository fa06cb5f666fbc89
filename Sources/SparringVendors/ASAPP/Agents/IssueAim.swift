import GRDB
import SparringEngine
import SparringJSON
import SparringSandbox

/// Who and what the admin API means: a customer, one of their conversations, one of the company's agents.
struct IssueAim {
    private let aim: AdminAim
    private var tenant: Tenant { aim.tenant }
    private var db: Database { aim.db }

    init(_ body: JSON, _ tenant: Tenant, _ db: Database) throws { aim = try AdminAim(body, tenant, db) }

    /// The one that `consumer` names, or whose `conversation` it is.
    func customer() throws -> CompanyCustomer {
        if let name = try aim.consumer() {
            if let customer = try CompanyCustomerState.customer(called: name, of: tenant.id, tenant.sandbox, db) { return customer }
            let known = try CompanyCustomerState.customers(of: tenant.id, tenant.sandbox, db).map(\.name)
            throw aim.error("consumer", "no consumer '\(name)' has started a session", nearest: name, among: known)
        }
        guard let issue = try named(),
            let customer = try CompanyCustomerState.customer(issue.customer, of: tenant.id, tenant.sandbox, db)
        else { throw aim.error("consumer", "'consumer' or 'conversation' is required") }
        return customer
    }

    /// The one that `conversation` names, else the customer's newest that is not closed.
    func issue() throws -> Issue {
        let customer = try customer()
        guard let issue = try named() else {
            if let open = try IssueState.open(of: customer, tenant.sandbox, db) { return open }
            throw aim.error("consumer", "\(customer.name) has no open conversation")
        }
        guard issue.customer == customer.id else {
            throw aim.error("conversation", "conversation \(issue.id) is not \(customer.name)'s")
        }
        return issue
    }

    private func named() throws -> Issue? {
        guard let id = try aim.conversation() else { return nil }
        if let issue = try IssueState.issue(id, of: tenant.id, tenant.sandbox, db) { return issue }
        let known = try IssueState.issues(of: tenant.id, tenant.sandbox, db).map(\.id)
        throw aim.error("conversation", "there is no conversation '\(id)'", nearest: id, among: known)
    }

    /// The one who is named; else who is assigned, or the company's first.
    func agent(for issue: Issue) throws -> ASAPP.Agent {
        try aim.agent(among: tenant.settings(of: ASAPP.self).agents, of: "the company") { $0.id == issue.agent }
    }
}
