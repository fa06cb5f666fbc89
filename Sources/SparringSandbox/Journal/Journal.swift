import Foundation
package import GRDB
package import SparringJournal
import SparringJSON
import SparringLocks

/// A sandbox's timeline in the store: appended to inside the savepoint of what it tells of, bounded, and waited on.
package final class Journal: Sendable {
    /// The writer's counts.
    struct Counts {
        /// Nil until it has been read from the database.
        var next: Int?
        /// The size of all entries; nil until it has been read from the database.
        var bytes: Int?
        var sincePruning = 0
        /// No entry is older; nil until it has been read from the database.
        var oldest: Int?
        var isClosed = false
    }

    /// The counts, and what they were.
    struct Counting {
        var now = Counts()
        /// When the job and the transaction began that have changed them last.
        var atJob = Counts()
        var atTransaction = Counts()
        var moment: CommitEffects.Moment?
        /// The entry about calls that could not be written; it is written before any other.
        var owed: JournalEntry?
    }

    let sandbox: String
    /// The sandbox's range of the table.
    let places: Range<Int64>
    private let limits: JournalLimits
    private let effects: CommitEffects?
    private let statements: WriterStatements?
    private let history: History?
    private let unrecorded: UnrecordedCalls?
    let counts = Mutex(Counting())
    /// Those who wait for something to be committed.
    package let waits = JournalWaits()

    /// Positions that a sandbox may have, and numbers that an entry may.
    package static let positions: Range<Int64> = 0..<1 << 22
    static let numbers: Range<Int64> = 0..<1 << 40
    /// How much is let go of at a time: everybody waits for it.
    private static let pruned = (entries: 100, bytes: 1 << 20)
    /// The most entries that are let go of at a time where a lowered limit has left many over.
    private static let mostPruned = 500

    /// - Parameters:
    ///   - position: the sandbox's, one of ``positions`` that no other has.
    ///   - effects: the writer's, as its statements; nil for one that is only read.
    ///   - history: what is kept of the past, which counts as part of the journal.
    ///   - unrecorded: what could not be written.
    init(
        sandbox: String, position: Int64, limits: JournalLimits, effects: CommitEffects?, statements: WriterStatements?, history: History?,
        unrecorded: UnrecordedCalls?
    ) {
        self.sandbox = sandbox
        places = position << 40..<(position + 1) << 40
        self.limits = limits
        self.effects = effects
        self.statements = statements
        self.history = history
        self.unrecorded = unrecorded
    }

    /// One that is only read.
    package convenience init(sandbox: String, position: Int64) {
        self.init(
            sandbox: sandbox, position: position, limits: JournalLimits(), effects: nil, statements: nil, history: nil, unrecorded: nil)
    }

    /// To be called by the writer before it changes the counts.
    private func touch() {
        guard let effects, let moment = effects.moment else { return }
        let (isFirst, isFirstOfTransaction) = counts.withLock { counts in
            if counts.moment == moment { return (false, false) }
            let isFirstOfTransaction = counts.moment?.transaction != moment.transaction
            counts.atJob = counts.now
            if isFirstOfTransaction { counts.atTransaction = counts.now }
            counts.moment = moment
            return (true, isFirstOfTransaction)
        }
        if isFirst { effects.touch(self, isFirstOfTransaction: isFirstOfTransaction) }
    }

    /// The newest entry when the writer's present job began, or outside of one, the newest; 0: none, or nothing has been read yet.
    package var newestBeforeJob: Int {
        let moment = effects?.moment
        return counts.withLock { ((moment != nil && $0.moment == moment ? $0.atJob.next : $0.now.next) ?? 1) - 1 }
    }

    /// Asked first in each transaction that writes rows of the sandbox: without their owner SQLite would refuse them, in words that help nobody.
    ///
    /// - Throws: ``SandboxGone`` where the sandbox was deleted or reset since what writes was taken up.
    package func requireSandbox() throws {
        if isClosed { throw SandboxGone(sandbox: sandbox) }
    }

    var isClosed: Bool { counts.withLock { $0.now.isClosed } }

    /// The number of the next entry. Only on the writer, which appends one at a time.
    ///
    /// - Throws: ``SandboxGone``, as ``requireSandbox()`` does.
    package func next(_ db: Database) throws -> Int {
        try requireSandbox()
        let (known, isOwing) = counts.withLock { ($0.now.next, $0.owed != nil) }
        if isOwing {
            try writeOwed(db)
            return try next(db)
        }
        if let known { return known }
        let next = max(try newest(db) ?? 0, try losses(db).floor) + 1
        touch()
        counts.withLock { counts in
            // It was the next one before, too: nothing has been appended since.
            (counts.now.next, counts.atJob.next, counts.atTransaction.next) = (next, next, next)
        }
        return next
    }

    /// Puts an entry before the next one, about calls that could not be written.
    ///
    /// - Parameter entry: without its cause.
    func owe(_ entry: JournalEntry) { counts.withLock { $0.owed = entry } }

    /// Something could not be written, and the journal does not say so yet.
    var isOwing: Bool { counts.withLock { $0.owed != nil } }

    private func writeOwed(_ db: Database) throws {
        guard let unrecorded, var entry = counts.withLock({ $0.owed.take() }), let missing = unrecorded.of(sandbox) else { return }
        let owed = entry
        effects?.onRollback { [self] in counts.withLock { $0.owed = $0.owed ?? owed } }
        entry.cause = Cause(missing.words, code: Cause.unrecorded)
        entry.details = ["unrecorded": missing.json]
        try append(entry, db)
        effects?.afterCommit { [sandbox] in unrecorded.settle(sandbox, missing) }
    }

    /// Writes an entry, giving it the next number.
    ///
    /// - Throws: ``SandboxGone``, as ``requireSandbox()`` does.
    package func append(_ entry: JournalEntry, _ db: Database) throws {
        let number = try next(db)
        let held = try bytes(db)
        touch()
        guard let statements else { preconditionFailure("a journal that is only read") }
        let count = try statements.append(entry, numbered: number, at: place(number), of: sandbox, db)
        let mustPrune = counts.withLock { counts in
            counts.now.next = number + 1
            counts.now.bytes = held + count
            counts.now.sincePruning += 1
            return counts.now.sincePruning >= max(1, min(Self.pruned.entries, limits.entries / 10))
        }
        if mustPrune { try prune(db, upTo: number - limits.entries) }
        try trimHistory(db, beside: held + count)
        if held + count > limits.bytes { try pruneBytes(db, below: number) }
    }

    /// Keeps the history within the room that the entries leave.
    private func trimHistory(_ db: Database, beside entries: Int) throws {
        guard let history else { return }
        let excess = entries + (try history.bytes(of: sandbox, db)) - limits.bytes
        if excess > 0 { try history.trim(sandbox, places, by: excess + limits.bytes / 64, effects, db) }
    }

    /// Lets go of a piece of the oldest: of what is kept of the past, then of the entries. What is less than a piece goes with the rest, or stays
    /// where that fails.
    ///
    /// - Returns: whether there was as much as a piece.
    func shed(_ db: Database) throws -> Bool {
        if isClosed { return false }
        if try history?.trim(sandbox, places, by: .max, isWhole: true, effects, db) == true { return true }
        guard let piece = try piece(in: places.lowerBound...places.upperBound - 1, db), piece.isWhole else { return false }
        try remove(db, upTo: Int(piece.last - places.lowerBound))
        return true
    }

    /// The place of the last entry of a piece, which begins a range; nil where there is none.
    func piece(in range: ClosedRange<Int64>, _ db: Database) throws -> (last: Int64, isWhole: Bool)? {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT place, length(record) FROM journal WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?",
            arguments: [range.lowerBound, range.upperBound, History.piece.rows])
        var (last, count, size): (Int64?, Int, Int) = (nil, 0, 0)
        while size < History.piece.bytes, let row = try rows.next() {
            last = row[0]
            count += 1
            size += row[1]
        }
        return last.map { ($0, count == History.piece.rows || size >= History.piece.bytes) }
    }

    /// The size of all entries. Only on the writer.
    private func bytes(_ db: Database) throws -> Int {
        if let bytes = counts.withLock({ $0.now.bytes }) { return bytes }
        let bytes = try size(db)
        touch()
        count(bytes)
        return bytes
    }

    /// The number below which there is no entry. To be asked on the writer.
    private func oldest(_ db: Database) throws -> Int {
        if let oldest = counts.withLock({ $0.now.oldest }) { return oldest }
        let range: Bindings = [places.lowerBound, places.upperBound - 1]
        let first: Int64? = try db.value("SELECT min(place) FROM journal WHERE place BETWEEN ? AND ?", range)
        let oldest = first.map { Int($0 - places.lowerBound) } ?? 1
        touch()
        counts.withLock { $0.now.oldest = oldest }
        return oldest
    }

    /// The size of all entries is known.
    func count(_ bytes: Int) { counts.withLock { $0.now.bytes = bytes } }

    /// Tells those who wait that something was committed.
    package func committed() { waits.wake() }

    /// Empties the journal; numbering goes on.
    package func clear(_ db: Database) throws { try remove(db, upTo: try next(db) - 1) }

    private func prune(_ db: Database, upTo number: Int) throws {
        let last = min(number, try oldest(db) + Self.mostPruned - 1)
        // Otherwise the next entry goes on with it.
        if last == number { counts.withLock { $0.now.sincePruning = 0 } }
        guard last > 0 else { return }
        let removed = try remove(db, upTo: last)
        try db.run("UPDATE sandbox SET pruned = pruned + ? WHERE id = ?", [removed, sandbox])
    }

    /// Lets go of the oldest until some of the room is free, but never of the newest entry.
    private func pruneBytes(_ db: Database, below newest: Int) throws {
        var excess = try bytes(db) - limits.bytes + min(Self.pruned.bytes, limits.bytes / 10)
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
        let range: Bindings = [places.lowerBound, place(number)]
        let held = try bytes(db)
        var (size, ordinals): (Int, [String: Int]) = (0, [:])
        try db.each("SELECT length(record), lane, ordinal FROM journal WHERE place BETWEEN ? AND ?", range) { entry in
            size += entry[0]
            if let lane: String = entry[1], let ordinal: Int = entry[2] { ordinals[lane] = max(ordinals[lane] ?? 0, ordinal) }
        }
        for (lane, ordinal) in ordinals {
            try db.run(
                """
                INSERT INTO lane (sandbox, name, ordinal) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET ordinal = max(ordinal, excluded.ordinal)
                """, [sandbox, lane, ordinal])
        }
        let removed = try db.run("DELETE FROM journal WHERE place BETWEEN ? AND ?", range)
        try history?.forget(sandbox, places, before: number, db)
        try db.run("UPDATE sandbox SET journal_floor = max(journal_floor, ?) WHERE id = ?", [number, sandbox])
        touch()
        counts.withLock { counts in
            counts.now.bytes = held - size
            counts.now.oldest = number + 1
        }
        return removed
    }

    func place(_ number: Int) -> Int64 { places.lowerBound + Int64(min(max(number, 0), places.count - 1)) }

    /// Removes everything and takes nothing more: the sandbox is being deleted, or replaced by its reset self. ``Sandbox/end(_:)`` ends the
    /// waits, once the new state is in place, so that they give the right reason.
    func close(_ db: Database) throws {
        touch()
        counts.withLock { $0.now.isClosed = true }
        effects?.afterCommit { [self] in unrecorded?.settle(sandbox, nil) }
        try drop(db)
    }
}

extension Journal: Rewindable {
    func rewindJob() { counts.withLock { $0.now = $0.atJob } }
    func rewindTransaction() { counts.withLock { $0.now = $0.atTransaction } }
}

extension Range<Int64> {
    /// For `BETWEEN ? AND ?`.
    var ends: StatementArguments { [lowerBound, upperBound - 1] }
}
