import SparringVendorKit

/// The conversations of apps.
enum MessengerConversationState {
    static let tables = Tables(
        "khoros.conversation.1",
        """
        CREATE TABLE khoros_conversation (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          app TEXT NOT NULL,
          id TEXT NOT NULL,
          user TEXT NOT NULL,                 -- the vendor's id
          participant TEXT NOT NULL,
          is_default INTEGER NOT NULL,
          display TEXT NOT NULL,              -- JSON
          created_at INTEGER NOT NULL,        -- sandbox time in milliseconds, like every time here
          updated_at INTEGER NOT NULL,
          removed_at INTEGER,
          business_read_at INTEGER,
          read_at INTEGER,
          unread INTEGER NOT NULL,
          number INTEGER NOT NULL,            -- in the order of beginning
          PRIMARY KEY (sandbox, app, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX khoros_conversation_user ON khoros_conversation (sandbox, app, user);
        """)

    static func insert(_ conversation: MessengerConversation, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO khoros_conversation
              (sandbox, app, id, user, participant, is_default, display, created_at, updated_at, unread, number)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, coalesce(max(number), 0) + 1 FROM khoros_conversation
            WHERE sandbox = ?1 AND app = ?2
            """,
            [
                sandbox, conversation.app, conversation.id, conversation.user, conversation.participant, conversation.isDefault,
                JSON.object(conversation.display).text, conversation.created, conversation.updated, conversation.unread,
            ])
    }

    static func update(_ conversation: MessengerConversation, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            UPDATE khoros_conversation SET display = ?, updated_at = ?, removed_at = ?, business_read_at = ?, read_at = ?, unread = ?
            WHERE sandbox = ? AND app = ? AND id = ?
            """,
            [
                JSON.object(conversation.display).text, conversation.updated, conversation.removed, conversation.businessRead,
                conversation.read, conversation.unread, sandbox, conversation.app, conversation.id,
            ])
    }

    /// Gives a user's conversations to another one, who keeps the default one that they have.
    static func move(from user: MessengerUser, to other: MessengerUser, _ sandbox: String, _ db: Database) throws {
        let hasDefault = try conversations(of: other, sandbox, db).contains(where: \.isDefault)
        try db.run(
            """
            UPDATE khoros_conversation SET user = ?, is_default = iif(?, 0, is_default) WHERE sandbox = ? AND app = ? AND user = ?
            """, [other.id, hasDefault, sandbox, user.app, user.id])
    }

    /// Nil for one that was removed.
    static func conversation(_ id: String, of app: String, _ sandbox: String, _ db: Database) throws -> MessengerConversation? {
        try conversations("id = ? AND removed_at IS NULL", [sandbox, app, id], db).first
    }

    /// Those of a user that were not removed, the newest first.
    static func conversations(of user: MessengerUser, _ sandbox: String, _ db: Database) throws -> [MessengerConversation] {
        try conversations("user = ? AND removed_at IS NULL", [sandbox, user.app, user.id], db).sorted { $0.updated > $1.updated }
    }

    /// All of an app's, the removed ones too, the oldest first.
    static func conversations(of app: String, _ sandbox: String, _ db: Database) throws -> [MessengerConversation] {
        try conversations("true", [sandbox, app], db)
    }

    private static func conversations(
        _ condition: String, _ arguments: Bindings, _ db: Database
    ) throws -> [MessengerConversation] {
        try db.rows("SELECT * FROM khoros_conversation WHERE sandbox = ? AND app = ? AND \(condition) ORDER BY number", arguments)
            .map { row in
                MessengerConversation(
                    app: row["app"], id: row["id"], user: row["user"], participant: row["participant"], isDefault: row["is_default"],
                    display: try JSON(parsing: row["display"] as String).object ?? [:], created: row["created_at"],
                    updated: row["updated_at"],
                    removed: row["removed_at"], businessRead: row["business_read_at"], read: row["read_at"], unread: row["unread"])
            }
    }
}
