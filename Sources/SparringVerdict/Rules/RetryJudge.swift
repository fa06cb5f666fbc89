import SparringJSON
import SparringJournal

/// Follows the chains of a ``RetryRule``.
struct RetryJudge: Judge {
    let rule: RetryRule
    let timing: Timing
    var open: [String: OpenChain] = [:]
    /// Chains that were cut from outside: what comes next may continue the schedule, or restart it.
    var cutOff: Set<String> = []
    /// The chains that were cut and need not continue; a call that comes when the next retry was due continues them.
    var shelved: [String: OpenChain] = [:]
    var judgement = Judgement()

    init(rule: RetryRule, timing: Timing) { (self.rule, self.timing) = (rule, timing) }

    mutating func take(_ event: Event) {
        if !open.isEmpty { end(event) }
        guard rule.operations.contains(event.name), !open.isEmpty || !shelved.isEmpty || isFailure(event) else { return }
        let what = rule.group ?? event.operation
        let place = rule.scope.key(event) + "\n" + what
        let same = rule.same.map { event.value(at: $0) ?? "" }
        var key = ([place] + same).joined(separator: "\n")
        // A socket's opening names its owner only when it succeeds: the failures before it had the operation's own name for a lane.
        if open[key] == nil, rule.scope == .lane {
            let nameless = ([event.operation + "\n" + what] + same).joined(separator: "\n")
            if open[nameless] != nil { key = nameless }
        }
        switch event.kind {
        case .gaveUp:
            // The end of an attempt whose answer never came.
            if let ordinal = event.ordinal, var chain = open[key], chain.ordinal == ordinal {
                chain.lastEnd = event.end
                open[key] = chain
            }
        case .call:
            if !rule.same.isEmpty {
                for (other, chain) in open where other != key && other.hasPrefix(place + "\n") { cut(other, chain, event) }
            }
            attempt(event, key, what)
        default: break
        }
    }

    private func isFailure(_ event: Event) -> Bool { event.outcome?.failureClass.map { rule.after.contains($0) } ?? false }

    // MARK: What ends chains from outside

    private mutating func end(_ event: Event) {
        let ends = rule.unless.filter { $0.selector.matches(event) }
        let isGivenUp = rule.until?.matches(event) == true
        guard isGivenUp || !ends.isEmpty else { return }
        // Calls that named nobody, such as a socket's that was refused, may be anybody's.
        for (key, chain) in open where rule.scope == .sandbox || chain.lane == event.lane || chain.lane == chain.operation.text {
            if ends.contains(where: { $0.ends(chain.operation) }) {
                cut(key, chain, event)
            } else if isGivenUp {
                // Perhaps it is something else that the client gave up: what it still retries goes on.
                if isOptional(chain) { letBe(chain, event.number) }
                if chain.isExhausted || isOptional(chain) { close(key, chain) } else { open[key]?.givenUp = event }
            }
        }
    }

    /// No further retry is owed; but one that was due long before does not become good by it.
    private mutating func cut(_ key: String, _ chain: OpenChain, _ event: Event) {
        cutOff.insert(key)
        if isOptional(chain) {
            (open[key], shelved[key]) = (nil, chain)
            return
        }
        var chain = chain
        if let waited = timing.basis.seconds(from: chain.lastEnd, to: event.begin) {
            for index in chain.tracks.indices {
                guard let next = due(chain, index, waited, event.begin) else { continue }
                if next.judged == .missing {
                    chain.tracks[index].attempts.append(next)
                } else if index == chain.tracks.startIndex {
                    judgement.excuse(chain.last, by: event, after: waited, of: next.latest ?? 0)
                }
            }
        }
        close(key, chain)
    }

    /// The cut chain that continues with this call. The user may have asked for the call just then, so the schedule may also start again.
    private mutating func resumed(_ key: String, by event: Event) -> OpenChain? {
        guard var chain = shelved.removeValue(forKey: key) else { return nil }
        let waited = timing.basis.seconds(from: chain.lastEnd, to: event.begin) ?? .infinity
        let isDue = chain.tracks.contains { track in
            let attempt = judged(event, waited, 0, chain, track.schedule, 0)
            return attempt.due != nil && attempt.judged == .good
        }
        guard isDue else {
            close(key, chain)
            return nil
        }
        cutOff.remove(key)
        chain.restart(by: rule.schedules)
        return chain
    }

    // MARK: Attempts

    private mutating func attempt(_ event: Event, _ key: String, _ what: String) {
        guard var chain = open[key] ?? resumed(key, by: event) else { return begin(event, key, what) }
        guard let waited = timing.basis.seconds(from: chain.lastEnd, to: event.begin),
            let seen = timing.basis.seconds(from: chain.start, to: event.begin)
        else {
            chain.cannotJudge = true
            return close(key, chain)
        }
        chain.givenUp = nil
        if event.wasUnderWay(when: chain.last) {
            // Two calls at once are one attempt.
            chain.join(event)
            note(event, &chain)
            open[key] = chain
            if !isFailure(event) { close(key, chain) }
            return
        }
        if isOptional(chain), isLate(event, waited, seen, chain) {
            // This is another occasion.
            letBe(chain, event.number)
            close(key, chain)
            return begin(event, key, what)
        }
        if chain.isExhausted, waited > timing.seconds(rule.silence(after: chain.best.schedule)) {
            // It was silent for as long as it should be: this is the user's doing, or a new occasion.
            close(key, chain)
            return begin(event, key, what)
        }
        if sinceFirst(chain, event) < timing.seconds(rule.burst) {
            chain.join(event)
        } else {
            for index in chain.tracks.indices {
                let work = chain.tracks[index].isExcused ? 0 : timing.workGrace(from: chain.lastEnd, to: event.begin)
                let attempt = judged(event, waited, seen, chain, chain.tracks[index].schedule, work)
                chain.tracks[index].append(attempt)
                if let latest = attempt.latest, waited > latest - work { chain.tracks[index].isExcused = true }
            }
            chain.count += 1
            chain.lastBegin = event.begin
        }
        note(event, &chain)
        open[key] = chain
        if !isFailure(event) { close(key, chain) }
    }

    func isOptional(_ chain: OpenChain) -> Bool { rule.optional.contains(chain.operation) }

    /// Notes that a call that need not be tried again was not.
    private mutating func letBe(_ chain: OpenChain, _ entry: Int) {
        judgement.pass(entry, "\(chain.what) need not be tried again after entry \(chain.last.number), and was not")
    }

    /// Whether it comes later than any schedule has the next retry.
    private func isLate(_ event: Event, _ waited: Double, _ seen: Double, _ chain: OpenChain) -> Bool {
        let work = timing.workGrace(from: chain.lastEnd, to: event.begin)
        return chain.tracks.allSatisfy { judged(event, waited, seen, chain, $0.schedule, work).judged == .late }
    }

    private mutating func begin(_ event: Event, _ key: String, _ what: String) {
        guard isFailure(event) else { return }
        judgement.cannotJudge = judgement.cannotJudge ?? rule.notJudgeable(timing)
        let schedules =
            cutOff.remove(key) == nil
            ? rule.schedules
            : rule.schedules.flatMap { schedule in
                schedule.indices.map { Array(schedule.dropFirst($0)) }
            }
        var chain = OpenChain(event, what: what, schedules: schedules)
        note(event, &chain)
        open[key] = chain
    }

    /// The seconds since the beginning of the attempt that is under way.
    private func sinceFirst(_ chain: OpenChain, _ event: Event) -> Double {
        timing.basis.seconds(from: chain.lastBegin, to: event.begin) ?? .infinity
    }

    private func judged(_ event: Event, _ waited: Double, _ seen: Double, _ chain: OpenChain, _ schedule: [Duration], _ work: Double)
        -> RetryChain.Attempt
    {
        var attempt = RetryChain.Attempt(
            number: chain.count + 1,
            entries: [event.number], seen: seen, waited: waited, outcome: event.outcome?.words ?? "", judged: .good)
        if let retryAfter = chain.retryAfter, rule.honoursRetryAfter {
            attempt.due = retryAfter
            attempt.earliest = retryAfter - timing.floor
            // Later is as good: what may not be is earlier.
            attempt.judged = waited < retryAfter - timing.floor ? .early : .good
            return attempt
        }
        guard !schedule.isEmpty else { return attempt }
        guard chain.count <= schedule.count else {
            attempt.judged = .surplus
            return attempt
        }
        window(&attempt, due: timing.seconds(schedule[chain.count - 1]), grace: timing.grace(from: chain.lastEnd, to: event.begin) + work)
        attempt.judged = waited < attempt.earliest ?? 0 ? .early : waited > attempt.latest ?? .infinity ? .late : .good
        return attempt
    }

    /// - Parameter grace: how late the client's process may have been woken up.
    func window(_ attempt: inout RetryChain.Attempt, due: Double, grace: Double) {
        attempt.due = due
        attempt.earliest = due - max(due * rule.tolerance, timing.floor)
        attempt.latest = due + max(due * rule.lateness, timing.floor) + grace
    }

    private mutating func note(_ event: Event, _ chain: inout OpenChain) {
        (chain.lastEnd, chain.last) = (event.end, event)
        if let ordinal = event.ordinal { chain.ordinal = ordinal }
        chain.retryAfter = rule.honoursRetryAfter ? event.retryAfter.map { $0 * timing.scale } : nil
    }
}
