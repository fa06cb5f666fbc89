import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// The steps of a scenario's timeline, performed as if they were asked for over the admin API.
extension AdminAPI: DueOwner {
    func perform(_ task: DueTask) async throws {
        let (item, sandbox) = (task.item, task.sandbox)
        var done = task.entry()
        done.cause = Cause(item.what)
        let entry = done
        let finish: @Sendable (JournalEntry, Database) throws -> Void = { entry, db in
            guard try DueItem.remove(item.number, db) else { return }
            try sandbox.journal.append(entry, db)
        }
        do {
            let step = Scenario.Step(at: .zero, operation: item.kind, arguments: item.body.object ?? [:])
            let request = try TimelineRequest(step, of: contract, vendors, at: .root).request
            var call = AdminCall(
                operation: request.operation, request: request.parts(of: sandbox.id), body: request.body, addresses: task.addresses)
            call.alongside = { db in try finish(entry, db) }
            call.origin = JournalEntry.Origin(operation: item.kind, lane: entry.lane ?? Timeline.lane, ordinal: entry.ordinal ?? 0)
            _ = try await perform(call)
            // What had nothing to change has written nothing.
            try await store.write { db in try finish(entry, db) }
        } catch {
            guard let reason = AdminProblem(refusal: error)?.detail else { throw error }
            var refused = entry
            refused.cause = "\(item.what) was refused: \(reason)"
            refused.findings = [Finding("timeline", "the scenario does not match the state of the sandbox: \(reason)")]
            let told = refused
            try await store.write { db in try finish(told, db) }
        }
    }
}
