import SparringVendorKit

/// The grants that clients trade for tokens: codes, refresh tokens and assertions.
enum TalkdeskGrantState {
    static let tables = Tables(
        "talkdesk.grant.1",
        """
        CREATE TABLE talkdesk_code (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          code TEXT NOT NULL,
          account TEXT NOT NULL,
          client TEXT NOT NULL,
          redirect_uri TEXT NOT NULL,
          subject TEXT NOT NULL,
          scope TEXT NOT NULL,
          nonce TEXT,
          expires_at INTEGER NOT NULL,        -- sandbox time in milliseconds, like every time here
          spent_at INTEGER,
          spent_by INTEGER,                   -- a journal entry
          PRIMARY KEY (sandbox, code)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE talkdesk_refresh_token (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          token TEXT NOT NULL,
          account TEXT NOT NULL,
          client TEXT NOT NULL,
          subject TEXT NOT NULL,
          scope TEXT NOT NULL,
          expires_at INTEGER NOT NULL,
          spent_at INTEGER,
          spent_by INTEGER,
          is_revoked INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (sandbox, token)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE talkdesk_assertion (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          client TEXT NOT NULL,
          jti TEXT NOT NULL,
          expires_at INTEGER NOT NULL,        -- forgotten then, as it could not be used any more
          used_by INTEGER NOT NULL,
          PRIMARY KEY (sandbox, client, jti)
        ) STRICT, WITHOUT ROWID;
        """)

    /// When something was used up, and by which entry of the journal.
    struct Spent: Sendable {
        var at: Timestamp
        var by: Int

        fileprivate init?(_ row: StoredRow) {
            guard let at = row["spent_at"] as Timestamp?, let by = row["spent_by"] as Int? else { return nil }
            (self.at, self.by) = (at, by)
        }
    }

    /// An authorization code (RFC 6749 §4.1.2) and what it is bound to.
    struct Code: Sendable {
        var code: String
        var account: String
        var client: String
        var redirectURI: String
        var subject: String
        var scope: String
        var nonce: String?
        var expiresAt: Timestamp
        var spent: Spent?

        func insert(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT INTO talkdesk_code (sandbox, code, account, client, redirect_uri, subject, scope, nonce, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, [sandbox, code, account, client, redirectURI, subject, scope, nonce, expiresAt])
        }

        static func find(_ code: String, of account: String, _ sandbox: String, _ db: Database) throws -> Code? {
            try db.row("SELECT * FROM talkdesk_code WHERE sandbox = ? AND code = ? AND account = ?", [sandbox, code, account]).map { row in
                Code(
                    code: code, account: account, client: row["client"], redirectURI: row["redirect_uri"], subject: row["subject"],
                    scope: row["scope"], nonce: row["nonce"], expiresAt: row["expires_at"], spent: Spent(row))
            }
        }

        func spend(_ sandbox: String, at now: Timestamp, by entry: Int, _ db: Database) throws {
            try db.run("UPDATE talkdesk_code SET spent_at = ?, spent_by = ? WHERE sandbox = ? AND code = ?", [now, entry, sandbox, code])
        }
    }

    /// A refresh token (RFC 6749 §1.5); each use replaces it (RFC 9700 §4.14.2; assumed).
    struct RefreshToken: Sendable {
        var token: String
        var account: String
        var client: String
        var subject: String
        var scope: String
        var expiresAt: Timestamp
        var spent: Spent?
        var isRevoked = false

        func insert(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT INTO talkdesk_refresh_token (sandbox, token, account, client, subject, scope, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, [sandbox, token, account, client, subject, scope, expiresAt])
        }

        static func find(_ token: String, of account: String, _ sandbox: String, _ db: Database) throws -> RefreshToken? {
            try db.row("SELECT * FROM talkdesk_refresh_token WHERE sandbox = ? AND token = ? AND account = ?", [sandbox, token, account])
                .map { row in
                    RefreshToken(
                        token: token, account: account, client: row["client"], subject: row["subject"], scope: row["scope"],
                        expiresAt: row["expires_at"], spent: Spent(row), isRevoked: row["is_revoked"])
                }
        }

        func spend(_ sandbox: String, at now: Timestamp, by entry: Int, _ db: Database) throws {
            try db.run(
                "UPDATE talkdesk_refresh_token SET spent_at = ?, spent_by = ? WHERE sandbox = ? AND token = ?",
                [now, entry, sandbox, token])
        }
    }

    /// Makes a person's refresh tokens invalid, and their codes.
    ///
    /// - Returns: how many of the tokens were good.
    static func revoke(of subject: String, _ account: String, at now: Timestamp, _ sandbox: String, _ db: Database) throws -> Int {
        try db.run(
            "DELETE FROM talkdesk_code WHERE sandbox = ? AND account = ? AND subject = ? AND spent_at IS NULL", [sandbox, account, subject])
        return try db.run(
            """
            UPDATE talkdesk_refresh_token SET is_revoked = 1
            WHERE sandbox = ? AND account = ? AND subject = ? AND is_revoked = 0 AND spent_at IS NULL AND expires_at > ?
            """, [sandbox, account, subject, now])
    }

    /// Uses up the `jti` of an assertion (RFC 7519 §4.1.7).
    ///
    /// - Returns: the entry that used it before, which then holds.
    static func use(
        jti: String, of client: String, until expiry: Timestamp, by entry: Int, at now: Timestamp, _ sandbox: String, _ db: Database
    ) throws -> Int? {
        try db.run("DELETE FROM talkdesk_assertion WHERE sandbox = ? AND expires_at <= ?", [sandbox, now])
        if let before = try db.value(
            "SELECT used_by FROM talkdesk_assertion WHERE sandbox = ? AND client = ? AND jti = ?", [sandbox, client, jti], as: Int.self)
        {
            return before
        }
        try db.run(
            "INSERT INTO talkdesk_assertion (sandbox, client, jti, expires_at, used_by) VALUES (?, ?, ?, ?, ?)",
            [sandbox, client, jti, expiry, entry])
        return nil
    }

    /// A `jti` that a client has used, and that is remembered yet.
    static func usedJTI(of client: String, at now: Timestamp, _ sandbox: String, _ db: Database) throws -> String? {
        try db.value(
            "SELECT jti FROM talkdesk_assertion WHERE sandbox = ? AND client = ? AND expires_at > ? ORDER BY used_by DESC LIMIT 1",
            [sandbox, client, now])
    }
}
