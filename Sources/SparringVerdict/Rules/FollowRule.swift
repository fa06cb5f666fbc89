import SparringJSON

/// After one thing another comes, in time: the rules `within`, whose time is given, and `eventually`, where it need only come in the end.
struct FollowRule: RuleForm {
    static let word = "within"
    static let members = ["after", "comes", "within", "atLeast", "unless", "same", "next", "per", "times", "most", "once"]

    let after: Selector
    let comes: Selector
    let within: Duration
    /// Not before so much has passed.
    let atLeast: Duration?
    /// Where this comes instead, nothing is owed any more.
    let unless: Selector?
    /// What comes has the same values as what it follows.
    let same: [SourcePlace]
    let scope: Scope
    /// What comes next must be it: anything else that `comes` means is out of turn.
    let isNext: Bool
    /// How many of `after` in a row, with nothing of `comes` between, begin it.
    let times: Int
    /// After more of them in a row nothing is owed any more: whoever has tried that often may give up.
    let most: Int?
    /// Only the first `after` begins it.
    let isOnce: Bool

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        guard let within = try declaration.duration("within") else {
            throw ConfigurationError(declaration.pointer, "'within' is missing: how soon it comes")
        }
        try self.init(declaration, vocabulary, within: within)
    }

    init(_ declaration: Declaration, _ vocabulary: Vocabulary, within: Duration) throws(ConfigurationError) {
        self.within = within
        after = try Selector.read("after", declaration, vocabulary)
        comes = try Selector.read("comes", declaration, vocabulary)
        unless = try Selector.optional("unless", declaration, vocabulary)
        atLeast = try declaration.duration("atLeast")
        same = try SourcePlace.read("same", declaration)
        scope = try Scope(declaration)
        times = try declaration.count("times") ?? 1
        most = try declaration.count("most")
        isNext = declaration.json["next"]?.bool ?? false
        isOnce = declaration.json["once"]?.bool ?? false
    }

    func concerns(_ place: EventPlace) -> Bool {
        [after, comes, unless].contains { $0?.concerns(place) ?? false }
    }

    func judge(_ timing: Timing) -> any Judge { Follower(rule: self, timing: timing) }

    private struct Follower: Judge {
        let rule: FollowRule
        let timing: Timing
        /// What is owed, by key and by what must be the same.
        var owed: [String: (event: Event, count: Int)] = [:]
        var begun: Set<String> = []
        var hasMarks = false
        var judgement = Judgement()

        mutating func take(_ event: Event) {
            if event.kind == .mark { hasMarks = true }
            let (isInstead, isMet, isBegin) = (
                rule.unless?.matches(event) == true, rule.comes.matches(event), rule.after.matches(event)
            )
            guard isBegin || !owed.isEmpty && (isInstead || isMet) else { return }
            let key = rule.scope.key(event)
            if isInstead {
                for (whole, owing) in owed where whole.hasPrefix(key + "\n") {
                    // It came too late to make up for what was due before it.
                    if let waited = timing.basis.seconds(from: owing.event.end, to: event.begin), isOverdue(owing.count, waited) {
                        against(owing.event, waited)
                    }
                    owed[whole] = nil
                }
            }
            if isMet, !owed.isEmpty { met(event, key) }
            if isBegin {
                let whole = whole(key, event)
                if rule.isOnce, !begun.insert(whole).inserted { return }
                let count = (owed[whole]?.count ?? 0) + 1
                // The first that was not met counts; those after it say no more.
                owed[whole] = (count > rule.times ? owed[whole]?.event ?? event : event, count)
            }
        }

        private func isOverdue(_ count: Int, _ waited: Double) -> Bool {
            count >= rule.times && !isForgiven(count) && waited > timing.seconds(rule.within) + timing.floor
        }

        private mutating func against(_ first: Event, _ waited: Double) {
            judgement.blame(
                .init(first.number, "after \(first.words) no \(rule.comes.words) came within \(waited.seconds)"))
        }

        /// So often that it may be given up.
        private func isForgiven(_ count: Int) -> Bool { rule.most.map { count > $0 } ?? false }

        private func whole(_ key: String, _ event: Event) -> String {
            key + "\n" + rule.same.map { event.value(at: $0) ?? "" }.joined(separator: "\n")
        }

        private mutating func met(_ event: Event, _ key: String) {
            let whole = whole(key, event)
            if rule.isNext, owed[whole] == nil, let other = owed.first(where: { $0.key.hasPrefix(key + "\n") })?.value {
                judgement.blame(
                    .init(event.number, "\(event.words) came before what entry \(other.event.number) was to be followed by"))
            }
            guard let (first, count) = owed[whole], count >= rule.times else { return owed[whole] = nil }
            owed[whole] = nil
            guard !isForgiven(count) else { return }
            // Who gives up does so at the end of a call.
            guard let waited = timing.basis.seconds(from: first.end, to: event.kind == .gaveUp ? event.end : event.begin) else {
                return judgement.cannotJudge =
                    "what follows entry \(first.number) came after a restart of the server: judge it on the sandbox's clock"
            }
            if waited > timing.seconds(rule.within) + timing.floor {
                judgement.blame(
                    .init(
                        event.number,
                        "\(event.words) came \(waited.seconds) after entry \(first.number), \(first.words): more than \(timing.seconds(rule.within).seconds)"
                    ))
            } else if let least = rule.atLeast, waited < timing.seconds(least) - timing.floor {
                judgement.blame(
                    .init(
                        event.number,
                        "\(event.words) came \(waited.seconds) after entry \(first.number), \(first.words): before \(timing.seconds(least).seconds) had passed"
                    ))
            } else {
                judgement.passes += 1
                if judgement.favour.count < Judgement.limit {
                    judgement.favour.append(
                        .init(event.number, "\(event.words) followed entry \(first.number) after \(max(0, waited).seconds)"))
                }
            }
        }

        mutating func finish(_ end: Instant) -> Judgement {
            judgement.wanted = rule.after.words + (rule.times > 1 ? ", \(rule.times) times" : "")
            for (first, count) in owed.values.sorted(by: { $0.event.number < $1.event.number })
            where count >= rule.times && !isForgiven(count) {
                let due = timing.seconds(rule.within)
                guard let watched = timing.basis.seconds(from: first.end, to: end) else {
                    judgement.cannotJudge =
                        "the run of entry \(first.number) ended with a restart of the server: judge it on the sandbox's clock"
                    continue
                }
                if rule.comes.isMark, !hasMarks {
                    judgement.open.append("the client tells no marks, and \(rule.comes.words) is not seen on the wire")
                } else if watched > due + timing.floor {
                    against(first, watched)
                } else {
                    judgement.leaveOpen(
                        "\(watched.seconds) of \(due.seconds) watched after entry \(first.number)", watched: watched,
                        due: due + 2 * timing.floor)
                }
            }
            return judgement
        }
    }
}

/// As ``FollowRule``, and a minute is enough where nothing is said.
struct EventuallyRule: RuleForm {
    static let word = "eventually"
    static let members = FollowRule.members
    private let rule: FollowRule

    init(_ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        rule = try FollowRule(declaration, vocabulary, within: try declaration.duration("within") ?? .seconds(60))
    }

    func concerns(_ place: EventPlace) -> Bool { rule.concerns(place) }
    func judge(_ timing: Timing) -> any Judge { rule.judge(timing) }
}
