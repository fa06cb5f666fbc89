import SparringVendorKit

/// Frames that were too large for the socket.
enum LargeEventState {
    static let tables = Tables(
        "cxone.large_event.1",
        """
        CREATE TABLE cxone_large_event (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          brand TEXT NOT NULL,
          key TEXT NOT NULL,
          frame TEXT NOT NULL,                -- JSON
          expires_at INTEGER NOT NULL,        -- sandbox time in milliseconds
          kept_at INTEGER,                    -- the same; null: an earlier version kept it
          PRIMARY KEY (sandbox, brand, key)
        ) STRICT;
        """
    )
    .then("cxone.large_event.2") { db in
        // New database files have it from the beginning.
        guard try !db.columns(in: "cxone_large_event").contains(where: { $0.name == "kept_at" }) else { return }
        try db.execute(sql: "ALTER TABLE cxone_large_event ADD COLUMN kept_at INTEGER")
    }

    struct Event {
        var frame: JSON
        var expires: Timestamp
        /// When it was kept, in sandbox time; nil: an earlier version of Sparring kept it.
        var keptAt: Timestamp?
    }

    static func keep(_ event: Event, _ key: String, of brand: String, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT OR REPLACE INTO cxone_large_event (sandbox, brand, key, frame, expires_at, kept_at) VALUES (?, ?, ?, ?, ?, ?)",
            [sandbox, brand, key, event.frame.text, event.expires, event.keptAt])
    }

    static func event(_ key: String, of brand: String, _ sandbox: String, _ db: Database) throws -> Event? {
        guard
            let row = try db.row(
                "SELECT frame, expires_at, kept_at FROM cxone_large_event WHERE sandbox = ? AND brand = ? AND key = ?",
                [sandbox, brand, key])
        else { return nil }
        return Event(frame: try JSON(parsing: row[0] as String), expires: row[1], keptAt: row[2])
    }
}
