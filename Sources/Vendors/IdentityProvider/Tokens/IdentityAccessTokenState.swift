import SparringVendorKit

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
}

extension IdentityProviderState.RefreshToken {
    /// Ends the family's newest token, and the access tokens that came with the family if the client asked for it (RFC 7009 §2.1).
    ///
    /// - Parameter revocation: `reuse` where one token has been used twice: the client or somebody who stole the token still has the newest (RFC 9700
    ///   §4.14.2).
    func revokeFamily(_ sandbox: String, by entry: Int, _ revocation: IdentityProviderState.Revocation, _ db: Database) throws {
        try db.run(
            """
            UPDATE identity_refresh_token SET revoked_by = ?, revocation = ?
            WHERE sandbox = ? AND family = ? AND spent_at IS NULL AND revoked_by IS NULL
            """, [entry, revocation.rawValue, sandbox, family])
        guard revocation == .request else { return }
        try db.run(
            "UPDATE identity_access_token SET revoked_by = ? WHERE sandbox = ? AND family = ? AND revoked_by IS NULL",
            [entry, sandbox, family])
    }
}
