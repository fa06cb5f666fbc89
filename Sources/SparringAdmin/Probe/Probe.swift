package import SparringContract
import SparringEngine
import SparringJSON

/// Plays scripts at a vendor and at fresh sandboxes, and says where contract, vendor and Sparring differ.
package struct Probe {
    private let plan: ProbePlan
    private let contracts: [Contract]
    private let line: ProbeLine
    private let hand: (any ProbeHand)?
    private let supply: @Sendable (String) async throws -> String
    private let makeServer: () throws -> Server
    private var unreachable: [String: String] = [:]
    private var report = ProbeReport()
    private var learner: Learner?

    /// - Parameters:
    ///   - hand: does what agents do; needed where the plan's terms say that there is one.
    ///   - learns: the report has proposals.
    ///   - supply: a credential of a kind that the plan's terms name.
    ///   - makeServer: a server without a sandbox, which nobody else uses.
    package init(
        _ plan: ProbePlan, _ contracts: [Contract], _ line: ProbeLine, hand: (any ProbeHand)?, learns: Bool = false,
        supply: @escaping @Sendable (String) async throws -> String, _ makeServer: @escaping () throws -> Server
    ) {
        (self.plan, self.line, self.hand, self.supply, self.makeServer) = (plan, line, hand, supply, makeServer)
        self.contracts = contracts.filter { $0.vendor != AdminAPI.name }
        learner = learns ? Learner(contracts) : nil
    }

    /// Plays the whole plan, until the vendor asks for peace.
    ///
    /// - Parameter progress: called with each script's name before it is played.
    /// - Throws: why a fresh sandbox cannot be made; what the hand or the supply throws.
    package mutating func run(_ progress: (String) -> Void = { _ in }) async throws -> ProbeReport {
        report.left = plan.left.map { ProbeReport.Left(what: $0.what, reason: $0.reason) }
        var stop: String?
        for part in plan.parts where part.count > 0 {
            if let stop {
                for case .sent(_, let operation) in part.standings { report.note(unchecked: operation, stop) }
                continue
            }
            progress(part.script.name)
            stop = try await play(part)
        }
        report.proposals = learner?.proposals
        report.finish()
        return report
    }

    /// - Returns: why nothing more may be played.
    private mutating func play(_ part: ProbePlan.Part) async throws -> String? {
        var passes: [ProbeOutcome] = []
        var stop: String?
        var reached = part.standings.count
        for pass in 1...ProbePlan.passes where stop == nil {
            try await hand?.begin(part.script, pass: pass)
            var session = ProbeSession(part, plan.targets, line, hand, unreachable: unreachable, supply)
            do { try await session.run() } catch let throttled as ProbeSession.Throttled {
                stop = "\(throttled.operation) was answered with 429, so that nothing more was sent"
                reached = pass < ProbePlan.passes ? 0 : session.outcome.reached - 1
            }
            unreachable = session.unreachable
            report.count += session.outcome.calls.reduce(0) { $0 + 1 + ($1.messages ?? []).count { $0.isSent } }
            for (operation, reason) in session.outcome.unchecked { report.note(unchecked: operation, reason) }
            passes.append(session.outcome)
        }
        if let stop {
            for case .sent(_, let operation) in part.standings.dropFirst(reached) { report.note(unchecked: operation, stop) }
        }
        // What was played once only may be noise.
        guard reached > 0 else { return stop }
        var comparison = ProbeComparison(contracts, plan.targets.hosts, tenants: part.script.tenants, learner, makeServer)
        try await comparison.take(passes.map { $0.cut(before: reached) })
        learner = comparison.learner
        report.take(comparison)
        return stop
    }
}
