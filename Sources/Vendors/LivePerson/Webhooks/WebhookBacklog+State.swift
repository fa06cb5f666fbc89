import SparringVendorKit

/// The notifications that wait, as stored.
extension WebhookBacklog {
    static let tables = Tables(
        "liveperson.webhooks.1",
        """
        CREATE TABLE liveperson_webhook_backlog (
          number INTEGER PRIMARY KEY,
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          app TEXT NOT NULL,
          conversation TEXT NOT NULL,
          notification TEXT NOT NULL
        ) STRICT;
        CREATE INDEX liveperson_webhook_backlog_of_app ON liveperson_webhook_backlog (sandbox, app, conversation);
        """)

    func append(_ notification: WebhookNotification, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT INTO liveperson_webhook_backlog (sandbox, app, conversation, notification) VALUES (?, ?, ?, ?)",
            [sandbox, app, conversation, notification.json.text])
    }

    /// The one that is to go next.
    ///
    /// - Parameter since: earlier ones have waited too long.
    func first(since: Timestamp? = nil, _ sandbox: String, _ db: Database) throws -> WebhookNotification? {
        let waiting = try String.fetchCursor(
            db,
            sql: """
                SELECT notification FROM liveperson_webhook_backlog WHERE sandbox = ? AND app = ? AND conversation = ? ORDER BY number
                """, arguments: [sandbox, app, conversation])
        while let text = try waiting.next() {
            guard let notification = WebhookNotification(try JSON(parsing: text)) else { continue }
            if since.map({ notification.since >= $0 }) ?? true { return notification }
        }
        return nil
    }

    func removeFirst(_ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            DELETE FROM liveperson_webhook_backlog WHERE number = (
              SELECT min(number) FROM liveperson_webhook_backlog WHERE sandbox = ? AND app = ? AND conversation = ?)
            """, [sandbox, app, conversation])
    }

    /// Drops what has waited for longer than the retention time.
    ///
    /// - Returns: how many.
    func dropOutdated(since: Timestamp, _ sandbox: String, _ db: Database) throws -> Int {
        var dropped = 0
        while let first = try first(sandbox, db), first.since < since {
            try removeFirst(sandbox, db)
            dropped += 1
        }
        return dropped
    }

    func removeAll(_ sandbox: String, _ db: Database) throws {
        try db.run(
            "DELETE FROM liveperson_webhook_backlog WHERE sandbox = ? AND app = ? AND conversation = ?", [sandbox, app, conversation])
    }
}
