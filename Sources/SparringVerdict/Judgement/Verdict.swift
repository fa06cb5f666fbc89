/// The result of a rule in a run.
public struct Verdict: Sendable {
    public enum Result: String, Sendable, CaseIterable {
        case pass, fail
        /// It was broken, and it is no more than advice.
        case advice
        /// Something happened that the rule is about, and the run ended before it could be decided.
        case undecided
        /// Something happened that the rule is about, and before it could be decided the client's user left, or whatever else the rule takes for an excuse.
        case excused
        /// Nothing happened that the rule is about, or it is not about such a client.
        case notExercised = "not-exercised"
        /// The journal does not have what would be needed: pruned entries, a chain across a restart.
        case inconclusive
    }

    /// An entry of the journal that tells, and what.
    public struct Evidence: Sendable, Hashable {
        /// The number of the entry; nil where the evidence is that none came.
        public var entry: Int?
        public var words: String
        /// It counts against the client.
        public var isAgainst = false
        /// Something did not come, which a mark might have excused.
        var isAbsence = false

        package init(_ entry: Int?, _ words: String) {
            self.entry = entry
            self.words = words
        }

        static func absence(_ entry: Int?, _ words: String) -> Evidence {
            var evidence = Evidence(entry, words)
            evidence.isAbsence = true
            return evidence
        }
    }

    public var rule: RuleSummary
    /// The rule's name, as short as is clear in the report: ``RuleNames/shortName(of:)``.
    public var name: String { shownName ?? rule.name }
    public var result: Result
    /// One sentence that a developer can act on.
    public var summary: String
    /// At most ``Judging/evidenceLimit``, those that count against the client first.
    public var evidence: [Evidence] = []
    /// The chains of retries that were judged, at most ``Judging/evidenceLimit``, the failed ones first.
    public var chains: [RetryChain] = []
    /// The scenario asks for it; with its reason.
    public var because: String?
    public var isExpected = false
    /// It was asked for by name.
    public var isNamed = false
    /// It was broken, and is in the baseline: it is no more than advice.
    var isKnown = false
    /// It was broken, and that is no more than a doubt.
    var isDoubt = false
    /// ``name`` where it is another than the rule's own.
    var shownName: String?
}

/// Attempts at one thing, from the first that failed to the one that succeeded or the last.
public struct RetryChain: Sendable {
    public struct Attempt: Sendable {
        /// From 1; of a long chain some are left out.
        public var number = 0
        /// The journal's entries: several where calls that came in one burst are one attempt.
        public var entries: [Int]
        /// Seconds of the run from the beginning of the chain.
        public var seen: Double
        /// After the end of the attempt before; nil for the first, and where none was due.
        public var waited: Double?
        /// The seconds that it should have waited; nil where no further attempt was due.
        public var due: Double?
        /// How early and how late it may come: seconds after the attempt before.
        public var earliest, latest: Double?
        public var outcome: String
        public var judged: Judged
    }

    public enum Judged: String, Sendable {
        case first, good, early, late, surplus
        /// It was due and did not come.
        case missing
        /// It would have been due after the end of the run, or was not waited for.
        case open
    }

    public var lane: String
    /// The thing that is retried: an operation, or the name of a group.
    public var what: String
    public var attempts: [Attempt]
    /// Seconds that nothing came after the last attempt.
    public var watched: Double?
    public var isGood: Bool { attempts.allSatisfy { $0.judged == .first || $0.judged == .good || $0.judged == .open } }
}

/// A run, judged.
public struct VerdictReport: Sendable {
    /// The thing that was judged.
    package enum Subject: Sendable {
        case run
        /// Its answers are a vendor's: they are held against the contract as well.
        case recording
        /// Sparring's answers, held against those of a recording.
        case replay
    }

    public var sandbox: String
    public var seed: Int64
    /// The server that it was at, of several; nil: the only one.
    public var node: String?
    /// The name of the test that the sandbox was made for.
    public var label: String?
    public var scenario: String?
    public var timing: Timing
    /// With any of them the run is inconclusive, whatever the rules say.
    package var ownFailures = OwnFailures()
    /// In the order of the behaviour files.
    public var verdicts: [Verdict]
    /// The violations of the contract.
    public var contract = ContractFindings()
    package var subject = Subject.run
    /// How much of the contracts was met; nil: nobody asked.
    package var coverage: Coverage?
    /// The client's platforms and flows, as far as they are given or shown.
    public var platforms: [String] = [], flows: [String] = []
    /// Why a replay with the same seed may turn out differently, one sentence each.
    public var caveats: [String] = []
    /// Requests that the client's HTTP library sent again by itself, each of which counts as one call with the first; one sentence each.
    public var resent: [String] = []
    /// The requirements for clients that are not visible on the network, so that nobody takes the verdicts for more than they are.
    package var unobservable: [Unobservable] = []
    /// The documents that the rules rest on.
    package var sources: [Source] = []
    /// How many calls came: requests, and messages on sockets.
    public var calls = 0
    /// The requests and answers of the entries that the verdicts name, without secrets; at most ``exchangeLimit``.
    package var exchanges: [ReportedExchange] = []
    static let exchangeLimit = 200
    /// How many entries were read, and how many the journal had lost.
    public var entries: Int
    public var pruned: Int
    /// From the first entry to the end of the watch, in seconds of the run.
    public var watched: Double
    /// Seconds of the run that it would have to be watched on, so that nothing is left open.
    package var left = 0.0
    /// For a drawing: what happened.
    package var timeline: [TimelineItem]
    /// The drawing ends before the run: there was too much of it.
    var isTimelineCut = false

    public func count(_ result: Verdict.Result) -> Int { verdicts.count { $0.result == result } }

    /// The result of the worst rule: of those that passed or were not exercised, only what the scenario expects or somebody named counts.
    /// Inconclusive where Sparring itself failed.
    public var result: Verdict.Result {
        if !ownFailures.isEmpty { return .inconclusive }
        if verdicts.contains(where: { $0.result == .fail }) || contract.isBroken { return .fail }
        if count(.inconclusive) > 0 { return .inconclusive }
        if let worst = Self.missed.first(where: { result in verdicts.contains { $0.isMissed && $0.result == result } }) { return worst }
        return verdicts.contains { $0.result == .pass || $0.result == .advice } ? .pass : .notExercised
    }

    /// The results with which a rule that is wanted leaves open what the client does, the worst first.
    static let missed: [Verdict.Result] = [.undecided, .excused, .notExercised]

    /// No rule was broken, and the run does not show whether the client keeps one that is wanted.
    package var isUnclear: Bool { result == .inconclusive || result != .fail && verdicts.contains(where: \.isMissed) }

    /// For a process: 0, 1 where a rule or the contract was broken, 2 where that cannot be decided of what was expected; 70 or 74 where Sparring itself failed.
    public var exitStatus: Int32 {
        if !ownFailures.isEmpty { return ownFailures.exitStatus }
        return result == .fail ? 1 : isUnclear ? 2 : 0
    }
}

/// Something that happened, for a drawing of the run.
package struct TimelineItem: Sendable {
    package enum Kind: String, Sendable {
        case success, failure, lost, notification, opened, closed, clock, fault, mark
    }

    package var entry: Int
    package var kind: Kind
    package var lane: String
    /// An operation, or what happened.
    package var what: String
    package var outcome: String?
    /// Numbers of the faults that struck.
    package var faults: [Int]
    /// The number of the socket that is opened or closed.
    package var socket: Int?
    /// Seconds of the run from its first entry.
    package var begin: Double
    package var end: Double
}
