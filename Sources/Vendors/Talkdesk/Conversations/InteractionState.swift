import SparringVendorKit

/// Interactions, and what was said in them.
enum InteractionState {
    static let tables = Tables(
        "talkdesk.interaction.1",
        """
        CREATE TABLE talkdesk_interaction (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          id TEXT NOT NULL,
          person TEXT NOT NULL,
          number INTEGER NOT NULL,            -- in the order of beginning
          app TEXT NOT NULL,
          intention TEXT NOT NULL,
          metadata TEXT,                      -- JSON
          status TEXT NOT NULL,
          reason TEXT,
          agent TEXT,
          created_at INTEGER NOT NULL,        -- sandbox time in milliseconds, like every time here
          updated_at INTEGER NOT NULL,
          ended_at INTEGER,
          PRIMARY KEY (sandbox, account, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE talkdesk_message (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          interaction TEXT NOT NULL,
          number INTEGER NOT NULL,
          id TEXT NOT NULL,
          author TEXT NOT NULL,
          name TEXT NOT NULL,
          text TEXT NOT NULL,
          created_at INTEGER NOT NULL,
          PRIMARY KEY (sandbox, account, interaction, number)
        ) STRICT, WITHOUT ROWID;
        """)

    static func insert(_ interaction: Interaction, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO talkdesk_interaction
              (sandbox, account, id, person, app, intention, metadata, status, created_at, updated_at, number)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, coalesce(max(number), 0) + 1 FROM talkdesk_interaction
            WHERE sandbox = ?1 AND account = ?2
            """,
            [
                sandbox, interaction.account, interaction.id, interaction.person, interaction.app, interaction.intention,
                interaction.metadata?.text, interaction.status.rawValue, interaction.created, interaction.updated,
            ])
    }

    static func update(_ interaction: Interaction, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            UPDATE talkdesk_interaction SET status = ?, reason = ?, agent = ?, updated_at = ?, ended_at = ?
            WHERE sandbox = ? AND account = ? AND id = ?
            """,
            [
                interaction.status.rawValue, interaction.reason, interaction.agent, interaction.updated, interaction.ended, sandbox,
                interaction.account, interaction.id,
            ])
    }

    static func interaction(_ id: String, of account: String, _ sandbox: String, _ db: Database) throws -> Interaction? {
        try db.row("SELECT * FROM talkdesk_interaction WHERE sandbox = ? AND account = ? AND id = ?", [sandbox, account, id]).map(read)
    }

    /// All of an account's, the oldest first.
    static func interactions(of account: String, _ sandbox: String, _ db: Database) throws -> [Interaction] {
        try db.rows("SELECT * FROM talkdesk_interaction WHERE sandbox = ? AND account = ? ORDER BY number", [sandbox, account]).map(read)
    }

    private static func read(_ row: StoredRow) throws -> Interaction {
        Interaction(
            account: row["account"], id: row["id"], person: row["person"], number: row["number"], app: row["app"],
            intention: row["intention"], metadata: try (row["metadata"] as String?).map { try JSON(parsing: $0) },
            status: Interaction.Status(rawValue: row["status"]) ?? .started, reason: row["reason"], agent: row["agent"],
            created: row["created_at"], updated: row["updated_at"], ended: row["ended_at"])
    }

    // MARK: What was said

    /// Keeps a message as the last of its interaction.
    ///
    /// - Returns: its number.
    static func add(_ message: InteractionMessage, to interaction: Interaction, _ sandbox: String, _ db: Database) throws -> Int {
        try db.run(
            """
            INSERT INTO talkdesk_message (sandbox, account, interaction, id, author, name, text, created_at, number)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, coalesce(max(number), 0) + 1 FROM talkdesk_message
            WHERE sandbox = ?1 AND account = ?2 AND interaction = ?3
            """,
            [
                sandbox, interaction.account, interaction.id, message.id, message.author.rawValue, message.name, message.text,
                message.created,
            ])
        return try messages(of: interaction, sandbox, db).last?.number ?? 0
    }

    static func messages(of interaction: Interaction, _ sandbox: String, _ db: Database) throws -> [InteractionMessage] {
        try db.rows(
            "SELECT * FROM talkdesk_message WHERE sandbox = ? AND account = ? AND interaction = ? ORDER BY number",
            [sandbox, interaction.account, interaction.id]
        ).map { row in
            InteractionMessage(
                id: row["id"], number: row["number"], author: InteractionMessage.Author(rawValue: row["author"]) ?? .person,
                name: row["name"], text: row["text"], created: row["created_at"])
        }
    }
}
