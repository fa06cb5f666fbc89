import SparringVendorKit

/// Proactive messages that were pushed and stand in no conversation yet. The next one that their consumer opens begins with them ("the proactive message is
/// shown when the window opens", SDK flows, Consumer taps a push notification 3); that they wait for `lookBackPeriod` is assumed.
enum ProactiveState {
    /// How long a message waits that says nothing of its own life time (assumed).
    static let lifetime = Duration.seconds(24 * 3600)

    static let tables = Tables(
        "liveperson.proactive.1",
        """
        CREATE TABLE liveperson_proactive (
          number INTEGER PRIMARY KEY,
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          consumer TEXT NOT NULL,
          sender TEXT NOT NULL,
          text TEXT NOT NULL,
          until INTEGER NOT NULL              -- sandbox time in milliseconds
        ) STRICT;
        CREATE INDEX liveperson_proactive_of_consumer ON liveperson_proactive (sandbox, consumer);
        """)

    struct Message: Sendable {
        /// The UUID of whom it is from.
        var sender: String
        var text: String
    }

    static func keep(_ message: Message, for consumer: String, until: Timestamp, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT INTO liveperson_proactive (sandbox, consumer, sender, text, until) VALUES (?, ?, ?, ?, ?)",
            [sandbox, consumer, message.sender, message.text, until])
    }

    /// Those whose time is not over, the earliest first; none of them waits any more.
    static func take(for consumer: String, at now: Timestamp, _ sandbox: String, _ db: Database) throws -> [Message] {
        let rows = try db.rows(
            "SELECT sender, text, until FROM liveperson_proactive WHERE sandbox = ? AND consumer = ? ORDER BY number", [sandbox, consumer])
        if rows.isEmpty { return [] }
        try db.run("DELETE FROM liveperson_proactive WHERE sandbox = ? AND consumer = ?", [sandbox, consumer])
        return rows.filter { $0["until"] as Timestamp >= now }.map { Message(sender: $0["sender"], text: $0["text"]) }
    }
}
