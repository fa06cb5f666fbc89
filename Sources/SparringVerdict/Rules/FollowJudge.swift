import SparringJSON

/// Follows what a ``FollowRule`` says is owed.
struct FollowJudge: Judge {
    let rule: FollowRule
    let timing: Timing
    /// The events after which something is owed, and how many came in a row, by key and by what must be the same.
    private var owed: [String: (event: Event, count: Int)] = [:]
    /// The number of failures of `after` in a row, each of which may have been followed by another try.
    private var tried: [String: Int] = [:]
    /// The keys that `after` has begun once, and those in which one of `since` awaits the first `after`.
    private var begun: Set<String> = [], isNews: Set<String> = []
    /// The indices of those of `given` that have happened, by key.
    private var inForce: [String: Set<Int>] = [:]
    private var attempts: [String: Attempts] = [:]
    /// The last call of ``FollowRule/tries``.
    private var lastTry: Int?
    private var marks = MarksTold()
    private(set) var judgement = Judgement()

    init(rule: FollowRule, timing: Timing) {
        self.rule = rule
        self.timing = timing
    }

    mutating func take(_ event: Event) {
        marks.take(event)
        if event.kind == .call, rule.tries.contains(event.name) { lastTry = event.number }
        let isBegin = rule.after.matches(event) && rule.quicker.map { !timing.took(event, longerThan: $0) } ?? true
        let isCome = rule.comes.matches(event), isInstead = rule.instead.contains { $0.matches(event) }
        let isGivenUp = rule.gaveUp?.matches(event) == true
        let isOver = isGivenUp || rule.unless.contains { $0.matches(event) }, isTooLate = rule.before?.matches(event) == true
        let given = rule.given.indices.filter { rule.given[$0].matches(event) }, isSince = rule.since.contains { $0.matches(event) }
        guard
            isBegin || !given.isEmpty || isSince || rule.attempt?.has(event) == true || isCome && !rule.since.isEmpty
                || !owed.isEmpty && (isOver || isCome || isInstead || isTooLate)
        else { return }
        let key = rule.scope.key(event)
        let place = rule.attempt == nil ? .outside : attempts[key, default: Attempts()].place(event, rule.attempt)
        if !given.isEmpty { inForce[key, default: []].formUnion(given) }
        if isSince { isNews.insert(key) }
        if isOver { release(key, event, ifTried: isGivenUp) }
        if isTooLate { overtake(key, event) }
        // What came before it was due need not come again.
        if isCome, !rule.since.isEmpty { isNews.remove(key) }
        if isInstead { replace(key, event) } else if isCome, !place.isFurther, !owed.isEmpty { met(event, key, hasFailed: isBegin) }
        guard isBegin, rule.since.isEmpty || isNews.remove(key) != nil, inForce[key]?.count ?? 0 == rule.given.count else { return }
        begin(event, key)
    }

    /// A hang-up that comes with the end of the process is nobody's decision: nothing is owed any more, and nothing was done.
    mutating func processEnded(with event: Event) {
        guard rule.comes.matches(event), let (first, _) = owed.removeValue(forKey: whole(rule.scope.key(event), event)) else { return }
        judgement.open.append("the client's process ended while entry \(first.number) waited, which shows nothing about a time-out")
    }

    mutating func serverKilled(after end: Instant) {
        for (whole, (first, count)) in owed.sorted(by: { $0.value.event.number < $1.value.event.number }) {
            if let waited = timing.basis.seconds(from: first.end, to: end), isOverdue(whole, count, waited) {
                against(first, waited)
            } else {
                judgement.leaveOpen(atKillAfter: first.number)
            }
        }
        owed = [:]
    }

    private mutating func begin(_ event: Event, _ key: String) {
        let whole = whole(key, event)
        if rule.isOnce, !begun.insert(whole).inserted { return }
        if rule.attempt != nil, attempts[key, default: Attempts()].fail() == false { return }
        tried[whole, default: 0] += 1
        let count = (owed[whole]?.count ?? 0) + 1
        // The first that was not met counts; those after it say no more.
        owed[whole] = (count > rule.times && !rule.countsFromLast ? owed[whole]?.event ?? event : event, count)
    }

    /// Ends what is owed. What was overdue before does not become good by it.
    private mutating func release(_ key: String, _ event: Event, ifTried: Bool) {
        for (whole, owing) in owed where whole.hasPrefix(key + "\n") || isNobodys(owing.event) {
            if ifTried, let lastTry, lastTry < owing.event.number { continue }
            if isForgiven(whole) {
                gaveUp(owing.event, whole)
            } else if let waited = timing.basis.seconds(from: owing.event.end, to: event.begin), isOverdue(whole, owing.count, waited) {
                against(owing.event, waited)
            } else if owing.count >= rule.times, let waited = timing.basis.seconds(from: owing.event.end, to: event.begin) {
                judgement.excuse(owing.event, by: event, after: waited, of: timing.seconds(rule.within))
            }
            (owed[whole], tried[whole]) = (nil, nil)
        }
    }

    private mutating func overtake(_ key: String, _ event: Event) {
        for (whole, owing) in owed where whole.hasPrefix(key + "\n") && owing.count >= rule.times {
            judgement.blame(
                event.number, "\(event.words) came before \(rule.comes.words), after entry \(owing.event.number), \(owing.event.words)")
            owed[whole] = nil
        }
    }

    private mutating func replace(_ key: String, _ event: Event) {
        for (whole, owing) in owed where whole.hasPrefix(key + "\n") {
            owed[whole] = nil
            guard let waited = timing.basis.seconds(from: owing.event.end, to: event.begin) else { continue }
            if isOverdue(whole, owing.count, waited) {
                against(owing.event, waited)
            } else {
                judgement.pass(event.number, "\(event.words) came instead of \(rule.comes.words) after entry \(owing.event.number)")
            }
        }
    }

    private func isOverdue(_ whole: String, _ count: Int, _ waited: Double) -> Bool {
        count >= rule.times && !isForgiven(whole) && waited > timing.seconds(rule.within) + timing.floor
    }

    private mutating func against(_ first: Event, _ waited: Double) {
        judgement.blame(.absence(first.number, "after \(first.words) no \(rule.comes.words) came within \(waited.seconds)"))
    }

    /// It was tried as often as it need be.
    private mutating func gaveUp(_ first: Event, _ whole: String) {
        judgement.pass(first.number, "\(rule.after.words) \(tried[whole] ?? 0) times in a row, which is enough")
    }

    /// It has failed so often that it may be given up.
    private func isForgiven(_ whole: String) -> Bool { rule.most.map { tried[whole] ?? 0 > $0 } ?? false }

    /// Whether anyone may pay for it: a refused call with credentials that nobody issued is in a lane of the operation's name.
    private func isNobodys(_ event: Event) -> Bool { rule.scope == .lane && event.lane == event.operation }

    private func whole(_ key: String, _ event: Event) -> String {
        key + "\n" + rule.same.map { event.value(at: $0) ?? "" }.joined(separator: "\n")
    }

    /// - Parameter hasFailed: what came is one more of `after`.
    private mutating func met(_ event: Event, _ key: String, hasFailed: Bool) {
        var whole = whole(key, event)
        if owed[whole] == nil {
            let same = whole.dropFirst(key.count)
            whole = owed.first { isNobodys($0.value.event) && $0.key == $0.value.event.lane + same }?.key ?? whole
        }
        if rule.isNext, owed[whole] == nil,
            let (waiting, other) = owed.first(where: { $0.key.hasPrefix(key + "\n") && !event.wasUnderWay(when: $0.value.event) })
        {
            if isForgiven(waiting) {
                gaveUp(other.event, waiting)
                owed[waiting] = nil
            } else {
                judgement.blame(event.number, "\(event.words) came before the event that had to follow entry \(other.event.number)")
            }
        }
        guard let (first, count) = owed[whole] else { return }
        defer { if !hasFailed, owed[whole] == nil { tried[whole] = nil } }
        if rule.atLeast != nil, event.wasUnderWay(when: first) { return }
        guard rule.differs(first, event), rule.covers(first, by: event) else { return }
        // It was not due yet; only a mark counts this early, because the client chose to send it.
        if count < rule.times, !rule.comes.isMark { return owed[whole] = nil }
        owed[whole] = nil
        guard !isForgiven(whole) else { return gaveUp(first, whole) }
        // A client gives up at the end of a call.
        guard let waited = timing.basis.seconds(from: first.end, to: event.kind == .gaveUp ? event.end : event.begin) else {
            return judgement.cannotJudge =
                "what follows entry \(first.number) came after a restart of the server: judge it on the sandbox's clock"
        }
        if waited > timing.seconds(rule.within) + timing.floor + timing.grace(from: first.end, to: event.begin)
            + timing.workGrace(from: first.end, to: event.begin)
        {
            judgement.blame(
                event.number,
                "\(event.words) came \(waited.seconds) after entry \(first.number), \(first.words): more than \(timing.seconds(rule.within).seconds)"
            )
        } else if let least = rule.atLeast, waited < timing.seconds(least) - timing.floor {
            judgement.blame(
                event.number,
                "\(event.words) came \(waited.seconds) after entry \(first.number), \(first.words): before \(timing.seconds(least).seconds) had passed"
            )
        } else {
            judgement.pass(event.number, "\(event.words) followed entry \(first.number) after \(max(0, waited).seconds)")
        }
    }

    mutating func finish(_ end: Instant) -> Judgement {
        if rule.comes.isMark, !marks.areTold, !owed.isEmpty {
            judgement.open.append("the client sends no marks, and \(rule.comes.words) is not visible on the network")
            return judgement
        }
        for (whole, (first, count)) in owed.sorted(by: { $0.value.event.number < $1.value.event.number }) where count >= rule.times {
            if isForgiven(whole) {
                gaveUp(first, whole)
                continue
            }
            let due = timing.seconds(rule.within)
            guard let watched = timing.basis.seconds(from: first.end, to: end) else {
                judgement.cannotJudge =
                    "the run of entry \(first.number) ended with a restart of the server: judge it on the sandbox's clock"
                continue
            }
            if watched > due + timing.floor {
                against(first, watched)
            } else {
                judgement.leaveOpen(after: first.number, watched: watched, of: due, slack: 2 * timing.floor)
            }
        }
        return judgement
    }
}
