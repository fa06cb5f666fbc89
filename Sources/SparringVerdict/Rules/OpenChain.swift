import SparringJournal

/// Attempts that may not have come to their end yet, held against each of a rule's schedules.
struct OpenChain {
    struct Track {
        let schedule: [Duration]
        /// The first and the last ones, where there are very many.
        var attempts: [RetryChain.Attempt]
        /// A late attempt was put down to a busy machine. The next one is a habit.
        var isExcused = false

        mutating func append(_ attempt: RetryChain.Attempt) {
            attempts.append(attempt)
            if attempts.count > 60 { attempts.remove(at: 30) }
        }

        var faults: Int { attempts.count(where: \.judged.isBad) }
    }

    let lane: String
    let what: String
    let operation: OperationName
    let start: Instant
    /// The entry that began it.
    let first: Int
    /// The call that was made last.
    var last: Event
    var tracks: [Track]
    var count = 1
    var lastBegin: Instant
    var lastEnd: Instant
    /// The ordinal of the last call.
    var ordinal: Int?
    var retryAfter: Double?
    /// The client said that it gave something up, and nothing has come since.
    var givenUp: Event?
    var cannotJudge = false

    init(_ event: Event, what: String, schedules: [[Duration]]) {
        (lane, operation, self.what) = (event.lane, event.name, what)
        (start, lastBegin, lastEnd, first, last) = (event.begin, event.begin, event.end, event.number, event)
        let attempt = RetryChain.Attempt(
            number: 1, entries: [event.number], seen: 0, outcome: event.outcome?.words ?? "", judged: .first)
        tracks = (schedules.isEmpty ? [[]] : schedules).map { Track(schedule: $0, attempts: [attempt]) }
    }

    /// The schedule that it keeps best; the first of them where that does not tell.
    var best: Track { tracks.min { $0.faults < $1.faults } ?? tracks[0] }

    /// All the retries that its schedule has were made.
    var isExhausted: Bool { !best.schedule.isEmpty && count > best.schedule.count }

    /// After the next attempt each of these schedules may start again.
    mutating func restart(by schedules: [[Duration]]) {
        let track = best
        for schedule in schedules {
            tracks.append(Track(schedule: track.schedule.prefix(count) + schedule, attempts: track.attempts, isExcused: track.isExcused))
        }
        // A user who asks again and again must not make a chain grow without end.
        while tracks.count > Self.mostTracks, let worst = tracks.indices.max(by: { tracks[$0].faults < tracks[$1].faults }) {
            tracks.remove(at: worst)
        }
    }

    private static let mostTracks = 16

    /// A call that belongs to the attempt under way.
    mutating func join(_ event: Event) {
        for index in tracks.indices {
            let last = tracks[index].attempts.count - 1
            tracks[index].attempts[last].entries.append(event.number)
            tracks[index].attempts[last].outcome = event.outcome?.words ?? ""
        }
    }
}
