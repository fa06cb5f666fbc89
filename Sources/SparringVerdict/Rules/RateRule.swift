import SparringJSON
import SparringJournal

/// Something does not happen more than so many times in a while, however well each of them ends: a client that comes back at once, each time, is a
/// storm.
struct RateRule: RuleForm {
    static let word = "rate"
    static let members = ["event", "most", "in", "per"]

    let event: Selector
    let most: Int
    let span: Duration
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        event = try Selector.read("event", declaration, vocabulary)
        guard let most = try declaration.count("most") else { throw declaration.missing("most", "the highest number of calls") }
        guard let span = try declaration.duration("in") else { throw declaration.missing("in", "the period") }
        (self.most, self.span) = (most, span)
        scope = try Scope(declaration)
    }

    var selectors: [Selector?] { [event] }
    var wanted: String { "a second of " + event.words }
    func judge(_ timing: Timing) -> any Judge { Follower(rule: self, timing: timing) }

    private struct Follower: Judge {
        let rule: RateRule
        let timing: Timing
        /// The last ``RateRule/most`` of each key.
        var recent: [String: [(begin: Instant, entry: Int)]] = [:]
        /// Each device of a person may do it as often.
        var marks = MarksTold()
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            marks.take(event)
            guard rule.event.matches(event) else { return }
            let most = rule.most * (rule.scope == .lane ? max(1, marks.count(of: event.lane)) : 1)
            let key = rule.scope.key(event)
            var events = recent[key] ?? []
            defer { recent[key] = events }
            if events.count >= most, let first = events.first, let passed = timing.basis.seconds(from: first.begin, to: event.begin),
                passed < timing.seconds(rule.span) - timing.floor
            {
                judgement.blame(
                    event.number,
                    "\(event.words) is number \(most + 1) in \(passed.seconds), from entry \(first.entry) on; no more than \(most) should come in \(timing.seconds(rule.span).seconds)"
                )
                events = []
            } else if !events.isEmpty {
                judgement.passes += 1
            }
            events.append((event.begin, event.number))
            if events.count > most { events.removeFirst() }
        }
    }
}
