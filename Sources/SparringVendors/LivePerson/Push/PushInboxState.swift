import GRDB
import SparringJSON
import SparringJournal

/// What reached the devices.
enum PushInboxState {
    static func create(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE liveperson_push_notification (
                  sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                  device TEXT NOT NULL,
                  number INTEGER NOT NULL,            -- of the device, from 1
                  time INTEGER NOT NULL,              -- sandbox time in milliseconds
                  consumer TEXT,                      -- for whom it was, as the brand calls them
                  posted TEXT NOT NULL,               -- as it was posted for the device
                  PRIMARY KEY (sandbox, device, number)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    struct Notification: Sendable {
        var number: Int
        var time: Timestamp
        var consumer: String?
        /// As it was posted for the device (reference 8.4).
        var posted: JSON

        fileprivate init(_ row: Row) throws {
            (number, consumer) = (row["number"], row["consumer"])
            time = Timestamp(milliseconds: row["time"])
            posted = try JSON(parsing: row["posted"] as String)
        }
    }

    /// - Returns: its number.
    @discardableResult
    static func append(
        _ posted: JSON, to device: String, of consumer: String?, at time: Timestamp, _ sandbox: String, _ db: Database
    ) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO liveperson_push_notification (sandbox, device, number, time, consumer, posted)
                    SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3, ?4, ?5 FROM liveperson_push_notification WHERE sandbox = ?1 AND device = ?2
                    RETURNING number
                    """), arguments: [sandbox, device, time.milliseconds, consumer, posted.text]) ?? 0
    }

    /// From a number on, oldest first.
    static func read(_ device: String, since: Int, limit: Int, _ sandbox: String, _ db: Database) throws -> [Notification] {
        let statement = try db.cachedStatement(
            sql: "SELECT * FROM liveperson_push_notification WHERE sandbox = ? AND device = ? AND number >= ? ORDER BY number LIMIT ?")
        return try Row.fetchAll(statement, arguments: [sandbox, device, since, limit]).map { try Notification($0) }
    }

    static func count(_ device: String, _ sandbox: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM liveperson_push_notification WHERE sandbox = ? AND device = ?"),
            arguments: [sandbox, device]) ?? 0
    }
}
