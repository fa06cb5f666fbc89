import GRDB
import SparringEngine
import SparringJournal

/// What LivePerson keeps of consumers.
enum LivePersonState {
    static func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("liveperson.1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE liveperson_consumer (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      id TEXT NOT NULL,
                      iss TEXT,                           -- nil: anonymous
                      sub TEXT,
                      first_seen INTEGER NOT NULL,        -- sandbox time in milliseconds
                      last_seen INTEGER NOT NULL,
                      sign_ins INTEGER NOT NULL,
                      PRIMARY KEY (sandbox, id)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    }

    /// Notes a sign-in.
    ///
    /// - Returns: how many there have been, this one included.
    static func signIn(_ consumer: String, iss: String?, sub: String?, _ sandbox: String, at now: Timestamp, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO liveperson_consumer (sandbox, id, iss, sub, first_seen, last_seen, sign_ins) VALUES (?, ?, ?, ?, ?, ?, 1)
                    ON CONFLICT DO UPDATE SET last_seen = excluded.last_seen, sign_ins = sign_ins + 1 RETURNING sign_ins
                    """), arguments: [sandbox, consumer, iss, sub, now.milliseconds, now.milliseconds]) ?? 1
    }
}
