import SparringContract
import SparringJSON
import SparringJournal

/// A call that fails is tried again after the delays of a schedule, and no more after the last of them.
///
/// A chain is begun by a failure of one of `after`'s classes and ended by a success, by a failure of another class, by what `until` means
/// (the client gives up, which comes after the last retry only), by what `unless` means, after which no retry is owed, or by a call of the same
/// operation for something else (`same`). Delays are counted from when the client knew of the failure. Bodies are not compared: a retry may carry a
/// fresh code.
struct RetryRule: RuleForm {
    static let word = "retry"
    static let members = [
        "of", "group", "same", "after", "schedule", "tolerance", "lateness", "burst", "honours", "optional", "until", "unless", "per",
        "silence",
    ]

    let operations: [OperationName]
    /// The operations as they are written.
    let places: String
    /// All operations are one thing, of this name.
    let group: String?
    /// The values that must be the same for a call to be a retry of another. A call for something else replaces it: the user went on.
    let same: [SourcePlace]
    let after: Set<String>
    /// Any of them will do, each chain by one of them; empty: only what `honours` tells is judged.
    let schedules: [[Duration]]
    /// The parts of the delay by which a retry may come early, and late. A late one harms nobody, and a busy machine makes everything late.
    let tolerance, lateness: Double
    /// Calls that come within so much of an attempt's first are one attempt: SDKs try again within one call of a method. None by default, as
    /// it would make one attempt of those of a client that does not wait at all.
    let burst: Duration
    /// A `Retry-After` of the failed answer takes precedence over the schedule (RFC 9110 §10.2.3).
    let honoursRetryAfter: Bool
    /// Operations that need not be retried: a call that comes later than a retry is due is another occasion; one that comes sooner is judged.
    let optional: [OperationName]
    let until: Selector?
    let unless: [ChainEnd]
    let scope: Scope
    private let givenSilence: Duration?

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        let isGroup = declaration.json["group"] != nil
        if isGroup, declaration.json["of"] == nil {
            throw declaration.error("group", "'group' is the common name of the operations of 'of'")
        }
        operations = try vocabulary.operations("of", declaration, needed: "the calls that are retried")
        places = try declaration.texts("of").joined(separator: ", ")
        group = try declaration.optionalText("group")
        same = try SourcePlace.read("same", declaration)
        let classes = try declaration.texts("after")
        for name in classes where !FailureClass.all.contains(name) {
            throw declaration.error("after", "'\(name)' is not a class of failures; there are \(FailureClass.all.joined(separator: ", "))")
        }
        after = Set(classes.isEmpty ? [AnswerOutcome.unavailable.rawValue, FailureClass.noAnswer] : classes)
        schedules = try Self.schedules(declaration)
        honoursRetryAfter = try declaration.word("honours", among: ["retry-after"]) != nil
        guard !schedules.isEmpty || honoursRetryAfter else {
            throw declaration.missing("schedule", "the delays before each retry")
        }
        tolerance = try declaration.number("tolerance") ?? 0.2
        guard tolerance > 0, tolerance < 1 else { throw declaration.error("tolerance", "'tolerance' is a part of the delay, such as 0.2") }
        lateness = try declaration.number("lateness") ?? 0.5
        guard lateness > 0, lateness < 1 else { throw declaration.error("lateness", "'lateness' is a part of the delay, such as 0.5") }
        burst = try declaration.duration("burst") ?? .zero
        optional = try vocabulary.operations("optional", declaration)
        until = try Selector.optional("until", declaration, vocabulary)
        unless = try ChainEnd.list("unless", declaration, vocabulary)
        scope = try Scope(declaration)
        givenSilence = try declaration.duration("silence")
    }

    /// One schedule, or a list of them.
    private static func schedules(_ declaration: Declaration) throws(ConfigurationError) -> [[Duration]] {
        let isList = declaration.json["schedule"]?.array?.contains { $0.array != nil } ?? false
        var all: [[Duration]] = []
        if isList {
            for index in (declaration.json["schedule"]?.array ?? []).indices {
                let inner = try Declaration(
                    .members(["schedule": declaration.json["schedule"]?.array?[index]]), at: declaration.pointer, known: ["schedule"])
                all.append(try inner.durations("schedule"))
            }
        } else {
            all = [try declaration.durations("schedule")]
        }
        guard all.joined().allSatisfy({ $0 > .zero }) else {
            throw declaration.error("schedule", "a delay of a schedule must be more than 0")
        }
        return all.filter { !$0.isEmpty }
    }

    /// After the last retry: one more step of the same growth, and a fifth, where nothing is said.
    func silence(after schedule: [Duration]) -> Duration {
        if let givenSilence { return givenSilence }
        let last = schedule.last ?? .zero
        let before = schedule.dropLast().last ?? last
        let growth = before > .zero ? Double(last.milliseconds) / Double(before.milliseconds) : 1
        return min(.longest, .milliseconds(Int64(clamped: Double(last.milliseconds) * growth * 1.2)))
    }

    var selectors: [Selector?] { unless.map(\.selector) + [until] }
    var operationSets: [[OperationName]] { [operations] }
    var wanted: String {
        schedules.isEmpty
            ? "another attempt after a failure of \(places) with Retry-After" : "a retry after a failure of \(group ?? places)"
    }

    func judge(_ timing: Timing) -> any Judge { RetryJudge(rule: self, timing: timing) }

    /// Why a schedule cannot be distinguished from chance on such a clock.
    func notJudgeable(_ timing: Timing) -> String? {
        guard let least = schedules.joined().min() else { return nil }
        let step = timing.seconds(least)
        guard step < 2 * timing.floor else { return nil }
        return "a first delay of \(step.seconds) cannot be distinguished from none with a jitter floor of \(timing.floor.seconds)"
    }
}
