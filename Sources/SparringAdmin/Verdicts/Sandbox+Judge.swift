import GRDB
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVerdict

/// Judging what happened in a sandbox.
extension Sandbox {
    /// Seconds of the clock that go by in one of the machine's; 0: it stands.
    private var rate: Double { clock.json["rate"]?.double ?? 0 }

    /// Reads all of a sandbox's journal and judges it, as if the watch ended now.
    ///
    /// - Parameter skipped: how much later than by the machine's clock it ends.
    private func judge(_ plan: VerdictRequest.Plan, skipping skipped: Duration = .zero) async throws -> VerdictReport {
        try await store.read { [self] db in
            let run = Judging.Run(
                sandbox: id, seed: seed, node: node?.name, label: label, scenario: scenario, pruned: try journal.losses(db).pruned,
                unrecorded: store.unrecorded.of(id).map { ($0.count, $0.words) }, people: try aliases.people(db),
                caveats: try FaultCaveats.read(id, db), rate: rate)
            var judging = plan.judging(run)
            try journal.forEach(db) { judging.take($0) }
            let arrival = moment(.now)
            let monotonic = arrival.monotonic.addingClamped(skipped.milliseconds.multipliedClamped(by: 1_000_000))
            var end = Instant(sandbox: clock.now.milliseconds, monotonic: monotonic, process: arrival.process)
            end.delayed = arrival.delayed
            var report = judging.finish(at: end)
            if plan.request.showsExchanges { report.exchanges = try journal.exchanges(report.named, db, &report.contract.redaction) }
            return report
        }
    }

    /// Judges it once nothing is left open, or when `limit` of the machine's time is over. On the sandbox's clock an advance does it, and on the machine's
    /// too where the client has ended.
    ///
    /// - Throws: ``ConfigurationError`` for a rule or a policy that is not known.
    func judge(_ request: VerdictRequest, _ behaviours: Behaviours, settlingFor limit: Duration) async throws -> VerdictReport {
        let plan = try request.plan(behaviours, sandbox: creation)
        let deadline = ContinuousClock.now + limit
        var skipped = Duration.zero
        while true {
            let report = try await judge(plan, skipping: skipped)
            // A millisecond more: a window is over when more than it has passed.
            let left = Duration.milliseconds(Int64(clamped: (report.left * 1000).rounded(.up)).addingClamped(1))
            guard report.left > 0, limit > .zero else { return report }
            if request.timing.basis == .sandbox {
                _ = try await advance(by: left)
            } else if request.hasEnded {
                // What needs longer stays undecided; what needs less is decided.
                let step = min(left, limit - skipped)
                guard step > .zero else { return report }
                skipped += step
                _ = try await advance(by: .seconds(Double(step.milliseconds) / 1000 * (rate > 0 ? rate : 1 / request.timing.scale)))
            } else {
                try await Task.sleep(until: min(.now + left, deadline), clock: .continuous)
            }
            if ContinuousClock.now >= deadline { return try await judge(plan, skipping: skipped) }
        }
    }
}

extension Journal {
    /// The requests and answers of these entries; those that have left the journal are left out.
    ///
    /// - Parameter redaction: the report's.
    func exchanges(_ numbers: [Int], _ db: Database, _ redaction: inout Redaction) throws -> [ReportedExchange] {
        try numbers.compactMap { number in try record(number, db).flatMap { ReportedExchange($0, &redaction) } }
    }
}
