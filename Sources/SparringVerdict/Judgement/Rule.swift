import SparringJSON

/// What a good client does, and how to find out whether one did.
package struct Rule: Sendable {
    /// Small letters, digits and hyphens; one of its kind among the vendor's rules.
    package var name: String
    /// `liveperson`.
    package var vendor: String
    /// What a good client does, in a sentence.
    package var says: String
    /// Where the vendor says so.
    package var source: String
    /// How sure it is that a client owes it, and that it is seen on the wire like this: verified, inferred, assumed.
    package var fidelity: String
    /// Whose apps owe it, such as `ios`; empty where the vendor makes no difference between apps.
    package var platforms: [String]
    /// A client that breaks it gets a remark in the report, and does not fail.
    package var isAdvice = false
    /// A client that breaks it may be a good one that nobody heard of: the run does not show that it is, unless what the scenario expects does.
    var isDoubt = false
    /// The behaviour file, and the line of the rule in it.
    package var file = ""
    package var line = 0
    /// The marks by which a client says that the rule asks nothing of it for now.
    var excuses: [String] = []
    let form: any RuleForm

    /// `liveperson.retries-with-backoff`: one of its kind among all vendors' rules.
    package var qualifiedName: String { "\(vendor).\(name)" }

    /// The kind of rule, as behaviour files name it.
    package var kind: String { type(of: form).word }

    /// What a report says of it.
    package var summary: RuleSummary {
        RuleSummary(
            name: name, vendor: vendor, kind: kind, says: says, source: source, fidelity: fidelity, platforms: platforms, file: file,
            line: line)
    }
}

/// The kinds of rules.
protocol RuleForm: Sendable {
    /// The member of the behaviour file that declares it.
    static var word: String { get }
    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError)
    static var members: [String] { get }
    func judge(_ timing: Timing) -> any Judge
    /// Whether what happened there may be of interest: what is not is kept from its judge. Marks are always told.
    func concerns(_ place: EventPlace) -> Bool
}

/// What is known of an event before it is looked at.
struct EventPlace: Hashable {
    var operation: OperationName
    var isNotification: Bool
    var isConnection: Bool
    var hasFindings: Bool
}

/// Follows a run and says in the end what became of a rule. A value: the same events give the same judgement.
protocol Judge: Sendable {
    mutating func take(_ event: Event)
    /// The client's process ended, and a call with it that it may have gone on to wait for.
    mutating func processEnded(with event: Event)
    /// - Parameter end: of the watch.
    mutating func finish(_ end: Instant) -> Judgement
}

extension Judge {
    mutating func processEnded(with event: Event) { take(event) }
}

/// What a judge has to say.
struct Judgement {
    var passes = 0
    /// Evidence against the client: the first of it, and how much there was.
    private(set) var against: [Verdict.Evidence] = []
    private(set) var blames = 0
    var favour: [Verdict.Evidence] = []
    var chains: [RetryChain] = []
    /// Why something is not decided yet: `0.4 s of 38 s watched`.
    var open: [String] = []
    /// What was owed and need not come any more: `entry 14 … was excused`.
    private(set) var excused: [Verdict.Evidence] = []
    /// Seconds of the run that would have to be watched on to decide all of ``open``.
    var left = 0.0
    /// What would have had to happen for the rule to be exercised.
    var wanted = ""
    /// Why nothing can be decided at all.
    var cannotJudge: String?

    mutating func blame(_ evidence: Verdict.Evidence) {
        blames += 1
        guard against.count < Self.limit else { return }
        against.append(evidence)
        against[against.count - 1].isAgainst = true
    }

    /// What `owed` began is not owed any more since `event`, which came `waited` seconds later, and before the `due` that decide it had passed.
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

    /// Something could be decided if the run were watched for `due` seconds, and was for fewer.
    mutating func leaveOpen(_ words: String, watched: Double, due: Double) {
        open.append(words)
        left = max(left, due - watched)
    }
}
