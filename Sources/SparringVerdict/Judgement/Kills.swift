internal import DequeModule
import SparringJSON
import SparringJournal

/// Keeps the last second of a process back until it is known that the server was not killed with it: what it had committed last may not have been sent.
struct Kills {
    /// A sighting, and whether the client may not have got what it was sent with it.
    typealias Released = (released: Resends.Released, isDoubtful: Bool)

    /// The time for which an entry is kept back: the longest doubt, in nanoseconds.
    private static let patience: Int64 = 1_000_000_000

    private var held: Deque<Resends.Released> = []

    /// - Returns: what comes next, in order; nothing while it is held back.
    mutating func take(_ next: Resends.Released) -> [Released] {
        guard let event = next.sighting.event else {
            if held.isEmpty { return [(next, false)] }
            held.append(next)
            return []
        }
        if let killed = Killed(event) {
            let all = released(killed)
            held.removeAll()
            return all + [(next, false)]
        }
        let count = held.prefix { !isNear($0, event) }.count
        defer {
            held.removeFirst(count)
            held.append(next)
        }
        return held.prefix(count).map { ($0, false) }
    }

    /// There is nothing more to come.
    mutating func finish() -> [Released] {
        defer { held.removeAll() }
        return held.map { ($0, false) }
    }

    private func isNear(_ released: Resends.Released, _ event: Event) -> Bool {
        guard let earlier = released.sighting.event else { return false }
        // The first entry of another process says whether this one was killed.
        return earlier.end.process == event.begin.process && event.end.monotonic.subtractingClamped(earlier.end.monotonic) <= Self.patience
    }

    private func released(_ killed: Killed) -> [Released] {
        let newest = held.compactMap { $0.sighting.event?.end.monotonic }.max() ?? 0
        // A client that sends another request on a connection has got the answer to the one before (RFC 9112 §9.3.2).
        var isLast: Set<Int64> = []
        var all: [Released] = []
        for released in held.reversed() {
            guard let event = released.sighting.event, event.end.process == killed.process,
                newest.subtractingClamped(event.end.monotonic) < killed.doubtful
            else {
                all.append((released, false))
                continue
            }
            let isFollowed = event.socket == nil && event.connection.map { !isLast.insert($0).inserted } == true
            all.append((released, !isFollowed && (event.kind == .call || event.kind == .notification)))
        }
        return all.reversed()
    }
}

/// The entry with which the next process says that the server was killed.
struct Killed {
    let process: Int
    /// For how long before the newest entry what was sent may not have arrived, in nanoseconds.
    let doubtful: Int64

    /// Nil for another event.
    init?(_ event: Event) {
        guard event.kind == .other, event.causeCode == Cause.serverKilled,
            let killed = event.record.object("details")?.object("killed"), let process = killed.integer("process")
        else { return nil }
        self.process = Int(process)
        doubtful = (killed.integer("doubtful") ?? 0).multipliedClamped(by: 1_000_000)
    }
}
