import SparringJSON

/// Something happens at most once: in the run, or between one `each` and the next; with `same`, once for the same values.
struct OnceRule: RuleForm {
    static let word = "once"
    static let members = ["event", "each", "same", "unlike", "per", "most", "spare", "saved"]

    let event: Selector
    /// Each of them; empty: the whole run is meant.
    let each: [Selector]
    let same: [SourcePlace]
    /// Places of values: an event that has one in common with the last that counted continues that one.
    let unlike: [SourcePlace]
    let scope: Scope
    /// How often it may happen; 1 where nothing is said.
    let most: Int
    /// How many more may happen, once in all: what is done for something else cannot always be distinguished.
    let spare: Int
    /// An event that did not come before the next `each` may still come, as often as `each` allows in all. None is judged before the first.
    let saved: Bool

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        event = try Selector.read("event", declaration, vocabulary)
        each = try Selector.list("each", declaration, vocabulary)
        same = try SourcePlace.read("same", declaration)
        unlike = try SourcePlace.read("unlike", declaration)
        scope = try Scope(declaration)
        most = try declaration.count("most") ?? 1
        spare = try declaration.count("spare") ?? 0
        saved = try declaration.flag("saved") ?? false
    }

    var selectors: [Selector?] { [event] + each }
    var wanted: String { event.words }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self) }

    private struct Follower: Judge {
        let rule: OnceRule
        var seen: [String: [Int: (count: Int, entry: Int)]] = [:]
        /// The number of times that it may still happen if nothing is lost, by key.
        var allowed: [String: Int] = [:]
        /// The number of ``OnceRule/spare`` events that are used up, by key.
        var spared: [String: Int] = [:]
        /// The values at ``OnceRule/unlike`` of the last event, by key.
        var last: [String: [String?]] = [:]
        var judgement = Judgement()

        /// The events that were counted are forgotten: an `each` between them may have been sent to a server that was not there.
        mutating func serverKilled(after end: Instant) { if !rule.each.isEmpty { seen = [:] } }

        mutating func take(_ event: Event) {
            let key = rule.scope.key(event)
            if rule.each.contains(where: { $0.matches(event) }) {
                seen[key] = nil
                allowed[key, default: 0] += rule.most
            }
            guard rule.event.matches(event) else { return }
            if rule.saved, let left = allowed[key] {
                allowed[key] = max(0, left - 1)
                if left > 0 { seen[key] = nil }
            } else if rule.saved {
                return
            }
            let traits = rule.unlike.map { event.value(at: $0) }
            if let last = last.updateValue(traits, forKey: key), zip(last, traits).contains(where: { $0 != nil && $0 == $1 }) {
                seen[key] = nil
            }
            let values = rule.same.map { event.value(at: $0) ?? "" }.hashValue
            let before = seen[key]?[values] ?? (0, event.number)
            seen[key, default: [:]][values] = (before.count + 1, event.number)
            if before.count + 1 > rule.most, spared[key, default: 0] < rule.spare {
                spared[key, default: 0] += 1
                seen[key]?[values] = (before.count, event.number)
            } else if before.count + 1 > rule.most {
                judgement.blame(event.number, "\(event.words) came again after entry \(before.entry)")
            } else {
                judgement.passes += 1
            }
        }
    }
}
