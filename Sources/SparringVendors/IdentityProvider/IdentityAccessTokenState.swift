import GRDB
import SparringJournal
import SparringSandbox

/// Access tokens, and how tokens end before their time.
extension IdentityProviderState {
    /// After the others: how tokens end.
    static let endings = Tables(
        "identity.4",
        """
        ALTER TABLE identity_access_token ADD COLUMN client TEXT;
        ALTER TABLE identity_access_token ADD COLUMN scope TEXT;
        ALTER TABLE identity_access_token ADD COLUMN issuer TEXT;
        ALTER TABLE identity_access_token ADD COLUMN family TEXT;         -- of the refresh token that came with it
        ALTER TABLE identity_access_token ADD COLUMN issued_at INTEGER;
        ALTER TABLE identity_access_token ADD COLUMN revoked_by INTEGER;  -- journal entry
        ALTER TABLE identity_access_token ADD COLUMN is_client INTEGER NOT NULL DEFAULT 0;  -- of no user: subject is the client
        ALTER TABLE identity_refresh_token ADD COLUMN issued_at INTEGER;
        ALTER TABLE identity_refresh_token ADD COLUMN revocation TEXT;    -- Revocation; older rows: reuse
        CREATE INDEX identity_access_token_family ON identity_access_token (sandbox, family);
        """)

    /// Why a refresh token ended before its time.
    enum Revocation: String, Sendable {
        /// An earlier one of its family was used again (RFC 9700 §4.14.2).
        case reuse
        /// The client revoked it (RFC 7009).
        case request
    }

    /// What the brand's own APIs know their callers by.
    struct AccessToken: Sendable {
        var token: String
        /// The user; of a client's own token the client.
        var subject: String
        /// Nil for one that an older release issued, like the others.
        var client: String?
        var scope: String?
        var issuer: String?
        /// ``RefreshToken/family`` of the refresh token that came with it.
        var family: String?
        var issuedAt: Timestamp?
        var expiresAt: Timestamp
        /// Whether the client got it for itself (RFC 6749 §4.4).
        var isOfClient = false
        var revokedBy: Int?

        func insert(_ sandbox: String, _ db: Database) throws {
            try db.cachedStatement(
                sql: """
                    INSERT INTO identity_access_token (sandbox, token, subject, expires_at, client, scope, issuer, family, issued_at, is_client)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [sandbox, token, subject, expiresAt, client, scope, issuer, family, issuedAt, isOfClient])
        }

        static func find(_ token: String, _ sandbox: String, _ db: Database) throws -> AccessToken? {
            let statement = try db.cachedStatement(sql: "SELECT * FROM identity_access_token WHERE sandbox = ? AND token = ?")
            return try Row.fetchOne(statement, arguments: [sandbox, token]).map { row in
                AccessToken(
                    token: token, subject: row["subject"], client: row["client"], scope: row["scope"], issuer: row["issuer"],
                    family: row["family"], issuedAt: row["issued_at"], expiresAt: row["expires_at"], isOfClient: row["is_client"],
                    revokedBy: row["revoked_by"])
            }
        }

        func revoke(_ sandbox: String, by entry: Int, _ db: Database) throws {
            try db.cachedStatement(
                sql: "UPDATE identity_access_token SET revoked_by = ? WHERE sandbox = ? AND token = ? AND revoked_by IS NULL"
            ).execute(arguments: [entry, sandbox, token])
        }
    }
}

extension IdentityProviderState.RefreshToken {
    /// Ends the family's newest token, and the access tokens that came with the family if the client asked for it (RFC 7009 §2.1).
    ///
    /// - Parameter revocation: `reuse` where one token has been used twice: the client or somebody who stole the token still has the newest (RFC 9700
    ///   §4.14.2).
    func revokeFamily(_ sandbox: String, by entry: Int, _ revocation: IdentityProviderState.Revocation, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE identity_refresh_token SET revoked_by = ?, revocation = ?
                WHERE sandbox = ? AND family = ? AND spent_at IS NULL AND revoked_by IS NULL
                """
        ).execute(arguments: [entry, revocation.rawValue, sandbox, family])
        guard revocation == .request else { return }
        try db.cachedStatement(
            sql: "UPDATE identity_access_token SET revoked_by = ? WHERE sandbox = ? AND family = ? AND revoked_by IS NULL"
        ).execute(arguments: [entry, sandbox, family])
    }
}
