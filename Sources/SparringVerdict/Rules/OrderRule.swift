import SparringJSON

/// One thing comes only after another has: each `then` has a `first` before it, since the last `since`.
struct OrderRule: RuleForm {
    static let word = "order"
    static let members = ["first", "then", "since", "per"]

    let first: Selector
    let then: Selector
    let since: Selector?
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        first = try Selector.read("first", declaration, vocabulary)
        then = try Selector.read("then", declaration, vocabulary)
        since = try Selector.optional("since", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    func concerns(_ place: EventPlace) -> Bool {
        [first, then, since].contains { $0?.concerns(place) ?? false }
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        let rule: OrderRule
        var done: Set<String> = []
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            let (isSince, isThen, isFirst) = (rule.since?.matches(event) == true, rule.then.matches(event), rule.first.matches(event))
            guard isSince || isThen || isFirst else { return }
            let key = rule.scope.key(event)
            if isSince { done.remove(key) }
            if isThen {
                if done.contains(key) {
                    judgement.passes += 1
                } else {
                    judgement.blame(.init(event.number, "\(event.words) came, and before it no \(rule.first.words)"))
                }
            }
            if isFirst { done.insert(key) }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            judgement.wanted = rule.then.words
            return judgement
        }
    }
}
