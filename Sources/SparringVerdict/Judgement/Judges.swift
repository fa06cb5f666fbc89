/// The judges of a run's rules, by the rules' numbers.
struct Judges: Sendable {
    private var judges: [any Judge]
    /// The same, that take for lost what the client may not have got from a server that was killed; nil: none was.
    private var doubters: [any Judge]?
    /// The last that is known of the newest process of the server.
    private var last: Instant?

    init(_ rules: [Rule], _ timing: Timing) { judges = rules.map { $0.form.judge(timing) } }

    var indices: Range<Int> { judges.indices }

    /// Looks at the time of each event, also of those that no judge takes.
    mutating func note(_ event: Event) {
        if let last, Killed(event) != nil {
            for index in judges.indices {
                judges[index].serverKilled(after: last)
                doubters?[index].serverKilled(after: last)
            }
        }
        note(event.begin)
        if let last, last.process == event.end.process, last.monotonic >= event.end.monotonic { return }
        last = event.end
    }

    private mutating func note(_ instant: Instant) {
        guard let last, last.process < instant.process else { return }
        for index in judges.indices {
            judges[index].serverEnded(last.process, by: last)
            doubters?[index].serverEnded(last.process, by: last)
        }
    }

    /// - Parameters:
    ///   - isOfEnd: it is a hang-up that came with the end of the client's process.
    ///   - isDoubtful: the client may not have got what it was sent with it.
    mutating func take(_ event: Event, of rules: [Int], isOfEnd: Bool, isDoubtful: Bool) {
        if isDoubtful, doubters == nil { doubters = judges }
        let lost = isDoubtful ? event.kind == .call ? Event(lost: event) : nil : event
        for index in rules {
            if isOfEnd { judges[index].processEnded(with: event) } else { judges[index].take(event) }
            guard doubters != nil, let lost else { continue }
            if isOfEnd { doubters?[index].processEnded(with: lost) } else { doubters?[index].take(lost) }
        }
    }

    /// The judgement of a rule; where something is in doubt, what holds either way.
    ///
    /// - Parameter end: of the watch.
    mutating func judgement(of rule: Int, at end: Instant) -> Judgement {
        let judgement = judges[rule].finish(end)
        guard let lost = doubters?[rule].finish(end) else { return judgement }
        return judgement.agreed(with: lost)
    }

    /// - Parameter end: of the watch.
    mutating func finish(at end: Instant) { note(end) }
}
