import GRDB
import SparringLocks

/// Keeps what the rows of sandboxes were before they were changed, so that a sandbox can be seen as it was at any entry that its journal still has.
final class History: Sendable {
    /// By sandbox, which entry of its journal was the newest when the writer's present job began; 0: none. What is done in a sandbox that is not among them is not
    /// recorded.
    private let entries = Mutex<[String: @Sendable () -> Int]>([:])

    static func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("engine.history.1") { db in
            try db.execute(
                sql: """
                    -- How each change of a row is undone, in order. There is no foreign key: who deletes a sandbox deletes these.
                    CREATE TABLE history (
                      number INTEGER PRIMARY KEY,
                      sandbox TEXT NOT NULL,
                      entry INTEGER NOT NULL,             -- the sandbox's newest entry when the job began that made the change
                      undo TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX history_of_sandbox ON history (sandbox, entry);
                    """)
        }
    }

    /// Has all changes recorded that this connection makes.
    func record(_ db: Database) throws {
        db.add(
            function: DatabaseFunction("sparring_entry", argumentCount: 1) { [self] values in
                String.fromDatabaseValue(values[0]).map { newest(of: $0) } ?? 0
            })
        // REPLACE deletes rows, and only then do triggers hear of it (sqlite.org, ON CONFLICT clause).
        try db.execute(sql: "PRAGMA recursive_triggers = ON")
        for table in try HistoryTable.all(db) { try db.execute(sql: table.triggers) }
        try db.execute(
            sql: """
                CREATE TEMP TRIGGER history_sandbox AFTER UPDATE OF clock ON main.sandbox BEGIN
                  INSERT INTO history (sandbox, entry, undo)
                  SELECT NEW.id, entry, 'UPDATE sandbox SET clock = ' || quote(OLD.clock)
                  FROM (SELECT sparring_entry(NEW.id) AS entry) WHERE entry > 0;
                END
                """)
    }

    /// From now on the sandbox's changes are recorded.
    func follow(_ sandbox: String, newest: @escaping @Sendable () -> Int) { entries.withLock { $0[sandbox] = newest } }

    /// The writer's present job deletes the sandbox, or puts another in its place.
    func leave(_ sandbox: String, _ effects: CommitEffects) {
        let newest = entries.withLock { $0.removeValue(forKey: sandbox) }
        effects.onRollback { [self] in entries.withLock { $0[sandbox] = newest } }
    }

    private func newest(of sandbox: String) -> Int { entries.withLock { $0[sandbox] }?() ?? 0 }

    /// Records that a fault counted a call of a lane, and whether it struck.
    static func note(fault: Int, lane: String, doesStrike: Bool, _ sandbox: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO history (sandbox, entry, undo)
                SELECT ?1, entry,
                  'UPDATE fault SET matched = matched - 1, hits = hits - ' || ?4 || ' WHERE sandbox = ' || quote(?1) || ' AND number = ' || ?2 || ';'
                  || 'UPDATE fault_lane SET matched = matched - 1, hits = hits - ' || ?4 || ' WHERE sandbox = ' || quote(?1) || ' AND fault = ' || ?2
                  || ' AND lane = ' || quote(?3)
                FROM (SELECT sparring_entry(?1) AS entry) WHERE entry > 0
                """
        ).execute(arguments: [sandbox, fault, lane, doesStrike ? 1 : 0])
    }

    /// - Parameter entry: the oldest that is left.
    static func forget(_ sandbox: String, before entry: Int? = nil, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM history WHERE sandbox = ? AND entry < ?").execute(arguments: [sandbox, entry ?? Int.max])
    }
}
