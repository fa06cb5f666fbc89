import GRDB
import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// The operations that vendors add to the admin API.
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
        if handler.isAct { try handler.check(call.body) }
        if let relay = options.engine.relay, relay.targets.vendors.contains(name) {
            return try await pass(call, request, isAct: handler.isAct, to: relay)
        }
        switch handler.kind {
        case .read(let show): return try await store.read { db in try show(db, request) }
        case .act(let lane, let perform):
            let lane = try await store.read { db in try lane(db, request) }
            return try await intervene(call, request, in: lane, perform)
        }
    }

    /// Asks the vendor's own server to show or to do something, and journals an act.
    private func pass(_ call: AdminCall, _ request: AdminRequest, isAct: Bool, to relay: RelayOptions) async throws -> Answer {
        let operation = call.operation
        guard let act = relay.act else {
            throw AdminProblem("act-refused", "\(operation.vendor) is the vendor's own server: give a command that acts there with --acts")
        }
        guard let declared = operation.answers.first(where: { !$0.isUnhappy }) else { throw ToolError("operations were checked at start") }
        let path = operation.path(call.request.pathParameters.byName).trimmingPrefix("/__admin/sandboxes/\(request.sandbox.id)/")
        let query = call.request.query.map { "\(PercentCoding.encoded($0.name))=\(PercentCoding.encoded($0.value))" }
        let form = RelayOptions.Act(
            vendor: operation.vendor, method: operation.method.rawValue,
            path: ([String(path)] + (query.isEmpty ? [] : [query.joined(separator: "&")])).joined(separator: "?"),
            body: call.body)
        let (began, answer): (Timestamp, Answer)
        do {
            began = request.sandbox.clock.now
            let done = try await act(form)
            answer = Answer(declared.name, done == .null ? [:] : done, cause: "\(operation.qualifiedName) was done at the vendor")
        } catch {
            throw AdminProblem("act-refused", "\(operation.qualifiedName) failed at the vendor: \(error)")
        }
        guard isAct else { return answer }
        return try await intervene(call, request, in: call.body["consumer"]?.string ?? operation.qualifiedName, since: began) { _, _, _ in
            answer
        }
    }

    /// Performs an operation in a savepoint, journals it, and sends its messages for sockets after the commit.
    private func intervene(
        _ call: AdminCall, _ request: AdminRequest, in lane: String, since began: Timestamp? = nil,
        _ perform: @escaping @Sendable (Database, AdminRequest, Occasion) throws -> Answer
    ) async throws -> Answer {
        let sandbox = request.sandbox
        let occasion = Occasion(call.operation.qualifiedName, of: lane, sandbox, request.tenant)
        var entry = sandbox.entry(.configuration, cause: "")
        entry.note(call.asked)
        entry.began = began
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
