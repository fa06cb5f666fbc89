import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

/// Operations of the tags "Conversations" and "Consumers", over all vendors.
extension AdminAPI {
    func tenants(of sandbox: Sandbox) -> [(any Vendor, Tenant)] {
        vendors.all.compactMap { vendor in sandbox.tenant(of: vendor.name).map { (vendor.vendor, $0) } }
    }

    func listConsumers(_ sandbox: Sandbox) async throws -> Answer {
        return Answer(
            "consumers", ["consumers": .array(try await store.read { [self] db in try consumers(of: sandbox, tenants(of: sandbox), db) })])
    }

    func consumers(of sandbox: Sandbox, _ tenants: [(any Vendor, Tenant)], _ db: Database) throws -> [JSON] {
        try tenants.flatMap { vendor, tenant in try vendor.consumers(of: tenant, in: sandbox, db) }
    }

    func listConversations(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let (consumer, state) = (call.query("consumer"), call.query("state"))
        let tenants = tenants(of: sandbox)
        let (found, known) = try await store.read { [self] db in
            let lists = try tenants.compactMap { vendor, tenant in
                try vendor.conversations(of: tenant, consumer: consumer, state: state, db)
            }
            // Nobody has conversations, or this consumer is unknown.
            guard lists.isEmpty, consumer != nil else { return (Optional(lists.flatMap { $0 }), [String]()) }
            return (nil, try consumers(of: sandbox, tenants, db).compactMap { $0["consumer"]?.string })
        }
        if let found { return Answer("conversations", ["conversations": .array(found)]) }
        throw AdminProblem(
            "consumer-unknown", "no consumer \((consumer ?? "").quoted) has signed in to sandbox '\(sandbox.id)'",
            unknown: consumer ?? "", known: known)
    }
}
