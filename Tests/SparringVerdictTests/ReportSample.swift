import SparringJSON
import SparringJournal

@testable import SparringVerdict

/// Reports to be written.
enum ReportSample {
    /// Stands for any kind of rule.
    private struct Form: RuleForm {
        static let word = "retry"
        static let members: [String] = []
        init() {}
        init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {}
        let selectors: [Selector?] = []
        let wanted = ""
        func concerns(_ place: EventPlace) -> Bool { true }
        func judge(_ timing: Timing) -> any Judge { Nobody() }
    }

    private struct Nobody: Judge {
        let judgement = Judgement()
        mutating func take(_ event: Event) {}
    }

    static func rule(_ name: String, vendor: String = "liveperson") -> Rule {
        Rule(summary: summary(name, vendor: vendor), form: Form())
    }

    static func summary(
        _ name: String, vendor: String = "liveperson", says: String = "Tries again after 2 s, 4 s and 8 s, and no more.",
        source: String = "reference §5", fidelity: String = "verified", platforms: [String] = []
    ) -> RuleSummary {
        RuleSummary(name: name, vendor: vendor, kind: "retry", says: says, source: source, fidelity: fidelity, platforms: platforms)
    }

    static func finding(_ weight: ContractFindings.Weight, entry: Int) -> ContractFinding {
        ContractFinding(
            weight, fingerprint: "0123456789abcdef", code: "missing", operation: "liveperson.getDomains", place: "query:appId",
            words: "query parameter appId: required", first: entry)
    }

    static func report(
        _ verdicts: [Verdict], timeline: [TimelineItem] = [], sandbox: String = "default", scenario: String? = "socket-storm",
        timing: Timing = Timing(), entries: Int = 120, pruned: Int = 0, watched: Double = 38.4
    ) -> VerdictReport {
        VerdictReport(
            sandbox: sandbox, seed: 42, scenario: scenario, timing: timing, verdicts: verdicts, entries: entries, pruned: pruned,
            watched: watched, timeline: timeline)
    }

    static func item(
        _ entry: Int, _ kind: TimelineItem.Kind, lane: String = "alice", _ what: String = "liveperson.login", outcome: String? = nil,
        faults: [Int] = [], at begin: Double, to end: Double? = nil
    ) -> TimelineItem {
        TimelineItem(entry: entry, kind: kind, lane: lane, what: what, outcome: outcome, faults: faults, begin: begin, end: end ?? begin)
    }

    /// A chain of which the third attempt came too early and the fourth not at all.
    static let chain = RetryChain(
        lane: "alice", what: "liveperson.openSocket",
        attempts: [
            .init(number: 1, entries: [7, 8], seen: 0, outcome: "no answer", judged: .first),
            .init(
                number: 2, entries: [12], seen: 2.31, waited: 2.1, due: 2, earliest: 1.6, latest: 3, outcome: "service-unavailable",
                judged: .good),
            .init(
                number: 3, entries: [15], seen: 3.4, waited: 0.9, due: 4, earliest: 3.2, latest: 6, outcome: "service-unavailable",
                judged: .early),
            .init(
                number: 4, entries: [], seen: 16.2, waited: nil, due: 8, earliest: 6.4, latest: 12, outcome: "nothing came",
                judged: .missing),
        ], watched: 12.4)

    static let early = "attempt 3 came 900 ms after attempt 2; due after 4.0 s (3.2 s to 6.0 s)"
    static let missing = "attempt 4 was due 8.0 s (6.4 s to 12.0 s) after attempt 3 and did not come within 12.4 s"

    private static func against(_ evidence: Verdict.Evidence) -> Verdict.Evidence {
        var evidence = evidence
        evidence.isAgainst = true
        return evidence
    }

    static var failed: Verdict {
        Verdict(
            rule: summary("socket-backoff", platforms: ["ios"]), result: .fail, summary: early + " (and 1 more)",
            evidence: [.init(15, early), .init(16, missing)].map(against), chains: [chain], because: "the gateway is away", isExpected: true
        )
    }

    static var passed: Verdict {
        Verdict(
            rule: summary("login-once", says: "Signs in once.", source: "RFC 6749 §4.1"), result: .pass, summary: "done 3 times",
            evidence: [.init(4, "liveperson.login followed entry 3 after 12 ms")])
    }

    static var idle: Verdict {
        Verdict(rule: summary("fresh-code", says: "Uses no code twice."), result: .notExercised, summary: "there was no second login")
    }

    static var missed: Verdict {
        Verdict(
            rule: summary("clean-logout", says: "Closes its socket before it signs out."), result: .notExercised,
            summary: "there was no logout", because: "the consumer signs out", isExpected: true)
    }

    static var undecided: Verdict {
        Verdict(
            rule: summary("silence", says: "Is silent in the end."), result: .undecided, summary: "4.0 s of 38.4 s watched",
            because: "so it is",
            isExpected: true)
    }

    static var advice: Verdict {
        Verdict(
            rule: summary("window", says: "Keeps the window open."), result: .advice, summary: "number 6 in 2.0 s",
            evidence: [.init(3, "number 6 in 2.0 s")])
    }

    static var doubtful: Verdict {
        Verdict(
            rule: summary("token-refresh", vendor: "identity", says: "Takes a new token in time.", fidelity: "inferred"),
            result: .inconclusive, summary: "12 entries have left the journal")
    }

    /// A report with as many items as a run's timeline keeps, in many lanes.
    static var crowd: VerdictReport {
        let kinds: [TimelineItem.Kind] = [.success, .failure, .lost, .notification, .success, .opened, .closed, .mark, .fault, .success]
        var items: [TimelineItem] = []
        for index in 0..<2000 {
            let begin = Double(index) * 0.05
            items.append(
                item(
                    index + 1, kinds[(index * 7 + index / 50) % 10], lane: "lane-\(index % 50)", "liveperson.publishEvent",
                    outcome: "service-unavailable", faults: index % 13 == 0 ? [index % 5] : [], at: begin, to: begin + 0.03))
        }
        return report([failed, passed, idle], timeline: items, entries: 5000, watched: 110)
    }
}

/// One report alone, as a suite shows it.
extension VerdictReport {
    private var suite: SuiteReport { SuiteReport(self, version: "1.2.3", now: Timestamp(seconds: 1_800_000_000)) }

    func html() -> String { suite.html() }
    func junit() -> String { suite.junit() }
    var annotations: [String] { suite.annotations }
}
