import SparringVendorKit

/// Conversations, their dialogs and who takes part (LivePerson reference 5.7 to 5.13).
enum ConversationState {
    static let tables = Tables(
        "liveperson.conversation.1",
        """
        CREATE TABLE liveperson_conversation (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          id TEXT NOT NULL,
          consumer TEXT NOT NULL,
          state TEXT NOT NULL,                -- OPEN or CLOSE: that of the main dialog
          stage TEXT NOT NULL,                -- OPEN or CLOSE: that of the whole
          skill TEXT NOT NULL,
          ttr TEXT NOT NULL,                  -- JSON {ttrType, value}
          context TEXT,                       -- JSON as the client gave it
          campaign TEXT,
          engagement TEXT,
          is_first INTEGER NOT NULL,
          started INTEGER NOT NULL,           -- sandbox time in milliseconds, as are the other times
          updated INTEGER NOT NULL,
          ended INTEGER,
          close_reason TEXT,
          csat TEXT,                          -- JSON
          PRIMARY KEY (sandbox, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX liveperson_conversation_consumer ON liveperson_conversation (sandbox, account, consumer, started);

        CREATE TABLE liveperson_dialog (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          id TEXT NOT NULL,
          conversation TEXT NOT NULL,
          type TEXT NOT NULL,                 -- MAIN or POST_SURVEY
          state TEXT NOT NULL,
          started INTEGER NOT NULL,
          ended INTEGER,
          closed_by TEXT,
          closed_cause TEXT,
          next_sequence INTEGER NOT NULL,
          PRIMARY KEY (sandbox, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX liveperson_dialog_conversation ON liveperson_dialog (sandbox, conversation, started);

        CREATE TABLE liveperson_participant (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          dialog TEXT NOT NULL,
          position INTEGER NOT NULL,          -- in the order of joining
          id TEXT NOT NULL,
          role TEXT NOT NULL,
          PRIMARY KEY (sandbox, dialog, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE liveperson_event (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          dialog TEXT NOT NULL,
          sequence INTEGER NOT NULL,
          record TEXT NOT NULL,               -- JSON: the change as it is notified
          PRIMARY KEY (sandbox, dialog, sequence)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE liveperson_profile (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          consumer TEXT NOT NULL,
          profile TEXT NOT NULL,              -- JSON as the client set it
          PRIMARY KEY (sandbox, account, consumer)
        ) STRICT, WITHOUT ROWID;
        """
    )
    .then(
        "liveperson.conversation.2",
        """
        ALTER TABLE liveperson_conversation ADD COLUMN language TEXT;
        ALTER TABLE liveperson_conversation ADD COLUMN survey TEXT;
        """
    )
    .then(
        "liveperson.conversation.3",
        """
        ALTER TABLE liveperson_conversation ADD COLUMN manual_ettr INTEGER; -- sandbox time in milliseconds
        ALTER TABLE liveperson_conversation ADD COLUMN note TEXT;
        """)

    /// The consumer's newest open conversation, with the engagement that it began at.
    static func open(
        of consumer: String, account: String, sandbox: String, _ db: Database
    ) throws -> (id: String, campaign: String?, engagement: String?)? {
        let row = try db.row(
            """
            SELECT id, campaign, engagement FROM liveperson_conversation
            WHERE sandbox = ? AND account = ? AND consumer = ? AND state = 'OPEN' ORDER BY started DESC, id LIMIT 1
            """, [sandbox, account, consumer])
        return row.map { ($0[0], $0[1], $0[2]) }
    }

    static func setProfile(_ profile: JSON, of consumer: String, account: String, sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT OR REPLACE INTO liveperson_profile (sandbox, account, consumer, profile) VALUES (?, ?, ?, ?)",
            [sandbox, account, consumer, profile.text])
    }

    static func profile(of consumer: String, account: String, sandbox: String, _ db: Database) throws -> JSON? {
        let text = try db.value(
            "SELECT profile FROM liveperson_profile WHERE sandbox = ? AND account = ? AND consumer = ?", [sandbox, account, consumer],
            as: String.self)
        return try text.map { try JSON(parsing: $0) }
    }
}
