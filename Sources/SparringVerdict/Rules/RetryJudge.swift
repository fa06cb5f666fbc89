import SparringJSON
import SparringJournal

/// Follows the chains of a ``RetryRule``.
struct RetryJudge: Judge {
    let rule: RetryRule
    let timing: Timing
    private var open: [String: Chain] = [:]
    private var judgement = Judgement()

    private struct Chain {
        var lane: String
        var what: String
        var start: Instant
        /// The first and the last ones, where there are very many.
        var attempts: [RetryChain.Attempt] = []
        var count = 1
        var lastBegin: Instant
        var lastEnd: Instant
        var ordinals: Set<Int> = []
        var retryAfter: Double?
        var cannotJudge = false
    }

    init(rule: RetryRule, timing: Timing) {
        self.rule = rule
        self.timing = timing
        judgement.wanted =
            rule.schedule.isEmpty ? "a failure with a Retry-After of \(rule.places)" : "a failure of \(rule.group ?? rule.places)"
    }

    mutating func take(_ event: Event) {
        let (isGivenUp, isOver) = (rule.until?.matches(event) == true, rule.unless?.matches(event) == true)
        if isGivenUp || isOver {
            for (key, chain) in open where rule.scope == .sandbox || chain.lane == event.lane {
                close(key, isGivenUp ? givenUp(chain, event) : chain)
            }
        }
        guard rule.operations.contains(event.name) else { return }
        guard !open.isEmpty || isFailure(event) else { return }
        let what = rule.group ?? event.operation
        let key = rule.scope.key(event) + "\n" + what
        switch event.kind {
        case .gaveUp:
            // The end of an attempt whose answer never came.
            if let ordinal = event.ordinal, var chain = open[key], chain.ordinals.contains(ordinal) {
                chain.lastEnd = event.end
                open[key] = chain
            }
        case .call: attempt(event, key, what)
        default: break
        }
    }

    private func isFailure(_ event: Event) -> Bool { event.outcome?.failureClass.map { rule.after.contains($0) } ?? false }

    private mutating func attempt(_ event: Event, _ key: String, _ what: String) {
        let isFailure = isFailure(event)
        guard var chain = open[key] else {
            guard isFailure else { return }
            judgement.cannotJudge = judgement.cannotJudge ?? rule.notJudgeable(timing)
            var chain = Chain(lane: event.lane, what: what, start: event.begin, lastBegin: event.begin, lastEnd: event.end)
            chain.attempts = [
                RetryChain.Attempt(number: 1, entries: [event.number], seen: 0, outcome: event.outcome?.words ?? "", judged: .first)
            ]
            note(event, &chain)
            open[key] = chain
            return
        }
        guard let waited = timing.basis.seconds(from: chain.lastEnd, to: event.begin),
            let seen = timing.basis.seconds(from: chain.start, to: event.begin)
        else {
            chain.cannotJudge = true
            open[key] = chain
            return close(key, chain)
        }
        if sinceFirst(chain, event) < timing.seconds(rule.burst) {
            chain.attempts[chain.attempts.count - 1].entries.append(event.number)
            chain.attempts[chain.attempts.count - 1].outcome = event.outcome?.words ?? ""
        } else {
            chain.attempts.append(judged(event, waited, seen, chain))
            chain.count += 1
            if chain.attempts.count > 60 { chain.attempts.remove(at: 30) }
            chain.lastBegin = event.begin
        }
        note(event, &chain)
        open[key] = chain
        if !isFailure { close(key, chain) }
    }

    /// Of the attempt that is under way.
    private func sinceFirst(_ chain: Chain, _ event: Event) -> Double {
        timing.basis.seconds(from: chain.lastBegin, to: event.begin) ?? .infinity
    }

    private func judged(_ event: Event, _ waited: Double, _ seen: Double, _ chain: Chain) -> RetryChain.Attempt {
        var attempt = RetryChain.Attempt(
            number: chain.count + 1,
            entries: [event.number], seen: seen, waited: waited, outcome: event.outcome?.words ?? "", judged: .good)
        if let retryAfter = chain.retryAfter, rule.honoursRetryAfter {
            attempt.due = retryAfter
            attempt.tolerance = timing.floor
            // Later is as good: what may not be is earlier.
            attempt.judged = waited < retryAfter - timing.floor ? .early : .good
            return attempt
        }
        guard !rule.schedule.isEmpty else { return attempt }
        let place = chain.count - 1
        guard place < rule.schedule.count else {
            attempt.judged = .surplus
            return attempt
        }
        let due = timing.seconds(rule.schedule[place])
        let tolerance = max(due * rule.tolerance, timing.floor)
        attempt.due = due
        attempt.tolerance = tolerance
        attempt.judged = waited < due - tolerance ? .early : waited > due + tolerance ? .late : .good
        return attempt
    }

    private mutating func note(_ event: Event, _ chain: inout Chain) {
        chain.lastEnd = event.end
        if let ordinal = event.ordinal { chain.ordinals = [ordinal] }
        chain.retryAfter = rule.honoursRetryAfter ? event.retryAfter.map { $0 * timing.scale } : nil
    }

    /// The chain with the retry that was due still.
    private func givenUp(_ chain: Chain, _ event: Event) -> Chain {
        let place = chain.count - 1
        guard place < rule.schedule.count, let seen = timing.basis.seconds(from: chain.start, to: event.begin) else { return chain }
        var chain = chain
        let due = chain.retryAfter ?? timing.seconds(rule.schedule[place])
        chain.attempts.append(
            RetryChain.Attempt(
                number: chain.count + 1, entries: [], seen: seen, due: due, tolerance: max(due * rule.tolerance, timing.floor),
                outcome: Self.givenUp, judged: .missing))
        return chain
    }

    private static let givenUp = "the client gave up"

    /// Nothing more belongs to the chain.
    private mutating func close(_ key: String, _ chain: Chain, watched: Double? = nil) {
        open[key] = nil
        if chain.cannotJudge {
            judgement.cannotJudge =
                judgement.cannotJudge
                ?? "a chain of \(chain.what) of \(chain.lane) spans a restart of the server: judge it on the sandbox's clock"
            return
        }
        let told = RetryChain(lane: chain.lane, what: chain.what, attempts: chain.attempts, watched: watched)
        let isExercised = chain.attempts.contains { $0.due != nil || $0.judged == .surplus }
        guard isExercised || watched != nil && !rule.schedule.isEmpty else { return }
        if let last = told.attempts.last, last.judged == .open {
            let due = (last.due ?? 0) + (last.tolerance ?? 0)
            let words = "\((watched ?? 0).seconds) of \(due.seconds) watched after attempt \(last.number - 1) of \(chain.what)"
            judgement.leaveOpen(words, watched: watched ?? 0, due: due + timing.floor)
        }
        if told.isGood {
            if told.attempts.last?.judged != .open { judgement.passes += 1 }
        } else {
            for complaint in Self.complaints(told) { judgement.blame(complaint) }
        }
        judgement.keep(told)
    }

    mutating func finish(_ end: Instant) -> Judgement {
        for (key, var chain) in open.sorted(by: { $0.value.attempts[0].entries[0] < $1.value.attempts[0].entries[0] }) {
            guard let watched = timing.basis.seconds(from: chain.lastEnd, to: end) else {
                chain.cannotJudge = true
                close(key, chain)
                continue
            }
            expect(&chain, watched)
            close(key, chain, watched: watched)
        }
        return judgement
    }

    /// What should have come after the last attempt, or should not have.
    private func expect(_ chain: inout Chain, _ watched: Double) {
        let place = chain.count - 1
        let seen = (timing.basis.seconds(from: chain.start, to: chain.lastEnd) ?? 0) + watched
        var next = RetryChain.Attempt(number: chain.count + 1, entries: [], seen: seen, outcome: "", judged: .open)
        if place < rule.schedule.count {
            let due = chain.retryAfter ?? timing.seconds(rule.schedule[place])
            let tolerance = max(due * rule.tolerance, timing.floor)
            next.due = due
            next.tolerance = tolerance
            next.judged = watched > due + tolerance ? .missing : .open
            next.outcome = next.judged == .missing ? "nothing came" : "the run ended"
            chain.attempts.append(next)
        } else if !rule.schedule.isEmpty, watched < timing.seconds(rule.silence) {
            next.due = timing.seconds(rule.silence)
            next.outcome = "silence, until the run ended"
            chain.attempts.append(next)
        }
    }

    private static func complaints(_ chain: RetryChain) -> [Verdict.Evidence] {
        var complaints: [Verdict.Evidence] = []
        for (index, attempt) in chain.attempts.enumerated() {
            let number = attempt.number
            let tolerance = attempt.tolerance.map { " ± \($0.seconds)" } ?? ""
            let due = (attempt.due ?? 0).seconds + tolerance
            let waited = (attempt.waited ?? 0).seconds
            let of = "of \(chain.what) (\(chain.lane))"
            switch attempt.judged {
            case .early, .late:
                complaints.append(
                    .init(attempt.entries.first, "attempt \(number) \(of) came \(waited) after attempt \(number - 1); due after \(due)"))
            case .surplus:
                let word = chain.attempts.first { $0.judged == .surplus }?.entries == attempt.entries
                if word {
                    complaints.append(
                        .init(
                            attempt.entries.first,
                            "attempt \(number) \(of) came \(waited) after attempt \(number - 1), where none should any more"))
                }
            case .missing where attempt.outcome == givenUp:
                complaints.append(
                    .init(
                        chain.attempts[index - 1].entries.last,
                        "attempt \(number) \(of) was due \(due) after attempt \(number - 1), and the client gave up instead"))
            case .missing:
                complaints.append(
                    .init(
                        chain.attempts[index - 1].entries.last,
                        "attempt \(number) \(of) was due \(due) after attempt \(number - 1) and did not come within \((chain.watched ?? 0).seconds)"
                    ))
            case .first, .good, .open: break
            }
        }
        return complaints
    }
}

extension Event {
    /// Seconds that the answer asks to wait (RFC 9110 §10.2.3); a date is not understood, nor what is more than ten years.
    var retryAfter: Double? {
        let headers = record.object("answer")?.json("headers")?.object
        let seconds = headers?.first { $0.key.lowercased() == "retry-after" }?.value.string.flatMap { Double($0) }
        return seconds.flatMap { (0...Double(Duration.longest.milliseconds) / 1000).contains($0) ? $0 : nil }
    }
}

extension Judgement {
    /// Chains and evidence that are kept of one rule.
    static let limit = 20

    /// The failed ones before the good, the earlier before the later.
    mutating func keep(_ chain: RetryChain) {
        if chains.count < Self.limit {
            chains.append(chain)
        } else if !chain.isGood, let place = chains.lastIndex(where: \.isGood) {
            chains.remove(at: place)
            chains.append(chain)
        }
    }
}
