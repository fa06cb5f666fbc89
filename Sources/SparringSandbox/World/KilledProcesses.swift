import GRDB
import SparringJSON
import SparringJournal

/// A journal's newest entry, as an earlier process left it.
struct NewestEntry {
    let process: Int
    /// When it was recorded, by the machine's clock.
    let wall: Timestamp
    /// The sandbox's time then.
    let time: Timestamp

    /// Nil where the journal is empty.
    init?(of journal: Journal, _ db: Database) throws {
        guard let record = try journal.latest(1, since: 0, db).first, let entry = try? JSON(parsing: record),
            let arrival = entry["arrival"],
            let process = arrival["process"]?.integer(in: 1...Int64.max), let wall = arrival["wall"]?.string.flatMap({ Timestamp($0) }),
            let time = entry["sandboxTime"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        (self.process, self.wall, self.time) = (Int(process), wall, time)
    }
}

/// The processes that served this database and never stopped: they were killed, or the machine was. What they had committed last may not have been sent.
struct KilledProcesses {
    /// How long before its end a process may have decided what it did not send any more: on a loaded machine.
    private static let doubt = Duration.seconds(1)

    /// When each is known to have been alive, by the newest entry of all sandboxes.
    private let alive: [Int: Timestamp]

    /// - Parameter lastSeen: the newest entries of the sandboxes.
    init(before process: Int, lastSeen: [NewestEntry], _ db: Database) throws {
        let killed = try Set(Int.fetchAll(db, sql: "SELECT number FROM process WHERE number < ? AND stopped IS NULL", arguments: [process]))
        alive = lastSeen.reduce(into: [:]) { if killed.contains($1.process) { $0[$1.process] = max($0[$1.process] ?? $1.wall, $1.wall) } }
    }

    /// The entry for a sandbox's journal; nil where the process that served it last stopped in order.
    func entry(for sandbox: Sandbox, after newest: NewestEntry) -> JournalEntry? {
        guard let alive = alive[newest.process] else { return nil }
        let doubtful = max(.zero, Self.doubt - (alive - newest.wall))
        let words = "the server was killed: its sockets were lost, and what it sent last may not have arrived"
        var entry = sandbox.entry(.finding, cause: Cause(words, code: Cause.serverKilled))
        entry.findings = [Finding(Cause.serverKilled, words)]
        entry.details = ["killed": ["process": .integer(Int64(newest.process)), "doubtful": .integer(doubtful.milliseconds)]]
        return entry
    }
}
