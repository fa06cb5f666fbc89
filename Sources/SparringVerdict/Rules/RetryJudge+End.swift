import SparringJSON
import SparringJournal

/// The end of a chain, and what it comes to.
extension RetryJudge {
    /// The retry that a track still owes, as it stands when nothing came for `watched` seconds; nil where it owes none.
    func due(_ chain: OpenChain, _ track: Int, _ watched: Double, _ end: Instant) -> RetryChain.Attempt? {
        let schedule = chain.tracks[track].schedule
        guard chain.count <= schedule.count, !isOptional(chain) else { return nil }
        let seen = (timing.basis.seconds(from: chain.start, to: chain.lastEnd) ?? 0) + watched
        var next = RetryChain.Attempt(number: chain.count + 1, entries: [], seen: seen, outcome: "", judged: .open)
        window(
            &next, due: chain.retryAfter ?? timing.seconds(schedule[chain.count - 1]),
            grace: timing.grace(from: chain.lastEnd, to: end) + timing.workGrace(from: chain.lastEnd, to: end))
        if chain.givenUp != nil {
            (next.judged, next.outcome) = (.missing, RetryChain.givenUp)
        } else {
            next.judged = watched > next.latest ?? .infinity ? .missing : .open
            next.outcome = next.judged == .missing ? "nothing came" : "the run ended"
        }
        return next
    }

    /// Nothing more belongs to the chain.
    mutating func close(_ key: String, _ chain: OpenChain, watched: Double? = nil) {
        open[key] = nil
        if chain.cannotJudge {
            judgement.cannotJudge =
                judgement.cannotJudge
                ?? "a chain of \(chain.what) of \(chain.lane) spans a restart of the server: judge it on the sandbox's clock"
            return
        }
        let told = RetryChain(lane: chain.lane, what: chain.what, attempts: chain.best.attempts, watched: watched)
        let isExercised = chain.best.attempts.contains { $0.due != nil || $0.judged == .surplus }
        guard isExercised || watched != nil && !rule.schedules.isEmpty else { return }
        if let last = told.attempts.last, last.judged == .open {
            let due = last.latest ?? last.due ?? 0
            let words = "\((watched ?? 0).seconds) of \(due.seconds) watched after attempt \(last.number - 1) of \(chain.what)"
            judgement.leaveOpen(words, watched: watched ?? 0, due: due + timing.floor)
        }
        if told.isGood {
            if told.attempts.last?.judged != .open, told.attempts.count > 1 { judgement.passes += 1 }
        } else {
            for complaint in told.complaints { judgement.blame(complaint) }
        }
        judgement.keep(told)
    }

    mutating func finish(_ end: Instant) -> Judgement {
        for (key, chain) in shelved.sorted(by: { $0.value.first < $1.value.first }) { close(key, chain) }
        for (key, var chain) in open.sorted(by: { $0.value.first < $1.value.first }) {
            guard let watched = timing.basis.seconds(from: chain.lastEnd, to: end) else {
                chain.cannotJudge = true
                close(key, chain)
                continue
            }
            for track in chain.tracks.indices {
                if let next = due(chain, track, watched, end) ?? silence(chain, track, watched) {
                    chain.tracks[track].attempts.append(next)
                }
            }
            close(key, chain, watched: watched)
        }
        return judgement
    }

    mutating func serverKilled(after end: Instant) {
        for (key, chain) in shelved.sorted(by: { $0.value.first < $1.value.first }) { close(key, chain) }
        for (key, var chain) in open.sorted(by: { $0.value.first < $1.value.first }) {
            var isDue = false
            if let watched = timing.basis.seconds(from: chain.lastEnd, to: end) {
                for track in chain.tracks.indices {
                    guard let next = due(chain, track, watched, end) else { continue }
                    if next.judged == .missing { chain.tracks[track].attempts.append(next) } else { isDue = true }
                }
            }
            close(key, chain)
            cutOff.insert(key)
            if isDue { judgement.leaveOpen(atKillAfter: chain.last.number) }
        }
        shelved = [:]
    }

    /// After the last retry: the silence that has not been watched to its end.
    private func silence(_ chain: OpenChain, _ track: Int, _ watched: Double) -> RetryChain.Attempt? {
        let schedule = chain.tracks[track].schedule
        guard !schedule.isEmpty, chain.count > schedule.count else { return nil }
        let silence = timing.seconds(rule.silence(after: schedule))
        guard watched < silence else { return nil }
        let seen = (timing.basis.seconds(from: chain.start, to: chain.lastEnd) ?? 0) + watched
        return RetryChain.Attempt(
            number: chain.count + 1, entries: [], seen: seen, due: silence, outcome: "silence, until the run ended", judged: .open)
    }
}
