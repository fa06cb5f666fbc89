package import SparringJournal

/// The results of a whole run: one or several plays, each with the sandboxes that were judged.
package struct SuiteReport: Sendable {
    /// The client's tests, run once; or what happened in a server that was only asked.
    package struct Play: Sendable {
        /// The scenario of the sandbox that was made for the play; nil: none was made from a scenario.
        package var scenario: String?
        /// The command's exit status, 128 and the signal's number where a signal ended it; nil: no command was run.
        package var status: Int32?
        /// The limit after which the command was killed (`--timeout`); nil: it was not.
        package var killedAfter: String?
        /// How the command ended, in words; nil if it was not run or all went well.
        package var failure: String? {
            guard let status, status != 0 else { return nil }
            if let killedAfter { return "the command was killed: it had run for \(killedAfter) (--timeout)" }
            let signal = status - 128
            return 1...64 ~= signal
                ? "the command was ended by signal \(signal) (exit status \(status))" : "the command exited with \(status)"
        }
        /// When it began and ended, by the machine's clock.
        package var began, ended: Timestamp
        /// The last of what the command wrote; empty where that went straight to the terminal.
        package var output = ""
        /// The command line that does the same again.
        package var again: String?
        /// Further facts about the play for the reader: calls that matched nothing, connections without a request.
        package var notes: [String] = []
        /// The calls that fit no sandbox, a row for each method and path.
        package var strays: [ContractFinding] = []
        package var reports: [VerdictReport]

        package init(scenario: String? = nil, status: Int32? = nil, began: Timestamp, ended: Timestamp, reports: [VerdictReport]) {
            self.scenario = scenario
            self.status = status
            self.began = began
            self.ended = ended
            self.reports = reports
        }
    }

    /// One sandbox's verdicts, under a name that is its own in the suite.
    struct Section {
        var name: String
        var play: Play
        var report: VerdictReport
        /// The section is the first of its play, and has what is to be said of the play.
        var isFirst: Bool
        /// Requests reached other sandboxes of the run, and not this one: nothing can be said of its test.
        var isUnreached: Bool

        static let unreachedWords = "no request reached it"

        /// The name, with the test's where that is not part of it.
        var testName: String {
            guard let label = report.label, !name.contains(label) else { return name }
            return "\(name) / \(label)"
        }
    }

    /// The version of Sparring.
    package var version: String
    /// The words of the command; empty: none was run.
    package var command: [String]
    package var plays: [Play]
    /// JUnit and the page have every rule, not only those that were exercised or asked for.
    package var showsAllRules = false
    /// A run in which no rule was exercised is no success.
    package var needsExercise = false
    /// How the client took what was varied, for each play; none: nothing was.
    package var variations: [VariationReport] = []
    /// How much of the contracts has to be met, as parts of 1.
    package var minimums: [(axis: Coverage.Axis, part: Double)] = []

    package init(version: String, command: [String] = [], plays: [Play]) {
        self.version = version
        self.command = command
        self.plays = plays
        forgive()
    }

    /// A rule that was asked for by name need not be exercised in every sandbox, and one that a scenario expects not in every sandbox that plays it: one is
    /// enough, as few tests of a suite meet the incident.
    private mutating func forgive() {
        let exercised = Self.exercised(in: reports)
        for play in plays.indices {
            let met = Dictionary(grouping: plays[play].reports, by: \.scenario).mapValues(Self.exercised)
            for report in plays[play].reports.indices {
                let scenario = plays[play].reports[report].scenario
                plays[play].reports[report].forgive(expected: scenario == nil ? [] : met[scenario] ?? [], named: exercised)
            }
        }
    }

    private static func exercised(in reports: [VerdictReport]) -> Set<String> {
        Set(reports.flatMap(\.verdicts).filter(\.isExercised).map(\.rule.qualifiedName))
    }

    package var reports: [VerdictReport] { plays.flatMap(\.reports) }

    /// The worst of the reports' results.
    package var result: Verdict.Result {
        let results = reports.map(\.result)
        if reports.contains(where: { !$0.ownFailures.isEmpty }) { return .inconclusive }
        if let worst = ([.fail, .inconclusive] + VerdictReport.missed).first(where: { result in
            reports.contains { $0.result == result && (result == .fail || $0.isUnclear) }
        }) {
            return worst
        }
        return results.contains(.pass) ? .pass : .notExercised
    }

    /// No rule was broken, and some sandbox does not show whether the client keeps a rule that is wanted.
    package var isUnclear: Bool { result != .fail && reports.contains(where: \.isUnclear) }

    /// `has-one-thread was not exercised, and 2 more rules are unclear`; nil where it is clear whether the client keeps what is wanted.
    package var unclearWords: String? {
        let unclear = reports.flatMap { report in report.verdicts.filter { $0.isMissed || $0.result == .inconclusive } }
        guard isUnclear, let first = unclear.first else { return nil }
        let words =
            switch first.result {
            case .undecided: "stayed undecided"
            case .excused: "was excused"
            case .notExercised: "was not exercised"
            default: "could not be judged"
            }
        let others = Set(unclear.map(\.rule.qualifiedName)).count - 1
        return "\(first.name) \(words)" + (others > 0 ? ", and \(others) more \(others == 1 ? "rule is" : "rules are") unclear" : "")
    }

    /// No rule was exercised, and that is not good enough.
    package var isIdle: Bool { needsExercise && result == .notExercised && !isUnclear }

    /// The reason for which the run is idle; nil where it is not.
    var idleWords: String? {
        guard isIdle else { return nil }
        return reports.allSatisfy { $0.calls == 0 } ? "no request reached Sparring" : "no rule was exercised"
    }

    /// The way out of that.
    static let idleAdvice = "--allow-unexercised makes that good"

    /// For a process: 70 or 74 where Sparring itself failed, else 1 where a rule or the contract was broken, else the status of the first command that failed, else 2 where it is
    /// unclear whether the client does what was asked for, else 0.
    package var exitStatus: Int32 {
        if let failed = reports.map(\.ownFailures).filter({ !$0.isEmpty }).map(\.exitStatus).max() { return failed }
        if result == .fail || strayWords != nil || !shortfalls.isEmpty || variations.contains(where: { !$0.findings.isEmpty }) { return 1 }
        let isUnclear = isUnclear || isIdle || variations.contains { $0.obstacle != nil }
        return failedCommand ?? (isUnclear ? 2 : 0)
    }

    /// The calls that matched nothing and fail the run.
    private var strays: [ContractFinding] { plays.flatMap(\.strays).filter { $0.weight == .fail } }

    /// How many they are; nil: none.
    package var strayWords: String? {
        let count = strays.reduce(0) { $0 + $1.count }
        guard count > 0 else { return nil }
        return "\(count) \(count == 1 ? "call" : "calls") matched nothing, and the run fails for it (--contract all)"
    }

    /// A line for each of them.
    var strayLines: [String] { strays.strayLines }

    /// The client broke on something that was varied, or that could not be judged.
    var isVariationBad: Bool { variations.contains { !$0.isGood } }

    /// The status of the first command that failed.
    var failedCommand: Int32? { plays.lazy.compactMap(\.status).first { $0 != 0 } }

    /// How much of the contracts all sandboxes together have met; nil: nobody asked.
    package var coverage: Coverage? {
        let all = reports.compactMap(\.coverage)
        return all.isEmpty ? nil : all.reduce(Coverage()) { $0.merging($1) }
    }

    /// The minimums that are not reached, one sentence each. Where nothing was called, none is.
    package var shortfalls: [String] {
        guard !minimums.isEmpty else { return [] }
        let coverage = coverage ?? Coverage()
        return minimums.compactMap { axis, part in
            let share = coverage.share(axis)
            guard share.part < part || coverage.isEmpty else { return nil }
            return "coverage of \(axis.rawValue) is \(share.met) of \(share.all), below the minimum of \(Coverage.Share.percent(part))"
        }
    }

    /// In the order of the plays. A play's own sandbox is called by its scenario; others by scenario and name.
    var sections: [Section] {
        let all = plays.flatMap { play in play.reports.enumerated().map { (play, $1, $0 == 0) } }
        var taken: [String: Int] = [:]
        let isAnyReached = all.contains { $0.1.calls > 0 }
        return all.map { play, report, isFirst in
            let own = report.label ?? report.sandbox
            var name = play.scenario ?? report.label ?? report.scenario ?? own
            if play.reports.count > 1 || report.label != nil, name != own { name += " / \(own)" }
            taken[name, default: 0] += 1
            if let count = taken[name], count > 1 { name += " (\(count))" }
            let isUnreached = isAnyReached && report.calls == 0 && report.subject == .run
            return Section(name: name, play: play, report: report, isFirst: isFirst, isUnreached: isUnreached)
        }
    }

    /// When the first play began, and the last ended.
    var began: Timestamp? { plays.map(\.began).min() }
    var ended: Timestamp? { plays.map(\.ended).max() }
}

extension VerdictReport {
    /// The verdicts that a reader is shown: those that were exercised or asked for, or all.
    func shown(all: Bool) -> [Verdict] { all ? verdicts : verdicts.filter { $0.isMissed || $0.result != .notExercised } }
}

extension Verdict {
    /// The run shows what the client makes of the rule.
    fileprivate var isExercised: Bool { [.pass, .fail, .advice].contains(result) }
}

extension VerdictReport {
    /// Asks no more for rules that were exercised elsewhere.
    fileprivate mutating func forgive(expected: Set<String>, named: Set<String>) {
        for index in verdicts.indices {
            let verdict = verdicts[index]
            let name = verdict.rule.qualifiedName
            if verdict.result == .notExercised, expected.contains(name) { verdicts[index].isExpected = false }
            if verdict.isNamed, named.contains(name) { verdicts[index].isNamed = verdict.isExercised }
        }
    }
}
