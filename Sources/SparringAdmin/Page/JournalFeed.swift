import GRDB
import SparringJSON
import SparringSandbox

/// The next events for one reader of a journal's stream. It knows no connection and no clock.
struct JournalFeed {
    struct Limits {
        /// Heads of one event.
        var batch = 500
        /// Bytes that may wait for the reader before nothing more is read for it.
        var waiting = 1 << 20
        /// Entries by which a slow reader may be behind.
        var behind = 5_000
        /// The newest of those that a reader gets who was further behind.
        var resumed = 1_000
    }

    enum Event {
        /// With the number of the last.
        case entries([JSON], last: Int)
        /// These have left the journal, up to this number.
        case pruned(floor: Int)
        /// These were passed over.
        case lag(from: Int, to: Int)
    }

    let limits: Limits
    /// The number of the next entry that the reader wants.
    private(set) var next: Int
    /// The last entry that the reader knows to have left the journal.
    private var floor: Int
    /// The reader did not take what there was.
    private var wasHeldUp = false

    init(since: Int, floor: Int, limits: Limits = Limits()) {
        (next, self.floor, self.limits) = (max(since, 1), floor, limits)
    }

    /// Whether to wait until the reader has taken some of what waits for it.
    mutating func mustWait(_ waiting: Int) -> Bool {
        guard waiting > limits.waiting else { return false }
        wasHeldUp = true
        return true
    }

    /// The events that the reader gets now; none where there is nothing new.
    ///
    /// - Parameter draw: makes heads of entries.
    mutating func events(_ sandbox: Sandbox, heads draw: ([[UInt8]]) throws -> [JSON], _ db: Database) throws -> [Event] {
        var events: [Event] = []
        let losses = try sandbox.journal.losses(db)
        if losses.floor > floor {
            floor = losses.floor
            events.append(.pruned(floor: floor))
            next = max(next, floor + 1)
        }
        if wasHeldUp, let newest = try sandbox.journal.newest(db), newest - next > limits.behind {
            let resumed = newest - limits.resumed + 1
            events.append(.lag(from: next, to: resumed - 1))
            next = resumed
        }
        wasHeldUp = false
        let heads = try draw(try sandbox.journal.read(Journal.Query(since: next, limit: limits.batch), db))
        if let last = heads.last?["number"]?.integer(in: 0...Int.max) {
            next = last + 1
            events.append(.entries(heads, last: last))
        }
        return events
    }
}
