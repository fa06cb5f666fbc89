import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Who and what the admin API means: a customer, one of their contacts, one of the brand's agents.
struct ContactAim {
    private let aim: AdminAim
    private var tenant: Tenant { aim.tenant }
    private var db: Database { aim.db }

    init(_ body: JSON, _ tenant: Tenant, _ db: Database) throws { aim = try AdminAim(body, tenant, db) }

    /// The customer that `consumer` names.
    func customer() throws -> CustomerState.Customer {
        guard let name = try aim.consumer() else { throw aim.error("consumer", "somebody must be named") }
        guard let customer = try CustomerState.customer(called: name, of: tenant.id, tenant.sandbox, db) else {
            let known = try CustomerState.customers(of: tenant.id, tenant.sandbox, db).map(\.id)
            throw aim.error("consumer", "no consumer '\(name)' has connected", nearest: name, among: known)
        }
        return customer
    }

    /// The contact that `conversation` names, else the customer's newest one that is not closed, else their newest.
    func contact() throws -> ChatContact {
        let all = try ThreadState.contacts(of: tenant.id, tenant.sandbox, db)
        let customer = try aim.consumer() == nil ? nil : try customer().id
        if let id = try aim.conversation() {
            guard let contact = all.first(where: { $0.id == id }) else {
                throw aim.error("conversation", "there is no contact '\(id)'", nearest: id, among: all.map(\.id))
            }
            if let customer, contact.thread.customer != customer {
                throw aim.error("conversation", "contact \(id) is \(contact.thread.customer)'s, not \(customer)'s")
            }
            return contact
        }
        guard let customer else {
            throw aim.error("consumer", "'consumer' or 'conversation' is required")
        }
        let own = all.filter { $0.thread.customer == customer }
        guard let contact = own.last(where: { $0.status != .closed }) ?? own.last else {
            throw aim.error("consumer", "\(customer) has no contact: the consumer must write first")
        }
        return contact
    }

    /// The one that `agent` names, else the assigned one, else the brand's first.
    func agent(for contact: ChatContact) throws -> CXone.Agent {
        try aim.agent(among: tenant.settings(of: CXone.self).agents, of: "the brand") { $0.id == contact.assignee }
    }
}
