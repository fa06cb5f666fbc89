import GRDB
import SparringContract
import SparringJSON
import SparringJournal

/// Making something happen in a vendor's world.
extension AdminAPI {
    /// Has something done in a savepoint, journals it, and sends what it has for sockets after the commit.
    ///
    /// - Parameters:
    ///   - lane: whose it is, such as a consumer.
    ///   - act: returns what is to be answered, and what was done in words.
    func intervene<Value: Sendable>(
        _ call: Call, of lane: String, _ sandbox: Sandbox, _ tenant: Tenant,
        _ act: @escaping @Sendable (Intervention, Database) throws -> (Value, String)
    ) async throws -> Value {
        let lane = lane.laneName
        let intervention = Intervention(call.operation.qualifiedName, of: lane, sandbox, tenant)
        var entry = world.entry(.configuration, sandbox, cause: "")
        (entry.lane, entry.ordinal, entry.details) = (lane, intervention.origin.ordinal, call.body)
        let note = entry
        do {
            let value = try await world.write(sending: intervention.outbox, causedBy: intervention.origin) { db in
                try call.alongside?(db)
                try sandbox.journal.requireSandbox()
                let (value, cause) = try act(intervention, db)
                var entry = note
                entry.cause = Cause(cause)
                try sandbox.journal.append(entry, db)
                return value
            }
            sandbox.journal.committed()
            return value
        } catch {
            sandbox.takeBack(intervention.origin.ordinal, of: lane)
            throw error
        }
    }
}
