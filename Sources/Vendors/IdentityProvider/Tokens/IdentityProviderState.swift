import SparringVendorKit

/// The identity provider's records: codes and refresh tokens, each of which can be spent once, and access tokens.
enum IdentityProviderState {
    static let tables = Tables(
        "identity.1",
        """
        CREATE TABLE identity_code (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          code TEXT NOT NULL,
          client TEXT NOT NULL,
          redirect_uri TEXT NOT NULL,
          subject TEXT NOT NULL,
          issuer TEXT NOT NULL,               -- as the client saw it at the authorization endpoint
          scope TEXT NOT NULL,
          nonce TEXT,
          challenge TEXT,
          challenge_method TEXT,
          claims TEXT,                        -- further claims and a defect, of a minted code
          issued_at INTEGER NOT NULL,         -- sandbox time in milliseconds, like every time here
          expires_at INTEGER NOT NULL,
          spent_at INTEGER,
          spent_by INTEGER,                   -- journal entry
          PRIMARY KEY (sandbox, code)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE identity_refresh_token (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          token TEXT NOT NULL,
          client TEXT NOT NULL,
          subject TEXT NOT NULL,
          issuer TEXT NOT NULL,
          scope TEXT NOT NULL,
          expires_at INTEGER NOT NULL,
          spent_at INTEGER,
          spent_by INTEGER,
          PRIMARY KEY (sandbox, token)
        ) STRICT, WITHOUT ROWID;
        """
    )
    .then(
        "identity.2",
        """
        CREATE TABLE identity_access_token (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          token TEXT NOT NULL,
          subject TEXT NOT NULL,
          expires_at INTEGER NOT NULL,        -- sandbox time in milliseconds
          PRIMARY KEY (sandbox, token)
        ) STRICT, WITHOUT ROWID;
        """
    )
    .then(
        "identity.3",
        """
        -- What came of one sign-in has the name of its first refresh token.
        ALTER TABLE identity_refresh_token ADD COLUMN family TEXT;
        ALTER TABLE identity_refresh_token ADD COLUMN revoked_by INTEGER;  -- journal entry
        CREATE INDEX identity_refresh_token_family ON identity_refresh_token (sandbox, family);
        """)

    /// An authorization code (RFC 6749 §4.1.2) and what it is bound to.
    struct Code: Sendable {
        var code: String
        var client: String
        var redirectURI: String
        var subject: String
        var issuer: String
        var scope: String
        var nonce: String?
        var challenge: String?
        var challengeMethod: String?
        /// Minted codes only: ``TokenWishes`` as JSON.
        var wishes: String?
        var issuedAt: Timestamp
        var expiresAt: Timestamp
        var spentAt: Timestamp?
        var spentBy: Int?

        func insert(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT INTO identity_code (sandbox, code, client, redirect_uri, subject, issuer, scope, nonce, challenge, challenge_method,
                  claims, issued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    sandbox, code, client, redirectURI, subject, issuer, scope, nonce, challenge, challengeMethod, wishes, issuedAt,
                    expiresAt,
                ])
        }

        static func find(_ code: String, _ sandbox: String, _ db: Database) throws -> Code? {
            try db.row("SELECT * FROM identity_code WHERE sandbox = ? AND code = ?", [sandbox, code]).map { row in
                Code(
                    code: code, client: row["client"], redirectURI: row["redirect_uri"], subject: row["subject"], issuer: row["issuer"],
                    scope: row["scope"], nonce: row["nonce"], challenge: row["challenge"], challengeMethod: row["challenge_method"],
                    wishes: row["claims"], issuedAt: row["issued_at"], expiresAt: row["expires_at"], spentAt: row["spent_at"],
                    spentBy: row["spent_by"])
            }
        }

        /// - Returns: false where it had been spent before.
        func spend(_ sandbox: String, at now: Timestamp, by entry: Int, _ db: Database) throws -> Bool {
            try db.run(
                "UPDATE identity_code SET spent_at = ?, spent_by = ? WHERE sandbox = ? AND code = ? AND spent_at IS NULL",
                [now, entry, sandbox, code]) == 1
        }
    }

    /// A refresh token (RFC 6749 §1.5); each use replaces it (RFC 9700 §4.14.2).
    struct RefreshToken: Sendable {
        var token: String
        var client: String
        var subject: String
        var issuer: String
        var scope: String
        /// Nil for one that an older release issued.
        var issuedAt: Timestamp?
        var expiresAt: Timestamp
        /// The first token of those that replaced one another, this one among them.
        var family: String?
        var spentAt: Timestamp?
        var spentBy: Int?
        var revokedBy: Int?
        /// Why it ended, where ``revokedBy`` says by what.
        var revocation = Revocation.reuse

        func insert(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT INTO identity_refresh_token (sandbox, token, client, subject, issuer, scope, issued_at, expires_at, family)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, [sandbox, token, client, subject, issuer, scope, issuedAt, expiresAt, family ?? token])
        }

        static func find(_ token: String, _ sandbox: String, _ db: Database) throws -> RefreshToken? {
            try db.row("SELECT * FROM identity_refresh_token WHERE sandbox = ? AND token = ?", [sandbox, token]).map { row in
                RefreshToken(
                    token: token, client: row["client"], subject: row["subject"], issuer: row["issuer"], scope: row["scope"],
                    issuedAt: row["issued_at"], expiresAt: row["expires_at"], family: row["family"], spentAt: row["spent_at"],
                    spentBy: row["spent_by"], revokedBy: row["revoked_by"],
                    revocation: (row["revocation"] as String?).flatMap(Revocation.init(rawValue:)) ?? .reuse)
            }
        }

        /// - Returns: false where it had been spent before.
        func spend(_ sandbox: String, at now: Timestamp, by entry: Int, _ db: Database) throws -> Bool {
            try db.run(
                "UPDATE identity_refresh_token SET spent_at = ?, spent_by = ? WHERE sandbox = ? AND token = ? AND spent_at IS NULL",
                [now, entry, sandbox, token]) == 1
        }
    }
}
