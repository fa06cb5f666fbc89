import SparringJSON

/// After one thing another comes, in time: the rules `within`, whose time is given, and `eventually`, where it need only come in the end.
struct FollowRule: RuleForm {
    static let word = "within"
    static let members = [
        "given", "since", "after", "quicker", "comes", "attempt", "within", "atLeast", "before", "unless", "gaveUp", "tries", "instead",
        "same", "differs",
        "covers",
        "next", "per", "times", "most", "once",
    ]

    /// Once all of this has happened the rule is in force; empty: from the beginning.
    let given: [Selector]
    /// Only the first `after` that follows one of these begins it; empty: any does.
    let since: [Selector]
    let after: Selector
    /// Only what took no longer begins it; nil: however long it took.
    let quicker: Duration?
    let comes: Selector
    /// Calls that are one attempt together: `comes` means another attempt.
    let attempt: AttemptForm?
    let within: Duration
    /// Not before so much has passed.
    let atLeast: Duration?
    /// The event before which the one that is owed must come.
    let before: Selector?
    /// Events after which nothing is owed any more, such as that the user signs out. They excuse the client, and do not show that it does what is owed.
    let unless: [Selector]
    /// The client says that it gives up: nothing is owed any more, if it has tried.
    let gaveUp: Selector?
    /// How a client tries. Where none of these calls has come in the whole run, its way of trying is not visible.
    let tries: [OperationName]
    /// Events that are as good as what `comes` means, such as another call that has the same effect: they keep the rule.
    let instead: [Selector]
    /// The values that the later event must share with the one that it follows.
    let same: [SourcePlace]
    /// A value that must differ between what comes and what it follows.
    private let differs: SourcePlace.Pair?
    /// The number from which on the later event asks must not be above the one that was lost.
    private let covers: SourcePlace.Pair?
    let scope: Scope
    /// The next event that `comes` means must be the one that is owed; any other is out of turn.
    let isNext: Bool
    /// How many of `after` in a row, with nothing of `comes` between, begin it. A client that does it sooner does well.
    let times: Int
    /// After more of them in a row, none of which was followed by anything else, nothing is owed any more: a client that has tried that often may give up.
    let most: Int?
    /// Only the first `after` begins it.
    let isOnce: Bool
    /// The time limit counts from the last `after`, and not from the first.
    var countsFromLast = false

    /// ```yaml
    /// differs: { after: mark:/renewed, comes: body:/deviceToken }
    /// ```
    /// True where it is not known which value that is.
    func differs(_ first: Event, _ come: Event) -> Bool {
        guard let (after, comes) = differs, let value = first.value(at: after) else { return true }
        return value != come.value(at: comes)
    }

    /// ```yaml
    /// covers: { asks: body:/body/fromSeq, lost: answer:/body/changes/0/sequence }
    /// ```
    /// Nothing asked for is from the beginning on.
    func covers(_ first: Event, by come: Event) -> Bool {
        guard let (asks, lost) = covers, let number = first.value(at: lost).flatMap({ $0.integer(in: 0...Int64.max) }) else { return true }
        return (come.value(at: asks).flatMap { $0.integer(in: 0...Int64.max) } ?? 0) <= number
    }

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        guard let within = try declaration.duration("within") else { throw declaration.missing("within", "the time limit") }
        try self.init(declaration, vocabulary, within: within)
    }

    init(_ declaration: Declaration, _ vocabulary: Vocabulary, within: Duration) throws(ConfigurationError) {
        self.within = within
        given = try Selector.list("given", declaration, vocabulary)
        since = try Selector.list("since", declaration, vocabulary)
        after = try Selector.read("after", declaration, vocabulary)
        quicker = try declaration.duration("quicker")
        comes = try Selector.read("comes", declaration, vocabulary)
        attempt = try AttemptForm.optional("attempt", declaration, vocabulary)
        before = try Selector.optional("before", declaration, vocabulary)
        unless = try Selector.list("unless", declaration, vocabulary)
        gaveUp = try Selector.optional("gaveUp", declaration, vocabulary)
        tries = try vocabulary.operations("tries", declaration)
        instead = try Selector.list("instead", declaration, vocabulary)
        atLeast = try declaration.duration("atLeast")
        same = try SourcePlace.read("same", declaration)
        differs = try SourcePlace.pair("differs", of: ("after", "comes"), declaration)
        covers = try SourcePlace.pair("covers", of: ("asks", "lost"), declaration)
        scope = try Scope(declaration)
        times = try declaration.count("times") ?? 1
        most = try declaration.count("most")
        isNext = try declaration.flag("next") ?? false
        isOnce = try declaration.flag("once") ?? false
    }

    var selectors: [Selector?] { [after, comes, before, gaveUp] + since + given + instead + unless }
    var operationSets: [[OperationName]] { [tries] }
    var wanted: String {
        let before = given.isEmpty ? "" : ", after " + given.map(\.words).joined(separator: ", then ")
        return after.words + (times > 1 ? ", \(times) times" : "") + before
    }

    func judge(_ timing: Timing) -> any Judge { FollowJudge(rule: self, timing: timing) }
}

/// A ``FollowRule`` whose time limit counts from the last `after` and is a minute where none is given.
struct EventuallyRule: RuleForm {
    static let word = "eventually"
    static let members = FollowRule.members
    private var rule: FollowRule

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        rule = try FollowRule(declaration, vocabulary, within: try declaration.duration("within") ?? .seconds(60))
        rule.countsFromLast = true
    }

    var selectors: [Selector?] { rule.selectors }
    var operationSets: [[OperationName]] { rule.operationSets }
    var wanted: String { rule.wanted }
    func judge(_ timing: Timing) -> any Judge { rule.judge(timing) }
}
