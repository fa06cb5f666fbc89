import SparringJSON

/// A number only grows, among events that are the same otherwise, until it may start over.
struct AscendingRule: RuleForm {
    static let word = "ascending"
    static let members = ["event", "value", "same", "until", "per"]

    let event: Selector
    let value: [SourcePlace]
    let same: [SourcePlace]
    /// After this it starts over.
    let until: Selector?
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        event = try Selector.read("event", declaration, vocabulary)
        value = try SourcePlace.read("value", declaration, needed: "the place of the number")
        same = try SourcePlace.read("same", declaration)
        until = try Selector.optional("until", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    var selectors: [Selector?] { [event, until] }
    var wanted: String { event.words }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        let rule: AscendingRule
        /// The highest value so far and the entry that came last, by key and by the values of ``AscendingRule/same``.
        var last: [String: [String: (value: Int64, entry: Int)]] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            if rule.until?.matches(event) == true { last[rule.scope.key(event)] = nil }
            guard rule.event.matches(event), let value = event.value(at: rule.value).flatMap({ $0.integer(in: Int64.min...Int64.max) })
            else { return }
            let (key, same) = (rule.scope.key(event), rule.same.map { event.value(at: $0) ?? "" }.joined(separator: "\n"))
            let before = last[key]?[same]
            if let before, value <= before.value {
                judgement.blame(event.number, "\(event.words) with \(value) came after entry \(before.entry) with \(before.value)")
            } else {
                judgement.passes += 1
            }
            last[key, default: [:]][same] = (max(value, before?.value ?? value), event.number)
        }
    }
}
