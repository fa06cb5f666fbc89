import SparringVendorKit

/// The tokens that CXone has given out, and the brand's behind them.
enum TokenState {
    static let tables = Tables(
        "cxone.token.1",
        """
        CREATE TABLE cxone_token (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          token TEXT NOT NULL,
          kind TEXT NOT NULL,                 -- transaction, access, identity, url
          brand TEXT NOT NULL,
          channel TEXT NOT NULL,
          visitor TEXT NOT NULL,
          customer TEXT NOT NULL,
          expires_at INTEGER NOT NULL,        -- sandbox time in milliseconds
          sign_in TEXT,                       -- the sign-in at the brand behind it
          url TEXT,                           -- what it opens
          PRIMARY KEY (sandbox, kind, token)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cxone_sign_in (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          id TEXT NOT NULL,
          brand TEXT NOT NULL,
          visitor TEXT NOT NULL,
          customer TEXT NOT NULL,
          code TEXT NOT NULL,                 -- the authorization code that it began with
          access_token TEXT NOT NULL,         -- the newest
          refresh_token TEXT,                 -- the newest; the brand gave it to CXone
          PRIMARY KEY (sandbox, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX cxone_sign_in_code ON cxone_sign_in (sandbox, brand, code);
        """)

    enum Kind: String {
        /// The token in the socket's URL.
        case transaction
        /// The brand's token, which messages carry.
        case access
        /// The token in the secured cookie.
        case identity
        /// A token that opens one URL.
        case url
    }

    struct Token: Sendable {
        var token: String
        var kind: Kind
        var brand: String
        var channel: String
        var visitor: String
        var customer: String
        var expires: Timestamp
        var signIn: String?
        var url: String?

        func insert(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT OR REPLACE INTO cxone_token (sandbox, token, kind, brand, channel, visitor, customer, expires_at, sign_in, url)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, [sandbox, token, kind.rawValue, brand, channel, visitor, customer, expires, signIn, url])
        }
    }

    static func token(_ token: String, _ kind: Kind, of brand: String, _ sandbox: String, _ db: Database) throws -> Token? {
        try db.row(
            "SELECT * FROM cxone_token WHERE sandbox = ? AND kind = ? AND token = ? AND brand = ?", [sandbox, kind.rawValue, token, brand]
        ).map { row in
            Token(
                token: token, kind: kind, brand: brand, channel: row["channel"], visitor: row["visitor"], customer: row["customer"],
                expires: row["expires_at"], signIn: row["sign_in"], url: row["url"])
        }
    }

    /// Makes all of a customer's tokens invalid.
    static func revoke(of customer: String, _ brand: String, _ sandbox: String, _ db: Database) throws {
        for table in ["cxone_token", "cxone_sign_in"] {
            try db.run("DELETE FROM \(table) WHERE sandbox = ? AND brand = ? AND customer = ?", [sandbox, brand, customer])
        }
    }

    // MARK: Sign-ins at the brand

    struct SignIn: Sendable {
        var id: String
        var brand: String
        var visitor: String
        var customer: String
        var code: String
        var accessToken: String
        var refreshToken: String?

        /// Keeps it, in place of an earlier state of it.
        func keep(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT OR REPLACE INTO cxone_sign_in (sandbox, id, brand, visitor, customer, code, access_token, refresh_token)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, [sandbox, id, brand, visitor, customer, code, accessToken, refreshToken])
        }
    }

    static func signIn(_ id: String, _ sandbox: String, _ db: Database) throws -> SignIn? {
        try signIn("id", id, sandbox, db)
    }

    /// The one that began with a code.
    static func signIn(code: String, _ sandbox: String, _ db: Database) throws -> SignIn? {
        try signIn("code", code, sandbox, db)
    }

    /// The one whose newest refresh token it is.
    static func signIn(refreshToken: String, _ sandbox: String, _ db: Database) throws -> SignIn? {
        try signIn("refresh_token", refreshToken, sandbox, db)
    }

    private static func signIn(_ column: String, _ value: String, _ sandbox: String, _ db: Database) throws -> SignIn? {
        try db.row("SELECT * FROM cxone_sign_in WHERE sandbox = ? AND \(column) = ? ORDER BY id DESC", [sandbox, value]).map { row in
            SignIn(
                id: row["id"], brand: row["brand"], visitor: row["visitor"], customer: row["customer"], code: row["code"],
                accessToken: row["access_token"], refreshToken: row["refresh_token"])
        }
    }
}
