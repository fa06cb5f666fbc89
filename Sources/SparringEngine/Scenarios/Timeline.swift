import GRDB
import SparringJSON
import SparringJournal

/// A scenario's later events as due work of a sandbox.
enum Timeline {
    static let lane = "timeline"

    /// Schedules all of it, counted from `start`.
    static func schedule(_ scenario: Scenario, in sandbox: Sandbox, from start: Timestamp, _ db: Database) throws {
        for step in scenario.timeline {
            let arguments = step.arguments.isEmpty ? "" : " " + JSON.object(step.arguments).text
            try sandbox.schedule(
                DueItem(
                    due: start + step.at, vendor: AdminAPI.name, kind: step.operation,
                    what: "the scenario's timeline: \(step.operation)\(arguments)", lane: lane, body: .object(step.arguments)), db)
        }
    }
}

extension DueRunner {
    /// Does what a timeline wants done, as if it were asked for over the admin API. The item goes in the transaction of what it changes,
    /// so that a process that is killed does it once, before or after.
    func follow(_ item: DueItem, in sandbox: Sandbox, _ entry: JournalEntry) async throws {
        let admin = pipeline.admin
        let finish: @Sendable (JournalEntry, Database) throws -> Void = { entry, db in
            guard try DueItem.remove(item.number, db) else { return }
            try sandbox.journal.append(entry, db)
        }
        do {
            let step = Scenario.Step(at: .zero, operation: item.kind, arguments: item.body.object ?? [:])
            let request = try TimelineRequest(step, of: admin.contract, pipeline.world.vendors, at: .root).request
            var call = AdminCall(
                operation: request.operation, request: request.parts(of: sandbox.id), body: request.body, addresses: addresses,
                metrics: pipeline.metrics)
            call.alongside = { db in try finish(entry, db) }
            _ = try await admin.perform(call)
            // What had nothing to change has written nothing.
            try await store.write { db in try finish(entry, db) }
        } catch {
            guard let reason = (error as? AdminProblem)?.detail ?? (error as? ConfigurationError)?.description else { throw error }
            var refused = entry
            refused.cause = "\(item.what) was refused: \(reason)"
            refused.findings = [Finding("timeline", "the scenario does not fit what happened: \(reason)")]
            let told = refused
            try await store.write { db in try finish(told, db) }
        }
    }
}
