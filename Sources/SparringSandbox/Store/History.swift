import GRDB
import SparringJSON
import SparringLocks

/// Keeps what the rows of sandboxes were before they were changed, so that a sandbox can be seen as it was at any entry that its journal still has. It is
/// bounded in bytes, with the journal (``JournalLimits/bytes``): the oldest goes first.
final class History: Sendable {
    /// A sandbox whose changes are recorded.
    final class Followed: Sendable {
        private struct State {
            /// The place of what is recorded next.
            var next: Int64
            /// The size of all that is recorded; nil until it has been read from the database.
            var bytes: Int?
        }

        /// The sandbox's places in the table, as in the journal.
        let places: Range<Int64>
        /// The number of the newest entry in the sandbox's journal when the writer's present job began; 0: none.
        private let newest: @Sendable () -> Int
        private let state: Mutex<State>

        init(_ places: Range<Int64>, next: Int64, bytes: Int?, newest: @escaping @Sendable () -> Int) {
            self.places = places
            self.newest = newest
            state = Mutex(State(next: next, bytes: bytes))
        }

        /// Counts what is about to be recorded.
        ///
        /// - Returns: nil where nothing is recorded: the sandbox's journal has no entry yet that could be asked about.
        func take(_ size: Int) -> (place: Int64, entry: Int)? {
            // Asked outside of the lock: the journal has one of its own.
            let newest = newest()
            guard newest > 0 else { return nil }
            return state.withLock { state in
                defer { state.next += 1 }
                // What a rollback takes back stays counted until the next trimming counts again.
                if let bytes = state.bytes { state.bytes = bytes + size }
                return (state.next, newest)
            }
        }

        var bytes: Int? { state.withLock { $0.bytes } }

        func count(_ bytes: Int) { state.withLock { $0.bytes = bytes } }

        /// Counts bytes more or fewer, where they are counted.
        func add(_ bytes: Int) { state.withLock { state in if let before = state.bytes { state.bytes = max(0, before + bytes) } } }
    }

    /// Bytes and rows that one job of the writer lets go of at most: everybody waits for it.
    static let piece = (bytes: 1 << 20, rows: 500)

    /// The sandboxes whose changes are recorded, by id. Changes in any other are not.
    private let sandboxes = Mutex<[String: Followed]>([:])

    func followed(_ sandbox: String) -> Followed? { sandboxes.withLock { $0[sandbox] } }

    static func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("engine.history.1") { db in
            try db.execute(
                sql: """
                    -- How each change of a row is undone. One b-tree in the order of appending, by sandbox, as the journal's; who deletes a sandbox
                    -- deletes its range.
                    CREATE TABLE history (
                      place INTEGER PRIMARY KEY,
                      entry INTEGER NOT NULL,             -- the sandbox's newest entry when the job began that made the change
                      undo TEXT NOT NULL
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("engine.history.2") { db in
            // Until now an undo was a statement, which was run; what was kept in that form is let go of.
            try db.execute(
                sql: """
                    DROP TABLE history;
                    CREATE TABLE history (
                      place INTEGER PRIMARY KEY,
                      entry INTEGER NOT NULL,             -- the sandbox's newest entry when the job began that made the change
                      size INTEGER NOT NULL,              -- bytes of the undo, before it so that counting does not read it
                      undo TEXT NOT NULL                  -- see Undo.swift
                    ) STRICT;
                    -- The oldest entry at which the sandbox can be shown.
                    ALTER TABLE sandbox ADD COLUMN history_floor INTEGER NOT NULL DEFAULT 0;
                    """)
            try forgetAll(db)
        }
    }

    /// Sets the connection up to record all the changes that it makes.
    func record(_ db: Database, _ statements: WriterStatements) throws {
        try HistoryFunction.add(to: db, self, statements)
        // REPLACE deletes rows, and only then do triggers hear of it (sqlite.org, ON CONFLICT clause).
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
        try HistoryTrigger.make(HistoryTable.all(db).flatMap(\.triggers) + [.clock], db)
    }

    /// From now on the sandbox's changes are recorded.
    ///
    /// - Parameter last: the last place that is taken; nil: nothing is recorded yet.
    func follow(_ sandbox: String, _ places: Range<Int64>, last: Int64?, newest: @escaping @Sendable () -> Int) {
        let followed = Followed(places, next: (last ?? places.lowerBound) + 1, bytes: last == nil ? 0 : nil, newest: newest)
        sandboxes.withLock { $0[sandbox] = followed }
    }

    /// The writer's present job deletes the sandbox, or puts another in its place.
    func leave(_ sandbox: String, _ effects: CommitEffects) {
        let followed = sandboxes.withLock { $0.removeValue(forKey: sandbox) }
        effects.onRollback { [self] in sandboxes.withLock { $0[sandbox] = followed } }
    }

    /// Records that a fault counted a call of a lane, and whether it struck.
    func note(fault: Int, lane: String, doesStrike: Bool, _ sandbox: String, _ statements: WriterStatements, _ db: Database) throws {
        guard let followed = followed(sandbox) else { return }
        var undo = ByteBuffer()
        undo.append(text: Undo.Sign.fault)
        undo.append(Undo.separator)
        undo.append(number: Int64(fault))
        undo.append(UInt8(ascii: ","))
        UndoWriter.write(text: lane, to: &undo)
        undo.append(doesStrike ? ",1" : ",0")
        guard let (place, entry) = followed.take(undo.count) else { return }
        try statements.appendHistory(undo, at: place, entry: entry, db)
    }

    /// Records that another file has taken the place of one, whose bytes are kept for the past.
    ///
    /// - Returns: the place of the record; nil where nothing is recorded yet.
    static func note(released file: Int64, size: Int, _ sandbox: String, _ db: Database) throws -> Int64? {
        try note("\(Undo.Sign.file)\u{1F}\(file)", besides: size, sandbox, db)
    }

    /// - Parameter besides: bytes that it keeps elsewhere.
    @discardableResult
    private static func note(_ undo: String, besides: Int, _ sandbox: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT \(HistoryFunction.record)(?, ?, ?)"), arguments: [sandbox, undo, besides])
    }

    /// The last place that is taken of a sandbox's.
    static func last(_ places: Range<Int64>, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT max(place) FROM history WHERE place BETWEEN ? AND ?", arguments: places.ends)
    }

    // MARK: Undoing

    /// Changes that are undone at most, and their bytes: the answer is to come within a second.
    private static let most = (rows: 60_000, bytes: 64 << 20)

    /// The oldest entry at which the sandbox can be shown.
    static func floor(of sandbox: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT history_floor FROM sandbox WHERE id = ?", arguments: [sandbox]) ?? 0
    }

    /// Calls `body` with each undo of what came after an entry, the latest first.
    ///
    /// - Parameter isBounded: the caller does not wait for as long as it takes.
    /// - Returns: false where that is too much; `body` has been called with some of it then.
    static func undoings(
        _ places: Range<Int64>, after entry: Int, isBounded: Bool, _ db: Database, _ body: (String) throws -> Void
    ) throws -> Bool {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT entry, size, undo FROM history WHERE place BETWEEN ? AND ? ORDER BY place DESC", arguments: places.ends)
        var (count, bytes) = (0, 0)
        while let row = try rows.next(), row[0] >= entry {
            count += 1
            bytes += row[1]
            if isBounded, count > most.rows || bytes > most.bytes { return false }
            try body(row[2])
        }
        return true
    }

    // MARK: Letting go

    /// Bytes that are kept for a sandbox.
    func bytes(of sandbox: String, _ db: Database) throws -> Int {
        guard let followed = followed(sandbox) else { return 0 }
        if let bytes = followed.bytes { return bytes }
        let bytes =
            try Int.fetchOne(db, sql: "SELECT sum(size) FROM history WHERE place BETWEEN ? AND ?", arguments: followed.places.ends) ?? 0
        followed.count(bytes)
        return bytes
    }

    /// Lets go of the oldest, so many bytes or a ``piece``: the sandbox can no longer be shown as it was then.
    ///
    /// - Parameter isWhole: only a whole piece is let go of; what is less stays.
    /// - Returns: whether there was anything.
    @discardableResult
    func trim(
        _ sandbox: String, _ places: Range<Int64>, by excess: Int, isWhole: Bool = false, _ effects: CommitEffects?, _ db: Database
    ) throws -> Bool {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT place, entry, size FROM history WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?",
            arguments: places.ends + [Self.piece.rows])
        var (last, entry, size, count): (Int64?, Int, Int, Int) = (nil, 0, 0, 0)
        while size < min(excess, Self.piece.bytes), let row = try rows.next() {
            (last, entry) = (row[0], row[1])
            size += row[2]
            count += 1
        }
        if isWhole, size < Self.piece.bytes, count < Self.piece.rows { return false }
        guard let last else {
            followed(sandbox)?.count(0)
            return false
        }
        try Self.forget(places.lowerBound..<last + 1, db)
        // Of this entry some may be left, which is not enough to show it.
        try db.execute(sql: "UPDATE sandbox SET history_floor = max(history_floor, ?) WHERE id = ?", arguments: [entry + 1, sandbox])
        let (gone, followed) = (size, followed(sandbox))
        followed?.add(-gone)
        effects?.onRollback { followed?.add(gone) }
        return true
    }

    /// The journal has lost its entries before one.
    func forget(_ sandbox: String, _ places: Range<Int64>, before entry: Int, _ db: Database) throws {
        let kept = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT place FROM history WHERE place BETWEEN ? AND ? AND entry >= ? ORDER BY place LIMIT 1"),
            arguments: [places.lowerBound, places.upperBound - 1, entry])
        let gone = places.lowerBound..<(kept ?? places.upperBound)
        let size = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT sum(size) FROM history WHERE place >= ? AND place < ?"),
            arguments: [gone.lowerBound, gone.upperBound])
        try Self.forget(gone, db)
        followed(sandbox)?.add(-(size ?? 0))
    }

    static func forget(_ places: Range<Int64>, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM history WHERE place >= ? AND place < ?")
            .execute(arguments: [places.lowerBound, places.upperBound])
        try StoredFiles.forget(released: places, db)
    }

    /// A migration has changed what it tells of: no sandbox can be shown as it was before its newest entry.
    static func forgetAll(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM history;
                UPDATE sandbox SET history_floor = ifnull(
                  (SELECT max(place) - (position << 40) FROM journal WHERE place BETWEEN position << 40 AND ((position + 1) << 40) - 1), 0);
                """)
    }
}
