import SparringVendorKit

/// The public API's records: conversations, and calls that came with an idempotency key.
enum DigitalState {
    static let tables = Tables(
        "talkdesk.digital.1",
        """
        CREATE TABLE talkdesk_conversation (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          id TEXT NOT NULL,
          touchpoint TEXT NOT NULL,
          created_at INTEGER NOT NULL,        -- sandbox time in milliseconds
          PRIMARY KEY (sandbox, account, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE talkdesk_idempotency (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          key TEXT NOT NULL,
          request TEXT NOT NULL,              -- path and body
          answer TEXT NOT NULL,               -- its name in the contract
          body TEXT NOT NULL,                 -- JSON
          PRIMARY KEY (sandbox, account, key)
        ) STRICT, WITHOUT ROWID;
        """)

    static func insert(
        conversation id: String, touchpoint: String, of account: String, at now: Timestamp, _ sandbox: String, _ db: Database
    ) throws {
        try db.run(
            "INSERT INTO talkdesk_conversation (sandbox, account, id, touchpoint, created_at) VALUES (?, ?, ?, ?, ?)",
            [sandbox, account, id, touchpoint, now])
    }

    static func hasConversation(_ id: String, of account: String, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.value("SELECT 1 FROM talkdesk_conversation WHERE sandbox = ? AND account = ? AND id = ?", [sandbox, account, id]) ?? false
    }

    /// A call that came with an idempotency key, and how it was answered.
    struct Kept: Sendable {
        var request: String
        var answer: String
        var body: JSON
    }

    static func kept(_ key: String, of account: String, _ sandbox: String, _ db: Database) throws -> Kept? {
        try db.row("SELECT * FROM talkdesk_idempotency WHERE sandbox = ? AND account = ? AND key = ?", [sandbox, account, key]).map { row in
            Kept(request: row["request"], answer: row["answer"], body: try JSON(parsing: row["body"] as String))
        }
    }

    static func keep(_ kept: Kept, _ key: String, of account: String, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT INTO talkdesk_idempotency (sandbox, account, key, request, answer, body) VALUES (?, ?, ?, ?, ?, ?)",
            [sandbox, account, key, kept.request, kept.answer, kept.body.text])
    }
}
