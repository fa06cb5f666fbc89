import SparringVendorKit

/// Threads and their contacts.
enum ThreadState {
    static let tables = Tables(
        "cxone.thread.1",
        """
        CREATE TABLE cxone_thread (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          brand TEXT NOT NULL,
          key TEXT NOT NULL,                  -- the id in lower case
          id TEXT NOT NULL,
          channel TEXT NOT NULL,
          customer TEXT NOT NULL,
          name TEXT NOT NULL,
          is_open INTEGER NOT NULL,
          created_at INTEGER NOT NULL,        -- sandbox time in milliseconds
          updated_at INTEGER NOT NULL,
          number INTEGER NOT NULL,            -- in the order of beginning
          visitor TEXT,                       -- on whose socket it began
          PRIMARY KEY (sandbox, brand, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX cxone_thread_customer ON cxone_thread (sandbox, brand, customer);
        CREATE TABLE cxone_contact (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          brand TEXT NOT NULL,
          id TEXT NOT NULL,
          thread TEXT NOT NULL,               -- its key
          status TEXT NOT NULL,
          status_at INTEGER NOT NULL,
          created_at INTEGER NOT NULL,
          fields TEXT NOT NULL,               -- JSON: the custom fields
          assignee INTEGER,
          queue TEXT NOT NULL,
          number INTEGER NOT NULL,
          PRIMARY KEY (sandbox, brand, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX cxone_contact_thread ON cxone_contact (sandbox, brand, thread);
        """
    )
    .then("cxone.thread.2") { db in
        // New database files have it from the beginning.
        guard try !db.columns(in: "cxone_thread").contains(where: { $0.name == "visitor" }) else { return }
        try db.execute(sql: "ALTER TABLE cxone_thread ADD COLUMN visitor TEXT")
    }

    // MARK: Threads

    static func insert(_ thread: ChatThread, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO cxone_thread (sandbox, brand, key, id, channel, customer, name, is_open, created_at, updated_at, number, visitor)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, coalesce(max(number), 0) + 1, ?11 FROM cxone_thread WHERE sandbox = ?1 AND brand = ?2
            """,
            [
                sandbox, thread.brand, thread.key, thread.id, thread.channel, thread.customer, thread.name, thread.canAddMoreMessages,
                thread.created, thread.updated, thread.visitor,
            ])
    }

    static func update(_ thread: ChatThread, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "UPDATE cxone_thread SET name = ?, is_open = ?, updated_at = ? WHERE sandbox = ? AND brand = ? AND key = ?",
            [thread.name, thread.canAddMoreMessages, thread.updated, sandbox, thread.brand, thread.key])
    }

    static func thread(_ id: String, of brand: String, _ sandbox: String, _ db: Database) throws -> ChatThread? {
        try db.row("SELECT * FROM cxone_thread WHERE sandbox = ? AND brand = ? AND key = ?", [sandbox, brand, ChatThread.key(id)]).map(
            thread)
    }

    /// A customer's in a channel, the newest first.
    static func threads(
        of customer: String, _ brand: String, _ channel: String, _ sandbox: String, _ db: Database
    ) throws -> [ChatThread] {
        try db.rows(
            "SELECT * FROM cxone_thread WHERE sandbox = ? AND brand = ? AND customer = ? AND channel = ? ORDER BY number DESC",
            [sandbox, brand, customer, channel]
        ).map(thread)
    }

    private static func thread(_ row: StoredRow) -> ChatThread {
        ChatThread(
            brand: row["brand"], channel: row["channel"], id: row["id"], customer: row["customer"], visitor: row["visitor"],
            name: row["name"], canAddMoreMessages: row["is_open"], created: row["created_at"], updated: row["updated_at"])
    }

    // MARK: Contacts

    static func insert(_ contact: ChatContact, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO cxone_contact (sandbox, brand, id, thread, status, status_at, created_at, fields, assignee, queue, number)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, coalesce(max(number), 0) + 1 FROM cxone_contact WHERE sandbox = ?1 AND brand = ?2
            """,
            [
                sandbox, contact.brand, contact.id, contact.thread.key, contact.status.rawValue, contact.statusUpdated, contact.created,
                JSON.array(contact.fields).text, contact.assignee, contact.queue,
            ])
    }

    static func update(_ contact: ChatContact, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            UPDATE cxone_contact SET status = ?, status_at = ?, fields = ?, assignee = ?, queue = ?
            WHERE sandbox = ? AND brand = ? AND id = ?
            """,
            [
                contact.status.rawValue, contact.statusUpdated, JSON.array(contact.fields).text, contact.assignee, contact.queue, sandbox,
                contact.brand, contact.id,
            ])
    }

    static func contact(_ id: String, of brand: String, _ sandbox: String, _ db: Database) throws -> ChatContact? {
        try contacts("contact.id = ?", [sandbox, brand, id], db).first
    }

    /// A thread's newest.
    static func contact(of thread: ChatThread, _ sandbox: String, _ db: Database) throws -> ChatContact? {
        try contacts("contact.thread = ?", [sandbox, thread.brand, thread.key], db).last
    }

    /// All of a brand's, the oldest first.
    static func contacts(of brand: String, _ sandbox: String, _ db: Database) throws -> [ChatContact] {
        try contacts("true", [sandbox, brand], db)
    }

    /// Those that wait for an agent in a queue, in the order of coming.
    static func waiting(in queue: String, of brand: String, channel: String, _ sandbox: String, _ db: Database) throws -> [ChatContact] {
        try contacts(
            "contact.queue = ? AND thread.channel = ? AND contact.assignee IS NULL AND contact.status <> 'closed'",
            [sandbox, brand, queue, channel], db)
    }

    private static func contacts(_ condition: String, _ arguments: Bindings, _ db: Database) throws -> [ChatContact] {
        try db.rows(
            """
            SELECT contact.id AS contact_id, contact.status, contact.status_at, contact.created_at AS contact_created, contact.fields,
              contact.assignee, contact.queue, thread.*
            FROM cxone_contact AS contact JOIN cxone_thread AS thread
              ON thread.sandbox = contact.sandbox AND thread.brand = contact.brand AND thread.key = contact.thread
            WHERE contact.sandbox = ? AND contact.brand = ? AND \(condition) ORDER BY contact.number
            """, arguments
        ).map { row in
            let thread = thread(row)
            return ChatContact(
                brand: thread.brand, id: row["contact_id"], channel: thread.channel, thread: thread,
                status: ChatContact.Status(rawValue: row["status"]) ?? .new, statusUpdated: row["status_at"],
                created: row["contact_created"], fields: try JSON(parsing: row["fields"] as String).array ?? [],
                assignee: row["assignee"], queue: row["queue"])
        }
    }
}
