import GRDB
import SparringJSON
import SparringJournal

/// Frames that were too large for the socket.
enum LargeEventState {
    static func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("cxone.large_event.1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE cxone_large_event (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      brand TEXT NOT NULL,
                      key TEXT NOT NULL,
                      frame TEXT NOT NULL,                -- JSON
                      expires_at INTEGER NOT NULL,        -- sandbox time in milliseconds
                      PRIMARY KEY (sandbox, brand, key)
                    ) STRICT;
                    """)
        }
    }

    static func keep(_ frame: JSON, _ key: String, of brand: String, until expiry: Timestamp, _ sandbox: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO cxone_large_event (sandbox, brand, key, frame, expires_at) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [sandbox, brand, key, frame.text, expiry.milliseconds])
    }

    static func frame(
        _ key: String, of brand: String, _ sandbox: String, _ db: Database
    ) throws -> (frame: JSON, expires: Timestamp)? {
        let statement = try db.cachedStatement(
            sql: "SELECT frame, expires_at FROM cxone_large_event WHERE sandbox = ? AND brand = ? AND key = ?")
        guard let row = try Row.fetchOne(statement, arguments: [sandbox, brand, key]) else { return nil }
        return (try JSON(parsing: row[0] as String), Timestamp(milliseconds: row[1]))
    }
}
