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
    func judge(_ rules: [(rule: Rule, because: String?)], _ behaviours: Behaviours, _ timing: Timing) async throws
        -> VerdictReport
    {
        try await store.read { [self] db in
            let run = Judging.Run(
                sandbox: id, seed: seed, scenario: scenario, pruned: try journal.losses(db).pruned, people: try aliases.people(db),
                caveats: try FaultCaveats.read(id, db))
            var judging = Judging(run, rules, behaviours, timing)
            try journal.forEach(db) { judging.take($0) }
            let arrival = moment(.now)
            return judging.finish(
                at: Instant(sandbox: clock.now.milliseconds, monotonic: arrival.monotonic, process: arrival.process))
        }
    }

    /// The same once nothing is left open, or when `limit` of the machine's time is over; on the sandbox's clock an advance does it.
    func judge(
        _ rules: [(rule: Rule, because: String?)], _ behaviours: Behaviours, _ timing: Timing,
        settlingFor limit: Duration
    ) async throws -> VerdictReport {
        let deadline = ContinuousClock.now + limit
        while true {
            let report = try await judge(rules, behaviours, timing)
            // A millisecond more: a window is over when more than it has passed.
            let left = Duration.milliseconds(Int64(clamped: (report.left * 1000).rounded(.up)).addingClamped(1))
            guard report.left > 0, limit > .zero else { return report }
            if timing.basis == .sandbox {
                _ = try await advance(by: left)
            } else if ContinuousClock.now + left < deadline {
                try await Task.sleep(for: left)
            } else {
                return report
            }
            if ContinuousClock.now > deadline { return try await judge(rules, behaviours, timing) }
        }
    }
}
