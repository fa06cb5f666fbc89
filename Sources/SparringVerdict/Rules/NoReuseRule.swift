import SparringJSON

/// A value serves once: a code, a rotated refresh token, a message that was taken; with `after`, no more once that has come of it.
struct NoReuseRule: RuleForm {
    static let word = "noReuse"
    static let members = ["of", "credential", "after", "per"]

    let calls: Selector
    let credential: [SourcePlace]
    /// All of the places together tell what is the same.
    let after: Selector?
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        calls = try Selector.read("of", declaration, vocabulary)
        credential = try SourcePlace.read("credential", declaration)
        guard !credential.isEmpty else {
            throw ConfigurationError(declaration.pointer, "'credential' is missing: its place in a call")
        }
        after = try Selector.optional("after", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    func concerns(_ place: EventPlace) -> Bool {
        [calls, after].contains { $0?.concerns(place) ?? false }
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        let rule: NoReuseRule
        /// By key and value, as hashes; the entry that used it up.
        var used: [Int: Int] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            let isCall = rule.calls.matches(event)
            let usesUp = rule.after?.matches(event) ?? isCall
            guard isCall || usesUp else { return }
            let values = rule.credential.map { event.value(at: $0) }
            guard values.contains(where: { $0 != nil }) else { return }
            var hasher = Hasher()
            hasher.combine(rule.scope.key(event))
            hasher.combine(values)
            let value = hasher.finalize()
            if isCall, let before = used[value] {
                judgement.blame(.init(event.number, "\(event.words) brought what entry \(before) had used"))
            } else if rule.after == nil {
                judgement.passes += 1
            }
            guard usesUp else { return }
            if used[value] == nil {
                used[value] = event.number
                if rule.after != nil { judgement.passes += 1 }
            }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            judgement.wanted = rule.after?.words ?? rule.calls.words
            return judgement
        }
    }
}
