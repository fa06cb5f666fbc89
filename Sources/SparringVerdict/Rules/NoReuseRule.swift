import SparringJSON

/// A value serves once: a code, a rotated refresh token, a message that was taken; with `after`, no more once that has come of it.
struct NoReuseRule: RuleForm {
    static let word = "noReuse"
    static let members = ["of", "credential", "after", "unlike", "per"]

    let calls: Selector
    let credential: [SourcePlace]
    /// All of the places together tell what is the same.
    let after: Selector?
    /// Only calls that differ in this bring it again: others are the same request once more.
    let unlike: [SourcePlace]
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        calls = try Selector.read("of", declaration, vocabulary)
        credential = try SourcePlace.read("credential", declaration, needed: "its place in a call")
        after = try Selector.optional("after", declaration, vocabulary)
        unlike = try SourcePlace.read("unlike", declaration)
        scope = try Scope(declaration)
    }

    var selectors: [Selector?] { [calls, after] }
    var wanted: String { (after ?? calls).words }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        let rule: NoReuseRule
        /// The entry that used a value up, and what it has at ``NoReuseRule/unlike``, by a hash of key and value.
        var used: [Int: (entry: Int, of: [String?])] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            let isCall = rule.calls.matches(event)
            let usesUp = rule.after?.matches(event) ?? isCall
            guard isCall || usesUp else { return }
            // An empty or null value is none: NICE's SDK for iOS brings an empty code for an anonymous customer.
            let values = rule.credential.map { place in event.value(at: place).flatMap { ["", "null"].contains($0) ? nil : $0 } }
            guard values.contains(where: { $0 != nil }) else { return }
            var hasher = Hasher()
            hasher.combine(rule.scope.key(event))
            hasher.combine(values)
            let value = hasher.finalize()
            let of = rule.unlike.map { event.value(at: $0) }
            if isCall, let before = used[value] {
                // The same request once more neither breaks the rule nor shows that the client follows it.
                if rule.unlike.isEmpty || before.of != of {
                    judgement.blame(event.number, "\(event.words) brought what entry \(before.entry) had used")
                }
            } else if rule.after == nil {
                judgement.passes += 1
            }
            guard usesUp else { return }
            if used[value] == nil {
                used[value] = (event.number, of)
                if rule.after != nil { judgement.passes += 1 }
            }
        }
    }
}
