import SparringContract
import SparringJSON
import SparringJournal

/// What fails is tried again after the delays of a schedule, and no more after the last of them.
///
/// A chain is begun by a failure of one of `after`'s classes and ended by a success, by a failure of another class, by what `until` means,
/// which is the client giving up and comes after the last retry only, or by what `unless` means, after which nobody need retry.
/// Delays are counted from when the client knew of the failure. Bodies are not compared: a retry may carry a fresh code.
struct RetryRule: RuleForm {
    static let word = "retry"
    static let members = ["of", "group", "after", "schedule", "tolerance", "burst", "honours", "until", "unless", "per", "silence"]

    let operations: OperationSet
    /// As they are written.
    let places: String
    /// All operations are one thing, of this name.
    let group: String?
    let after: Set<String>
    /// Empty: only what `honours` tells is judged.
    let schedule: [Duration]
    /// Of the delay that is due.
    let tolerance: Double
    /// Calls that come within so much of an attempt's first are one attempt: SDKs try again within one call of a method. None by default, as
    /// it would make one attempt of those of a client that does not wait at all.
    let burst: Duration
    /// A `Retry-After` of the failed answer goes before the schedule (RFC 9110 §10.2.3).
    let honoursRetryAfter: Bool
    let until: Selector?
    let unless: Selector?
    let scope: Scope
    /// After the last retry.
    let silence: Duration

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        let isGroup = declaration.json["group"] != nil
        if isGroup, declaration.json["of"] == nil {
            throw declaration.error("group", "'group' names what the operations of 'of' are together")
        }
        operations = OperationSet(try vocabulary.operations("of", declaration))
        places = try declaration.texts("of").joined(separator: ", ")
        guard !operations.isEmpty else { throw ConfigurationError(declaration.pointer, "'of' is missing: what is retried") }
        group = try declaration.optionalText("group")
        let classes = try declaration.texts("after")
        for name in classes where !FailureClass.all.contains(name) {
            throw declaration.error("after", "'\(name)' is no class of failures; there are \(FailureClass.all.joined(separator: ", "))")
        }
        after = Set(classes.isEmpty ? [AnswerOutcome.unavailable.rawValue, FailureClass.noAnswer] : classes)
        schedule = try declaration.durations("schedule")
        honoursRetryAfter = try declaration.word("honours", among: ["retry-after"]) != nil
        guard !schedule.isEmpty || honoursRetryAfter else {
            throw ConfigurationError(declaration.pointer, "'schedule' is missing: the delays before each retry")
        }
        guard schedule.allSatisfy({ $0 > .zero }) else {
            throw declaration.error("schedule", "a delay of a schedule is longer than nothing")
        }
        tolerance = declaration.json["tolerance"]?.double ?? 0.2
        guard tolerance > 0, tolerance < 1 else { throw declaration.error("tolerance", "'tolerance' is a part of the delay, such as 0.2") }
        burst = try declaration.duration("burst") ?? .zero
        until = try Selector.optional("until", declaration, vocabulary)
        unless = try Selector.optional("unless", declaration, vocabulary)
        scope = try Scope(declaration)
        if let given = try declaration.duration("silence") {
            silence = given
        } else {
            // One more step of the same growth, and a fifth.
            let last = schedule.last ?? .zero
            let before = schedule.dropLast().last ?? last
            let growth = before > .zero ? Double(last.milliseconds) / Double(before.milliseconds) : 1
            silence = min(.longest, .milliseconds(Int64(clamped: Double(last.milliseconds) * growth * 1.2)))
        }
    }

    func concerns(_ place: EventPlace) -> Bool {
        operations.contains(place.operation) || [until, unless].contains { $0?.concerns(place) ?? false }
    }

    func judge(_ timing: Timing) -> any Judge { RetryJudge(rule: self, timing: timing) }

    /// Why a schedule cannot be told from chance on such a clock.
    func notJudgeable(_ timing: Timing) -> String? {
        guard let least = schedule.min() else { return nil }
        let step = timing.seconds(least)
        guard step < 2 * timing.floor else { return nil }
        return "a first delay of \(step.seconds) cannot be told from none with a jitter floor of \(timing.floor.seconds)"
    }
}
