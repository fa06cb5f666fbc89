import SparringJSON

/// One thing comes only after another has: each `then` has a `first` before it, since the last `since`; with `both`, only where the other comes at all.
struct OrderRule: RuleForm {
    static let word = "order"
    static let members = ["given", "first", "then", "both", "since", "until", "same", "firstMayBeOlder", "per"]

    /// Before this has happened nothing is asked; nil: from the beginning.
    let given: Selector?
    let first: Selector
    let then: Selector
    /// A `first` that need not come at all is missed only where it comes too late.
    let both: Bool
    let since: Selector?
    /// After this `first` is not too late: it was put off.
    let until: Selector?
    /// Each of these values has an order of its own.
    let same: [SourcePlace]
    /// The first of those values is not judged: what it belongs to may have begun before the sandbox did.
    let firstMayBeOlder: Bool
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        given = try Selector.optional("given", declaration, vocabulary)
        first = try Selector.read("first", declaration, vocabulary)
        then = try Selector.read("then", declaration, vocabulary)
        both = try declaration.flag("both") ?? false
        since = try Selector.optional("since", declaration, vocabulary)
        until = try Selector.optional("until", declaration, vocabulary)
        same = try SourcePlace.read("same", declaration)
        firstMayBeOlder = try declaration.flag("firstMayBeOlder") ?? false
        if !same.isEmpty, let other = ["given", "since", "until"].first(where: { declaration.json[$0] != nil }) {
            throw ConfigurationError(declaration.pointer.appending(other), "'\(other)' cannot be used with 'same'")
        }
        scope = try Scope(declaration)
    }

    var selectors: [Selector?] { [given, first, then, since, until] }
    var wanted: String { then.words }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self, timing: timing) }

    private struct Follower: Judge {
        let rule: OrderRule
        let timing: Timing
        var done: Set<String> = []
        var inForce: Set<String> = []
        /// Lanes whose next `then` wants another `first`, where that is the whole sandbox's.
        var stale: Set<String> = []
        /// When ``OrderRule/since`` was last: the journal lists calls in the order in which they ended, so that older ones may come after it.
        var renewed: [String: Instant] = [:]
        /// Came before, where `both` must come for that to be wrong.
        var early: [String: [Verdict.Evidence]] = [:]
        /// The keys under which a lane's events were, where it is their names that count.
        var names: [String: Set<String>] = [:]
        /// The key of the first value of ``OrderRule/same``, by scope.
        var oldest: [String: String] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            let (isSince, isThen, isFirst) = (rule.since?.matches(event) == true, rule.then.matches(event), rule.first.matches(event))
            let isGiven = rule.given?.matches(event) == true, isOver = rule.until?.matches(event) == true
            guard isSince || isThen || isFirst || isGiven || isOver else { return }
            let scope = rule.scope.key(event)
            let key = scope + rule.same.map { "\n" + (event.value(at: $0) ?? "") }.joined()
            if rule.firstMayBeOlder, oldest[scope, default: key] == key {
                oldest[scope] = key
                if isThen, !isFirst, !done.contains(key) { return }
            }
            if rule.scope == .name, isThen || isFirst { names[event.lane, default: []].insert(key) }
            if isOver { early[key] = nil }
            if isSince {
                renewed[key] = event.begin
                // A person's new start says nothing about others.
                switch rule.scope {
                case .sandbox: stale.insert(event.lane)
                case .name: done.subtract([key] + (names[event.lane] ?? []))
                default: done.remove(key)
                }
                early[key] = nil
            }
            let isOlder = renewed[key].flatMap { timing.basis.seconds(from: $0, to: event.begin) }.map { $0 < 0 } ?? false
            if isThen, !isOlder, rule.given == nil || inForce.contains(key) {
                if done.contains(key), !stale.contains(event.lane) {
                    judgement.passes += 1
                } else {
                    let complaint = Verdict.Evidence(event.number, "\(event.words) came without \(rule.first.words) before it")
                    if rule.both { early[key, default: []].append(complaint) } else { judgement.blame(complaint) }
                }
            }
            if isGiven { inForce.insert(key) }
            if isFirst {
                done.insert(key)
                stale.removeAll()
                for complaint in early.removeValue(forKey: key) ?? [] { judgement.blame(complaint) }
            }
        }
    }
}
