import SparringVendorKit

/// The access tokens that Talkdesk ID has issued.
enum TalkdeskTokenState {
    static let tables = Tables(
        "talkdesk.token.1",
        """
        CREATE TABLE talkdesk_token (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          token TEXT NOT NULL,
          account TEXT NOT NULL,
          client TEXT NOT NULL,
          subject TEXT NOT NULL,
          lane TEXT NOT NULL,                 -- of the call that it was issued to
          scope TEXT NOT NULL,
          issued_at INTEGER NOT NULL,         -- sandbox time in milliseconds, like every time here
          expires_at INTEGER NOT NULL,
          is_revoked INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (sandbox, token)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX talkdesk_token_lane ON talkdesk_token (sandbox, account, lane, issued_at);
        CREATE INDEX talkdesk_token_subject ON talkdesk_token (sandbox, account, subject);
        """)

    struct Token: Sendable {
        var token: String
        var account: String
        var client: String
        var subject: String
        var lane: String
        var scope: String
        var issuedAt: Timestamp
        var expiresAt: Timestamp
        var isRevoked = false

        func insert(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT INTO talkdesk_token (sandbox, token, account, client, subject, lane, scope, issued_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, [sandbox, token, account, client, subject, lane, scope, issuedAt, expiresAt])
        }
    }

    static func token(_ token: String, of account: String, _ sandbox: String, _ db: Database) throws -> Token? {
        try db.row("SELECT * FROM talkdesk_token WHERE sandbox = ? AND token = ? AND account = ?", [sandbox, token, account])
            .map(Token.init)
    }

    /// The newest that was issued to a lane.
    static func newest(in lane: String, of account: String, _ sandbox: String, _ db: Database) throws -> Token? {
        try db.row(
            "SELECT * FROM talkdesk_token WHERE sandbox = ? AND account = ? AND lane = ? ORDER BY issued_at DESC LIMIT 1",
            [sandbox, account, lane]
        ).map(Token.init)
    }

    /// Somebody whom tokens were issued for.
    struct Subject: Sendable {
        var name: String
        /// How many tokens.
        var signIns: Int
        /// When the last one was issued.
        var lastSeen: Timestamp
    }

    /// Whom tokens were issued for, the first first.
    static func subjects(of account: String, _ sandbox: String, _ db: Database) throws -> [Subject] {
        try db.rows(
            """
            SELECT subject, count(*) AS tokens, max(issued_at) AS last FROM talkdesk_token WHERE sandbox = ? AND account = ?
            GROUP BY subject ORDER BY min(issued_at), subject
            """, [sandbox, account]
        ).map { row in
            Subject(name: row["subject"], signIns: row["tokens"], lastSeen: row["last"])
        }
    }

    /// Makes a person's access tokens invalid.
    ///
    /// - Returns: how many of them were good.
    static func revoke(of subject: String, _ account: String, at now: Timestamp, _ sandbox: String, _ db: Database) throws -> Int {
        try db.run(
            """
            UPDATE talkdesk_token SET is_revoked = 1
            WHERE sandbox = ? AND account = ? AND subject = ? AND is_revoked = 0 AND expires_at > ?
            """, [sandbox, account, subject, now])
    }
}

extension TalkdeskTokenState.Token {
    fileprivate init(_ row: StoredRow) {
        self.init(
            token: row["token"], account: row["account"], client: row["client"], subject: row["subject"], lane: row["lane"],
            scope: row["scope"], issuedAt: row["issued_at"], expiresAt: row["expires_at"], isRevoked: row["is_revoked"])
    }
}
