import SparringJSON

/// No call of the kind while another is under way.
struct OneAtATimeRule: RuleForm {
    static let word = "oneAtATime"
    static let members = ["calls", "per"]

    let calls: Selector
    let scope: Scope

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        calls = try Selector.read("calls", declaration, vocabulary)
        scope = try Scope(declaration)
    }

    func concerns(_ place: EventPlace) -> Bool {
        calls.concerns(place)
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self, timing: timing) }

    private struct Follower: Judge {
        let rule: OneAtATimeRule
        let timing: Timing
        /// Of each key the last call, and when it was over.
        var last: [String: (event: Event, end: Instant)] = [:]
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            let key = rule.scope.key(event)
            if event.kind == .gaveUp, var under = last[key], under.event.ordinal == event.ordinal {
                under.end = event.end
                last[key] = under
            }
            guard rule.calls.matches(event) else { return }
            defer { last[key] = (event, event.end) }
            guard let (before, end) = last[key], let gap = timing.basis.seconds(from: end, to: event.begin) else { return }
            if gap < -timing.floor {
                judgement.blame(
                    .init(event.number, "\(event.words) came \((-gap).seconds) before entry \(before.number), \(before.words), had ended"))
            } else {
                judgement.passes += 1
            }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            // A slow call beside which no other came is what is asked for, too.
            for (event, over) in last.values {
                let took = timing.basis.seconds(from: event.begin, to: over) ?? 0
                if took >= timing.seconds(.seconds(5)) { judgement.passes += 1 }
            }
            judgement.wanted = "a second or a slow call of \(rule.calls.words)"
            return judgement
        }
    }
}
