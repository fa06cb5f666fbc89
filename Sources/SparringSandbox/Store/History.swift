import GRDB
import SparringLocks

/// Keeps what the rows of sandboxes were before they were changed, so that a sandbox can be seen as it was at any entry that its journal still has.
final class History: Sendable {
    private struct Followed {
        /// Of the table: the sandbox's, as in the journal.
        let places: Range<Int64>
        /// Of what is recorded next.
        var next: Int64
        /// Which entry of the sandbox's journal was the newest when the writer's present job began; 0: none.
        let newest: @Sendable () -> Int
    }

    private struct State {
        /// By sandbox. What is done in one that is not among them is not recorded.
        var followed: [String: Followed] = [:]
        /// Of the sandbox that was asked about last.
        var entry = 0
    }

    private let state = Mutex(State())

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
    }

    /// Has all changes recorded that this connection makes.
    func record(_ db: Database) throws {
        let place = DatabaseFunction("history_place", argumentCount: 1) { [self] values in
            String.fromDatabaseValue(values[0]).flatMap { next(of: $0) }
        }
        let entry = DatabaseFunction("history_entry", argumentCount: 0) { [self] _ in state.withLock { $0.entry } }
        for function in [place, entry] { db.add(function: function) }
        // REPLACE deletes rows, and only then do triggers hear of it (sqlite.org, ON CONFLICT clause).
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
        try HistoryTrigger.make(HistoryTable.all(db).flatMap(\.triggers) + [.clock], db)
    }

    /// From now on the sandbox's changes are recorded.
    ///
    /// - Parameter last: the last place that is taken.
    func follow(_ sandbox: String, _ places: Range<Int64>, last: Int64?, newest: @escaping @Sendable () -> Int) {
        state.withLock { $0.followed[sandbox] = Followed(places: places, next: (last ?? places.lowerBound) + 1, newest: newest) }
    }

    /// The writer's present job deletes the sandbox, or puts another in its place.
    func leave(_ sandbox: String, _ effects: CommitEffects) {
        let followed = state.withLock { $0.followed.removeValue(forKey: sandbox) }
        effects.onRollback { [self] in state.withLock { $0.followed[sandbox] = followed } }
    }

    /// Nil where nothing is recorded: the sandbox's journal has no entry yet that could be asked about.
    private func next(of sandbox: String) -> Int64? {
        // Asked outside of the lock: the journal has one of its own.
        guard let newest = state.withLock({ $0.followed[sandbox] })?.newest() else { return nil }
        return state.withLock { state in
            state.entry = newest
            guard newest > 0, let place = state.followed[sandbox]?.next else { return nil }
            state.followed[sandbox]?.next = place + 1
            return place
        }
    }

    /// Records that a fault counted a call of a lane, and whether it struck.
    static func note(fault: Int, lane: String, doesStrike: Bool, _ sandbox: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO history (place, entry, undo)
                SELECT place, history_entry(),
                  'UPDATE fault SET matched = matched - 1, hits = hits - ' || ?4 || ' WHERE number = ' || ?2 || ';'
                  || 'UPDATE fault_lane SET matched = matched - 1, hits = hits - ' || ?4 || ' WHERE fault = ' || ?2 || ' AND lane = ' || quote(?3)
                FROM (SELECT history_place(?1) AS place LIMIT 1) WHERE place IS NOT NULL
                """
        ).execute(arguments: [sandbox, fault, lane, doesStrike ? 1 : 0])
    }

    /// The last place that is taken of a sandbox's.
    static func last(_ places: Range<Int64>, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT max(place) FROM history WHERE place BETWEEN ? AND ?", arguments: [places.lowerBound, places.upperBound - 1])
    }

    /// The statements that undo what came after an entry, the latest first.
    static func undoings(_ places: Range<Int64>, after entry: Int, _ db: Database, _ body: (String) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT entry, undo FROM history WHERE place BETWEEN ? AND ? ORDER BY place DESC",
            arguments: [places.lowerBound, places.upperBound - 1])
        while let row = try rows.next(), row[0] >= entry { try body(row[1]) }
    }

    /// - Parameter entry: the oldest that is left; nil: none is.
    static func forget(_ places: Range<Int64>, before entry: Int? = nil, _ db: Database) throws {
        var end = places.upperBound
        if let entry {
            let kept = try Int64.fetchOne(
                db, sql: "SELECT place FROM history WHERE place BETWEEN ? AND ? AND entry >= ? ORDER BY place LIMIT 1",
                arguments: [places.lowerBound, places.upperBound - 1, entry])
            end = kept ?? places.upperBound
        }
        try db.execute(sql: "DELETE FROM history WHERE place >= ? AND place < ?", arguments: [places.lowerBound, end])
    }
}
