import SparringJSON

/// A requirement for clients, and how to find out whether one meets it.
@dynamicMemberLookup
package struct Rule: Sendable {
    /// The description of the rule in reports.
    package var summary: RuleSummary
    /// A client that breaks it gets a remark in the report, and does not fail.
    package var isAdvice = false
    /// A client that breaks it may be a good one that nobody heard of: the run does not show that it is, unless what the scenario expects does.
    var isDoubt = false
    /// The marks by which a client says that the rule asks nothing of it for now.
    var excuses: [String] = []
    let form: any RuleForm

    package subscript<Value>(dynamicMember member: KeyPath<RuleSummary, Value>) -> Value { summary[keyPath: member] }
}

/// The kinds of rules.
protocol RuleForm: Sendable {
    /// The member of the behaviour file that declares it.
    static var word: String { get }
    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError)
    static var members: [String] { get }
    func judge(_ timing: Timing) -> any Judge
    /// The events that it follows.
    var selectors: [Selector?] { get }
    /// The operations that it follows besides.
    var operationSets: [[OperationName]] { get }
    /// Whether what happened there may be of interest: what is not is kept from its judge. Marks are always told.
    func concerns(_ place: EventPlace) -> Bool
    /// The words for what would have to happen for the rule to be exercised.
    var wanted: String { get }
}

extension RuleForm {
    var operationSets: [[OperationName]] { [] }
    func concerns(_ place: EventPlace) -> Bool { follows(place) }
    func follows(_ place: EventPlace) -> Bool {
        operationSets.contains { $0.contains(place.operation) } || selectors.contains { $0?.concerns(place) ?? false }
    }
}

/// The properties of an event that are known before a rule looks at it.
struct EventPlace: Hashable {
    var operation: OperationName
    var isNotification: Bool
    var isConnection: Bool
    var hasFindings: Bool
}

/// Follows a run and says in the end what became of a rule. A value: the same events give the same judgement.
protocol Judge: Sendable {
    var judgement: Judgement { get }
    mutating func take(_ event: Event)
    /// The client's process ended, and a call with it that it may have gone on to wait for.
    mutating func processEnded(with event: Event)
    /// A process of the server has ended, and its sockets with it: by `end`, which is its last known instant.
    mutating func serverEnded(_ process: Int, by end: Instant)
    /// The server was killed after `end`, and is there again: what clients tried meanwhile is not visible, so that nothing is missed that was not overdue.
    mutating func serverKilled(after end: Instant)
    /// - Parameter end: of the watch.
    mutating func finish(_ end: Instant) -> Judgement
}

extension Judge {
    mutating func processEnded(with event: Event) { take(event) }
    mutating func serverEnded(_ process: Int, by end: Instant) {}
    mutating func serverKilled(after end: Instant) {}
    mutating func finish(_ end: Instant) -> Judgement { judgement }
}

/// A judge's conclusion about a rule, with the evidence.
struct Judgement {
    var passes = 0
    /// Evidence against the client: the first of it, and how much there was.
    private(set) var against: [Verdict.Evidence] = []
    private(set) var blames = 0
    var favour: [Verdict.Evidence] = []
    var chains: [RetryChain] = []
    /// Why something is not decided yet: `0.4 s of 38 s watched`.
    var open: [String] = []
    /// The obligations that need not be met any more: `entry 14 … was excused`.
    private(set) var excused: [Verdict.Evidence] = []
    /// Seconds of the run that would have to be watched on to decide all of ``open``.
    var left = 0.0
    /// Why nothing can be decided at all.
    var cannotJudge: String?

    /// Further evidence is only counted.
    var hasEnough: Bool { against.count >= Self.limit }

    mutating func blame(_ entry: Int?, _ words: String) { blame(Verdict.Evidence(entry, words)) }

    mutating func blame(_ evidence: Verdict.Evidence) {
        blames += 1
        guard !hasEnough else { return }
        against.append(evidence)
        against[against.count - 1].isAgainst = true
    }

    /// Notes that `event` ended what `owed` began: it came `waited` seconds later, before the `due` seconds that decide it had passed.
    mutating func excuse(_ owed: Event, by event: Event, after waited: Double, of due: Double) {
        guard excused.count < Self.limit else { return }
        let (waited, left) = (max(0, waited).seconds, max(0, due - waited).seconds)
        excused.append(
            .init(
                owed.number,
                "\(owed.words) was excused \(waited) later by entry \(event.number), \(event.words): it would have been judged after \(left) more"
            )
        )
    }

    /// Notes that `event` came of the sandbox's clock, which ran so much ahead of the client's that the client could not know.
    mutating func excuse(_ event: Event, by lead: Timing.Lead) {
        guard excused.count < Self.limit else { return }
        excused.append(.init(event.number, "\(event.words) was excused: \(lead.words)"))
    }

    /// The judgement that holds whether or not the client got the last of what the server sent, which cannot be known.
    ///
    /// - Parameter lost: the judgement if it did not.
    func agreed(with lost: Judgement) -> Judgement {
        guard blames > 0, cannotJudge == nil else { return self }
        guard lost.blames > 0, lost.cannotJudge == nil else { return lost }
        var agreed = self
        let others = Set(lost.against.map(\.entry))
        agreed.against = against.filter { others.contains($0.entry) }
        agreed.blames = agreed.against.count
        if agreed.against.isEmpty { agreed.cannotJudge = "the server was killed, and it cannot be known whether its last answers arrived" }
        return agreed
    }

    /// The client did what it should.
    mutating func pass(_ entry: Int?, _ words: String) {
        passes += 1
        if favour.count < Self.limit { favour.append(.init(entry, words)) }
    }

    /// Notes that what is due within `due` seconds of an entry, and need not be seen sooner than `slack` seconds later, has not come yet.
    mutating func leaveOpen(after entry: Int, watched: Double, of due: Double, slack: Double) {
        leaveOpen("\(watched.seconds) of \(due.seconds) watched after entry \(entry)", watched: watched, due: due + slack)
    }

    /// Notes that something that an entry began was due when the server was killed.
    mutating func leaveOpen(atKillAfter entry: Int) { open.append("the server was killed while something was due after entry \(entry)") }

    /// Something could be decided if the run were watched for `due` seconds, and was for fewer.
    mutating func leaveOpen(_ words: String, watched: Double, due: Double) {
        open.append(words)
        left = max(left, due - watched)
    }
}
