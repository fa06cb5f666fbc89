import SparringVendorKit

/// The messages of threads.
enum MessageState {
    static let tables = Tables(
        "cxone.message.1",
        """
        CREATE TABLE cxone_message (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          brand TEXT NOT NULL,
          thread TEXT NOT NULL,               -- its key
          number INTEGER NOT NULL,            -- in the thread, from 1
          key TEXT NOT NULL,                  -- the sender's id in lower case
          id TEXT NOT NULL,                   -- the server's
          sent_id TEXT NOT NULL,              -- the sender's, as it was written
          contact TEXT NOT NULL,
          author TEXT NOT NULL,               -- customer, agent or welcome
          by_whom TEXT NOT NULL,              -- the customer's id or the agent's number
          content TEXT NOT NULL,              -- JSON
          attachments TEXT NOT NULL,          -- JSON
          created_at INTEGER NOT NULL,        -- sandbox time in milliseconds
          seen_at INTEGER,                    -- by the customer
          read_at INTEGER,                    -- by an agent
          PRIMARY KEY (sandbox, brand, thread, number),
          UNIQUE (sandbox, brand, key)
        ) STRICT;
        CREATE INDEX cxone_message_id ON cxone_message (sandbox, brand, id);
        """)

    /// - Returns: its number in the thread.
    static func insert(_ message: ChatMessage, _ sandbox: String, _ db: Database) throws -> Int {
        try db.value(
            """
            INSERT INTO cxone_message (sandbox, brand, thread, number, key, id, sent_id, contact, author, by_whom, content, attachments, created_at)
            SELECT ?1, ?2, ?3, coalesce(max(number), 0) + 1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM cxone_message
            WHERE sandbox = ?1 AND brand = ?2 AND thread = ?3 RETURNING number
            """,
            [
                sandbox, message.thread.brand, message.thread.key, message.sentId.lowercased(), message.id, message.sentId, message.contact,
                message.author.rawValue, message.byWhom, message.content.text, JSON.array(message.attachments).text, message.created,
            ]) ?? 0
    }

    /// The key of the thread in which a message was sent with this id; nil where none was.
    static func thread(ofSent sentId: String, of brand: String, _ sandbox: String, _ db: Database) throws -> String? {
        try db.value("SELECT thread FROM cxone_message WHERE sandbox = ? AND brand = ? AND key = ?", [sandbox, brand, sentId.lowercased()])
    }

    /// Whether an author has said anything in a thread.
    static func has(_ author: ChatMessage.Author, in thread: ChatThread, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.value(
            "SELECT 1 FROM cxone_message WHERE sandbox = ? AND brand = ? AND thread = ? AND author = ? LIMIT 1",
            [sandbox, thread.brand, thread.key, author.rawValue], as: Int.self) != nil
    }

    /// How many messages of a contact the customer has not seen, and how many of the customer's no agent has read.
    static func unseen(in contact: ChatContact, _ sandbox: String, _ db: Database) throws -> (byCustomer: Int, byAgents: Int) {
        let row = try db.row(
            """
            SELECT count(*) FILTER (WHERE author <> 'customer' AND seen_at IS NULL) AS by_customer,
              count(*) FILTER (WHERE author = 'customer' AND read_at IS NULL) AS by_agents
            FROM cxone_message WHERE sandbox = ? AND brand = ? AND thread = ? AND contact = ?
            """, [sandbox, contact.brand, contact.thread.key, contact.id])
        guard let row else { return (0, 0) }
        return (row["by_customer"], row["by_agents"])
    }

    /// The message with the server's id.
    static func message(_ id: String, of brand: String, _ sandbox: String, _ db: Database) throws -> ChatMessage? {
        guard
            let key = try db.value(
                "SELECT thread FROM cxone_message WHERE sandbox = ? AND brand = ? AND id = ?", [sandbox, brand, id], as: String.self),
            let thread = try ThreadState.thread(key, of: brand, sandbox, db)
        else { return nil }
        return try messages(of: thread, sandbox, db).first { $0.id == id }
    }

    /// - Parameters:
    ///   - before: only those with a smaller number.
    ///   - contact: only those that were said in it.
    ///   - limit: only this many, the newest.
    /// - Returns: the newest first.
    static func messages(
        of thread: ChatThread, before: Int = .max, contact: String? = nil, limit: Int = -1, _ sandbox: String, _ db: Database
    ) throws -> [ChatMessage] {
        try db.rows(
            """
            SELECT * FROM cxone_message WHERE sandbox = ?1 AND brand = ?2 AND thread = ?3 AND number < ?4 AND (?5 IS NULL OR contact = ?5)
            ORDER BY number DESC LIMIT ?6
            """, [sandbox, thread.brand, thread.key, before, contact, limit]
        ).map { row in
            ChatMessage(
                thread: thread, number: row["number"], id: row["id"], sentId: row["sent_id"], contact: row["contact"],
                author: ChatMessage.Author(rawValue: row["author"]) ?? .customer, byWhom: row["by_whom"],
                content: try JSON(parsing: row["content"] as String),
                attachments: try JSON(parsing: row["attachments"] as String).array ?? [], created: row["created_at"], seen: row["seen_at"],
                read: row["read_at"])
        }
    }

    /// The customer has seen, or an agent has read, all that the other side said.
    ///
    /// - Returns: the numbers of those that were not before.
    static func mark(_ what: Mark, in thread: ChatThread, at now: Timestamp, _ sandbox: String, _ db: Database) throws -> [Int] {
        let (column, authors) = what == .seen ? ("seen_at", "author <> 'customer'") : ("read_at", "author = 'customer'")
        return try db.values(
            """
            UPDATE cxone_message SET \(column) = ? WHERE sandbox = ? AND brand = ? AND thread = ? AND \(authors) AND \(column) IS NULL
            RETURNING number
            """, [now, sandbox, thread.brand, thread.key], as: Int.self
        ).sorted()
    }

    enum Mark {
        case seen, read
    }
}
