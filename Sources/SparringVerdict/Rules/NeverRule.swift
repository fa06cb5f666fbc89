import SparringJSON

/// Something does not happen; with `given`, once that has, and no longer than `until`.
struct NeverRule: RuleForm {
    static let word = "never"
    static let members = ["event", "given", "until", "per"]

    let event: Selector
    let given: Selector?
    let until: Selector?
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        event = try Selector.read("event", declaration, vocabulary)
        given = try Selector.optional("given", declaration, vocabulary)
        until = try Selector.optional("until", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        let rule: NeverRule
        var inForce: Set<String> = []
        var judgement = Judgement()
        var hasSeenAnything = false

        mutating func take(_ event: Event) {
            let key = rule.scope.key(event)
            if event.kind == .call { hasSeenAnything = true }
            if rule.given == nil || inForce.contains(key), rule.event.matches(event) {
                judgement.against.append(.init(event.number, event.words))
            }
            if let given = rule.given, given.matches(event) {
                inForce.insert(key)
                judgement.passes += 1
            } else if let until = rule.until, until.matches(event) {
                inForce.remove(key)
            }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            if rule.given == nil, hasSeenAnything { judgement.passes = 1 }
            judgement.wanted = rule.given?.words ?? "any call of a client"
            return judgement
        }
    }
}
