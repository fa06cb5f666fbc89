import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What vendors add to the admin API.
extension AdminAPI {
    func performVendors(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let name = call.operation.vendor
        guard let (_, handler) = vendors[name]?.adminOperation(call.operation.id) else {
            throw ToolError("operations were checked at start")
        }
        guard let tenant = sandbox.tenant(of: name) else {
            throw AdminProblem("tenant-unknown", "sandbox '\(sandbox.id)' has no tenant of \(name)")
        }
        let body = call.operation.requestBody?.mediaTypes.first?.schema?.filled(call.body) ?? call.body
        let request = AdminRequest(operation: call.operation, sandbox: sandbox, tenant: tenant, body: body, parts: call.request)
        switch handler.kind {
        case .read(let show): return try await store.read { db in try show(db, request) }
        case .act(let lane, let perform):
            try handler.check(call.body)
            let lane = try await store.read { db in try lane(db, request) }
            return try await intervene(call, request, in: lane, perform)
        }
    }

    /// Has something done in a savepoint, journals it, and sends what it has for sockets after the commit.
    private func intervene(
        _ call: AdminCall, _ request: AdminRequest, in lane: String,
        _ perform: @escaping @Sendable (Database, AdminRequest, Occasion) throws -> Answer
    ) async throws -> Answer {
        let sandbox = request.sandbox
        let occasion = Occasion(call.operation.qualifiedName, of: lane, sandbox, request.tenant)
        var entry = sandbox.entry(.configuration, cause: "")
        entry.note(call.asked)
        (entry.lane, entry.ordinal) = (occasion.origin.lane, occasion.origin.ordinal)
        let note = entry
        do {
            let answer = try await sandbox.write(sending: occasion.outbox, causedBy: occasion.origin) { db in
                try call.alongside?(db)
                try sandbox.journal.requireSandbox()
                let answer = try perform(db, request, occasion)
                var entry = note
                var delivery: JSON?
                if case .json(let body) = answer.body { delivery = body["delivery"] }
                entry.cause = Cause(answer.cause ?? "\(call.operation.qualifiedName) was done", delivery: delivery)
                try sandbox.journal.append(entry, db)
                return answer
            }
            sandbox.journal.committed()
            return answer
        } catch {
            sandbox.takeBack(occasion.origin.ordinal, of: occasion.origin.lane)
            throw error
        }
    }
}
