import SparringJSON

/// Something does not happen; with `given`, once that has, and no longer than `until`. It is exercised by what `of` means, by `given`, or else by
/// any call.
struct NeverRule: RuleForm {
    static let word = "never"
    static let members = ["event", "of", "given", "until", "per"]

    let event: Selector
    let of: [Selector]
    let given: Selector?
    let until: Selector?
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        event = try Selector.read("event", declaration, vocabulary)
        of = try Selector.list("of", declaration, vocabulary)
        given = try Selector.optional("given", declaration, vocabulary)
        until = try Selector.optional("until", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    func concerns(_ place: EventPlace) -> Bool {
        of.isEmpty && given == nil || ([event, given, until] + of).contains { $0?.concerns(place) ?? false }
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        let rule: NeverRule
        var inForce: Set<String> = []
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            let key = rule.scope.key(event)
            let isAny = rule.of.isEmpty && rule.given == nil && event.kind == .call
            if isAny || rule.of.contains(where: { $0.matches(event) }) { judgement.passes += 1 }
            if rule.given == nil || inForce.contains(key), rule.event.matches(event) {
                judgement.blame(.init(event.number, event.words))
            }
            if let given = rule.given, given.matches(event) {
                inForce.insert(key)
                if rule.of.isEmpty { judgement.passes += 1 }
            } else if let until = rule.until, until.matches(event) {
                inForce.remove(key)
            }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            judgement.wanted = (rule.of.first ?? rule.given)?.words ?? "a call of a client"
            return judgement
        }
    }
}
