import SparringVendorKit

/// The messages of conversations.
enum MessengerMessageState {
    static let tables = Tables(
        "khoros.message.1",
        """
        CREATE TABLE khoros_message (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          app TEXT NOT NULL,
          conversation TEXT NOT NULL,
          number INTEGER NOT NULL,            -- in the conversation, from 1
          id TEXT NOT NULL,
          role TEXT NOT NULL,
          author TEXT NOT NULL,
          content TEXT NOT NULL,              -- JSON
          source TEXT NOT NULL,               -- JSON
          received_at INTEGER NOT NULL,       -- sandbox time in milliseconds
          PRIMARY KEY (sandbox, app, conversation, number)
        ) STRICT, WITHOUT ROWID;
        """)

    /// - Returns: its number in the conversation.
    static func insert(_ message: MessengerMessage, _ sandbox: String, _ db: Database) throws -> Int {
        try db.value(
            """
            INSERT INTO khoros_message (sandbox, app, conversation, number, id, role, author, content, source, received_at)
            SELECT ?1, ?2, ?3, coalesce(max(number), 0) + 1, ?4, ?5, ?6, ?7, ?8, ?9 FROM khoros_message
            WHERE sandbox = ?1 AND app = ?2 AND conversation = ?3 RETURNING number
            """,
            [
                sandbox, message.app, message.conversation, message.id, message.role.rawValue, message.author,
                JSON.object(message.content).text, message.source.text, message.received,
            ]) ?? 0
    }

    /// - Parameters:
    ///   - before: only those that were received earlier.
    ///   - limit: only this many, the newest.
    /// - Returns: the oldest first.
    static func messages(
        of conversation: MessengerConversation, before: Timestamp? = nil, limit: Int = -1, _ sandbox: String, _ db: Database
    ) throws -> [MessengerMessage] {
        try db.rows(
            """
            SELECT * FROM khoros_message WHERE sandbox = ?1 AND app = ?2 AND conversation = ?3 AND (?4 IS NULL OR received_at < ?4)
            ORDER BY number DESC LIMIT ?5
            """, [sandbox, conversation.app, conversation.id, before, limit]
        ).reversed().map { row in
            MessengerMessage(
                app: conversation.app, id: row["id"], conversation: conversation.id, number: row["number"],
                role: MessengerMessage.Role(rawValue: row["role"]) ?? .appUser, author: row["author"],
                content: try JSON(parsing: row["content"] as String).object ?? [:], received: row["received_at"],
                source: try JSON(parsing: row["source"] as String))
        }
    }
}
