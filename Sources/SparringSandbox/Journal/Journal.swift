import Foundation
package import GRDB
import SparringJSON
package import SparringJournal
import SparringLocks

/// A sandbox's timeline in the store: appended to inside the savepoint of what it tells of, bounded, and waited on.
package final class Journal: Sendable {
    /// What a reader wants of the timeline.
    package struct Query: Sendable {
        /// The first number wanted.
        package var since = 0
        var operation: String?
        var kind: String?
        var lane: String?
        package var limit = 1000
        /// The newest that match, in place of the first.
        package var isTail = false

        package init(
            since: Int = 0, operation: String? = nil, kind: String? = nil, lane: String? = nil, limit: Int = 1000, isTail: Bool = false
        ) {
            (self.since, self.operation, self.kind) = (since, operation, kind)
            (self.lane, self.limit, self.isTail) = (lane, limit, isTail)
        }
    }

    /// What the writer counts; it goes back with a job that is rolled back.
    private struct Counts {
        /// Nil until it has been read from the database.
        var next: Int?
        /// Of all entries; nil until it has been read from the database.
        var bytes: Int?
        var sincePruning = 0
        var isClosed = false
        /// The job that has changed these last.
        var job: Int?
        /// ``next`` when that job began.
        var begun: Int?
    }

    let sandbox: String
    /// The sandbox's range of the table.
    let places: Range<Int64>
    private let limits: JournalLimits
    private let effects: CommitEffects?
    private let counts = Mutex(Counts())
    /// Those who wait for something to be committed.
    package let waits = JournalWaits()

    /// Positions that a sandbox may have, and numbers that an entry may.
    package static let positions: Range<Int64> = 0..<1 << 22
    static let numbers: Range<Int64> = 0..<1 << 40

    /// - Parameters:
    ///   - position: the sandbox's, one of ``positions`` that no other has.
    ///   - effects: the writer's; nil for one that is only read.
    package init(sandbox: String, position: Int64, limits: JournalLimits = JournalLimits(), effects: CommitEffects? = nil) {
        self.sandbox = sandbox
        places = position << 40..<(position + 1) << 40
        self.limits = limits
        self.effects = effects
    }

    /// To be called by the writer before it changes the counts.
    private func touch() {
        guard let job = effects?.job else { return }
        let before = counts.withLock { counts -> Counts? in
            guard counts.job != job else { return nil }
            let before = counts
            counts.job = job
            counts.begun = counts.next
            return before
        }
        if let before { effects?.onRollback { [self] in counts.withLock { $0 = before } } }
    }

    /// The newest entry when the writer's present job began, or outside of one, the newest; 0: none, or nothing has been read yet.
    var newestBeforeJob: Int {
        let job = effects?.job
        return counts.withLock { ((job != nil && $0.job == job ? $0.begun : $0.next) ?? 1) - 1 }
    }

    /// Asked first in each transaction that writes rows of the sandbox: without their owner SQLite would refuse them, in words that help nobody.
    ///
    /// - Throws: ``SandboxGone`` where the sandbox was deleted or reset since what writes was taken up.
    package func requireSandbox() throws {
        guard !counts.withLock({ $0.isClosed }) else { throw SandboxGone(sandbox: sandbox) }
    }

    /// The number of the next entry. Only on the writer, which appends one at a time.
    ///
    /// - Throws: ``SandboxGone``, as ``requireSandbox()`` does.
    package func next(_ db: Database) throws -> Int {
        try requireSandbox()
        if let next = counts.withLock({ $0.next }) { return next }
        let next = max(try newest(db) ?? 0, try losses(db).floor) + 1
        touch()
        counts.withLock { counts in
            counts.next = next
            counts.begun = counts.begun ?? next
        }
        return next
    }

    /// Writes an entry, giving it the next number.
    ///
    /// - Throws: ``SandboxGone``, as ``requireSandbox()`` does.
    package func append(_ entry: JournalEntry, _ db: Database) throws {
        var entry = entry
        entry.number = try next(db)
        let held = try bytes(db)
        touch()
        let record = entry.bytes
        let statement = try db.cachedStatement(
            sql: "INSERT INTO journal (place, sandbox, kind, operation, lane, ordinal, record) VALUES (?, ?, ?, ?, ?, ?, ?)")
        try statement.execute(arguments: [
            place(entry.number), sandbox, entry.kind.rawValue, entry.operation, entry.lane, entry.ordinal, Data(record),
        ])
        let mustPrune = counts.withLock { counts in
            counts.next = entry.number + 1
            counts.bytes = held + record.count
            counts.sincePruning += 1
            return counts.sincePruning >= max(1, min(1000, limits.entries / 10))
        }
        if mustPrune { try prune(db, upTo: entry.number - limits.entries) }
        if held + record.count > limits.bytes { try pruneBytes(db, below: entry.number) }
    }

    /// Of all entries. Only on the writer.
    private func bytes(_ db: Database) throws -> Int {
        if let bytes = counts.withLock({ $0.bytes }) { return bytes }
        let bytes = try Int.fetchOne(
            db, sql: "SELECT sum(length(record)) FROM journal WHERE place BETWEEN ? AND ?",
            arguments: [places.lowerBound, places.upperBound - 1])
        touch()
        counts.withLock { $0.bytes = bytes ?? 0 }
        return bytes ?? 0
    }

    /// Tells those who wait that something was committed.
    package func committed() { waits.wake() }

    /// The stored texts of the entries that match, oldest first: as many as the query wants and as fit in so many bytes, but one at the least.
    package func read(_ query: Query, atMost bytes: Int = .max, _ db: Database) throws -> [[UInt8]] {
        let (condition, arguments) = try condition(query, db)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT record FROM journal WHERE \(condition) ORDER BY place \(query.isTail ? "DESC" : "ASC") LIMIT ?",
            arguments: arguments + [query.limit])
        var (found, size): ([[UInt8]], Int) = ([], 0)
        while let row = try rows.next() {
            let record = [UInt8](row[0] as DatabaseValue)
            size += record.count
            if size > bytes, !found.isEmpty { break }
            found.append(record)
        }
        return query.isTail ? found.reversed() : found
    }

    /// All of it, oldest first, one at a time.
    package func forEach(_ db: Database, _ body: ([UInt8]) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT record FROM journal WHERE place BETWEEN ? AND ? ORDER BY place",
            arguments: [places.lowerBound, places.upperBound - 1])
        while let row = try rows.next() { try row.withUnsafeData(atIndex: 0) { try body($0?.withUnsafeBytes { Array($0) } ?? []) } }
    }

    /// One entry's stored text; nil where there is none of that number any more.
    package func record(_ number: Int, _ db: Database) throws -> [UInt8]? {
        let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT record FROM journal WHERE place = ?"), arguments: [place(number)])
        return row.map { [UInt8]($0[0] as DatabaseValue) }
    }

    /// The newest few entries of any kind, oldest first.
    package func latest(_ count: Int, since: Int, _ db: Database) throws -> [[UInt8]] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT record FROM journal WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT ?",
            arguments: [place(since), places.upperBound - 1, count])
        return rows.reversed().map { row in [UInt8](row[0] as DatabaseValue) }
    }

    /// The number of the newest entry; nil where there is none.
    package func newest(_ db: Database) throws -> Int? {
        let last = try Int64.fetchOne(
            db, sql: "SELECT max(place) FROM journal WHERE place BETWEEN ? AND ?", arguments: [places.lowerBound, places.upperBound - 1])
        return last.map { Int($0 - places.lowerBound) }
    }

    /// How many entries match, whatever the query's limit.
    package func count(_ query: Query, _ db: Database) throws -> Int {
        let (condition, arguments) = try condition(query, db)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM journal WHERE \(condition)", arguments: arguments) ?? 0
    }

    private func condition(_ query: Query, _ db: Database) throws -> (sql: String, arguments: StatementArguments) {
        var sql = "place BETWEEN ? AND ?"
        var arguments: StatementArguments = [place(query.since), places.upperBound - 1]
        for (column, value) in [("operation", query.operation), ("kind", query.kind)] {
            guard let value else { continue }
            sql += " AND \(column) = ?"
            arguments += [value]
        }
        if let lane = query.lane {
            let of = try self.condition(lane: lane, db)
            sql += " AND \(of.sql)"
            arguments += of.arguments
        }
        return (sql, arguments)
    }

    /// Entries of the lane, and entries under other names that the same person held at that point.
    private func condition(lane: String, _ db: Database) throws -> (sql: String, arguments: StatementArguments) {
        let isKnown = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM alias WHERE sandbox = ? AND (name = ? OR actor = ?))", arguments: [sandbox, lane, lane])
        guard isKnown == true else { return ("lane = ?", [lane]) }
        let held = "a.sandbox = ? AND a.name = journal.lane AND journal.place - ? BETWEEN a.since AND ifnull(a.until, 1 << 40)"
        let sql = """
            (lane = ? AND NOT EXISTS (SELECT 1 FROM alias a WHERE \(held) AND a.actor <> ?)
              OR EXISTS (SELECT 1 FROM alias a WHERE \(held) AND a.actor = ?))
            """
        return (sql, [lane, sandbox, places.lowerBound, lane, sandbox, places.lowerBound, lane])
    }

    /// What has left the journal: the highest number, and how many entries the limit has cost.
    package func losses(_ db: Database) throws -> (floor: Int, pruned: Int) {
        let row = try Row.fetchOne(db, sql: "SELECT journal_floor, pruned FROM sandbox WHERE id = ?", arguments: [sandbox])
        return (row?[0] ?? 0, row?[1] ?? 0)
    }

    /// Empties the journal; numbering goes on.
    package func clear(_ db: Database) throws { try remove(db, upTo: try next(db) - 1) }

    private func prune(_ db: Database, upTo number: Int) throws {
        counts.withLock { $0.sincePruning = 0 }
        guard number > 0 else { return }
        let removed = try remove(db, upTo: number)
        try db.execute(sql: "UPDATE sandbox SET pruned = pruned + ? WHERE id = ?", arguments: [removed, sandbox])
    }

    /// Lets go of the oldest until a tenth of the room is free, but never of the newest entry.
    private func pruneBytes(_ db: Database, below newest: Int) throws {
        var excess = try bytes(db) - limits.bytes / 10 * 9
        var last: Int64?
        let rows = try Row.fetchCursor(
            db, sql: "SELECT place, length(record) FROM journal WHERE place BETWEEN ? AND ? ORDER BY place",
            arguments: [places.lowerBound, place(newest - 1)])
        while excess > 0, let row = try rows.next() {
            last = row[0]
            excess -= row[1]
        }
        if let last { try prune(db, upTo: Int(last - places.lowerBound)) }
    }

    @discardableResult
    private func remove(_ db: Database, upTo number: Int) throws -> Int {
        let arguments: StatementArguments = ["first": places.lowerBound, "last": place(number)]
        try db.execute(
            sql: """
                INSERT INTO lane (sandbox, name, ordinal)
                SELECT sandbox, lane, max(ordinal) FROM journal
                WHERE place BETWEEN :first AND :last AND ordinal IS NOT NULL AND lane IS NOT NULL GROUP BY lane
                ON CONFLICT DO UPDATE SET ordinal = max(ordinal, excluded.ordinal)
                """, arguments: arguments)
        let held = try bytes(db)
        let size = try Int.fetchOne(
            db, sql: "SELECT sum(length(record)) FROM journal WHERE place BETWEEN :first AND :last", arguments: arguments)
        try db.execute(sql: "DELETE FROM journal WHERE place BETWEEN :first AND :last", arguments: arguments)
        let removed = db.changesCount
        try History.forget(places, before: number, db)
        try db.execute(sql: "UPDATE sandbox SET journal_floor = max(journal_floor, ?) WHERE id = ?", arguments: [number, sandbox])
        touch()
        counts.withLock { $0.bytes = held - (size ?? 0) }
        return removed
    }

    private func place(_ number: Int) -> Int64 { places.lowerBound + Int64(min(max(number, 0), places.count - 1)) }

    /// Removes everything and takes nothing more: the sandbox is being deleted, or replaced by its reset self. ``Sandbox/end(_:)`` ends the
    /// waits, once the new state is in place, so that they give the right reason.
    func close(_ db: Database) throws {
        touch()
        counts.withLock { $0.isClosed = true }
        try db.execute(sql: "DELETE FROM journal WHERE place BETWEEN ? AND ?", arguments: [places.lowerBound, places.upperBound - 1])
    }

    /// The latest ordinal of each lane that is still in the journal.
    func ordinals(_ db: Database) throws -> [Row] {
        try Row.fetchAll(
            db,
            sql:
                "SELECT lane, max(ordinal) FROM journal WHERE place BETWEEN ? AND ? AND ordinal IS NOT NULL AND lane IS NOT NULL GROUP BY lane",
            arguments: [places.lowerBound, places.upperBound - 1])
    }
}

extension Array where Element == UInt8 {
    fileprivate init(_ value: DatabaseValue) {
        self = Data.fromDatabaseValue(value).map { Array($0) } ?? []
    }
}
