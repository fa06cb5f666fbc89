import Foundation
import GRDB
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVerdict

/// Judging what happened in a sandbox.
extension Sandbox {
    /// Reads all of a sandbox's journal and judges it, as if the watch ended now.
    private func judge(_ plan: VerdictRequest.Plan) async throws -> VerdictReport {
        try await store.read { [self] db in
            let run = Judging.Run(
                sandbox: id, seed: seed, scenario: scenario, pruned: try journal.losses(db).pruned, people: try aliases.people(db),
                caveats: try FaultCaveats.read(id, db), rate: clock.json["rate"]?.double ?? 0)
            var judging = plan.judging(run)
            try journal.forEach(db) { judging.take($0) }
            let arrival = moment(.now)
            var end = Instant(sandbox: clock.now.milliseconds, monotonic: arrival.monotonic, process: arrival.process)
            end.delayed = arrival.delayed
            var report = judging.finish(at: end)
            if plan.request.showsExchanges { report.exchanges = try journal.exchanges(report.named, db) }
            return report
        }
    }

    /// Judges it once nothing is left open, or when `limit` of the machine's time is over; on the sandbox's clock an advance does it.
    ///
    /// - Throws: ``ConfigurationError`` for a rule or a policy that is not known.
    func judge(_ request: VerdictRequest, _ behaviours: Behaviours, settlingFor limit: Duration) async throws -> VerdictReport {
        let plan = try request.plan(behaviours, sandbox: creation)
        let deadline = ContinuousClock.now + limit
        while true {
            let report = try await judge(plan)
            // A millisecond more: a window is over when more than it has passed.
            let left = Duration.milliseconds(Int64(clamped: (report.left * 1000).rounded(.up)).addingClamped(1))
            guard report.left > 0, limit > .zero else { return report }
            if request.timing.basis == .sandbox {
                _ = try await advance(by: left)
            } else {
                // What needs longer stays undecided; what needs less is decided.
                try await Task.sleep(until: min(.now + left, deadline), clock: .continuous)
            }
            if ContinuousClock.now >= deadline { return try await judge(plan) }
        }
    }
}

extension Journal {
    /// What was sent and answered in these entries; those that have left the journal are left out.
    func exchanges(_ numbers: [Int], _ db: Database) throws -> [ReportedExchange] {
        try numbers.compactMap { number in try record(number, db).flatMap { ReportedExchange($0) } }
    }
}
