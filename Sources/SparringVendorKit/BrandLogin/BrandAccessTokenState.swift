public import GRDB
public import SparringJournal
import SparringSandbox

/// An access token of the brand's identity provider: what the brand's own APIs know their callers by.
public struct BrandAccessToken: Sendable {
    public var token: String
    /// The user; of a client's own token the client.
    public var subject: String
    /// Nil for one that an older release issued, like the others.
    public var client: String?
    public var scope: String?
    public var issuer: String?
    /// `family` of the refresh token that came with it.
    var family: String?
    public var issuedAt: Timestamp?
    public var expiresAt: Timestamp
    /// Whether the client got it for itself (RFC 6749 §4.4).
    public var isOfClient = false
    public var revokedBy: Int?

    public init(
        token: String, subject: String, client: String? = nil, scope: String? = nil, issuer: String? = nil, family: String? = nil,
        issuedAt: Timestamp? = nil, expiresAt: Timestamp, isOfClient: Bool = false, revokedBy: Int? = nil
    ) {
        self.token = token
        self.subject = subject
        self.client = client
        self.scope = scope
        self.issuer = issuer
        self.family = family
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.isOfClient = isOfClient
        self.revokedBy = revokedBy
    }

    public func insert(_ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO identity_access_token (sandbox, token, subject, expires_at, client, scope, issuer, family, issued_at, is_client)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, [sandbox, token, subject, expiresAt, client, scope, issuer, family, issuedAt, isOfClient])
    }

    public static func find(_ token: String, _ sandbox: String, _ db: Database) throws -> BrandAccessToken? {
        try db.row("SELECT * FROM identity_access_token WHERE sandbox = ? AND token = ?", [sandbox, token]).map { row in
            BrandAccessToken(
                token: token, subject: row["subject"], client: row["client"], scope: row["scope"], issuer: row["issuer"],
                family: row["family"], issuedAt: row["issued_at"], expiresAt: row["expires_at"], isOfClient: row["is_client"],
                revokedBy: row["revoked_by"])
        }
    }

    public func revoke(_ sandbox: String, by entry: Int, _ db: Database) throws {
        try db.run(
            "UPDATE identity_access_token SET revoked_by = ? WHERE sandbox = ? AND token = ? AND revoked_by IS NULL",
            [entry, sandbox, token])
    }
}
