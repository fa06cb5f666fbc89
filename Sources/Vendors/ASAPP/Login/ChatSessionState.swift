import SparringVendorKit

/// Sessions, and the tokens that open a socket once.
enum ChatSessionState {
    static let tables = Tables(
        "asapp.session.1",
        """
        CREATE TABLE asapp_session (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          token TEXT NOT NULL,
          company TEXT NOT NULL,
          customer TEXT NOT NULL,
          credentials TEXT NOT NULL,          -- in words
          expires_at INTEGER NOT NULL,        -- sandbox time in milliseconds, like every time here
          is_revoked INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (sandbox, token)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX asapp_session_customer ON asapp_session (sandbox, company, customer);
        CREATE TABLE asapp_socket_token (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          token TEXT NOT NULL,
          company TEXT NOT NULL,
          session TEXT NOT NULL,
          expires_at INTEGER NOT NULL,
          used_by INTEGER,                    -- a journal entry
          PRIMARY KEY (sandbox, token)
        ) STRICT, WITHOUT ROWID;
        """)

    static func insert(_ session: ChatSession, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT INTO asapp_session (sandbox, token, company, customer, credentials, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
            [sandbox, session.token, session.company, session.customer, session.credentials, session.expiresAt])
    }

    static func session(_ token: String, of company: String, _ sandbox: String, _ db: Database) throws -> ChatSession? {
        try db.row("SELECT * FROM asapp_session WHERE sandbox = ? AND token = ? AND company = ?", [sandbox, token, company]).map { row in
            ChatSession(
                token: token, company: company, customer: row["customer"], credentials: row["credentials"], expiresAt: row["expires_at"],
                isRevoked: row["is_revoked"])
        }
    }

    /// Ends a customer's sessions.
    ///
    /// - Returns: how many.
    static func revoke(of customer: CompanyCustomer, _ sandbox: String, _ db: Database) throws -> Int {
        try db.run(
            "UPDATE asapp_session SET is_revoked = 1 WHERE sandbox = ? AND company = ? AND customer = ? AND is_revoked = 0",
            [sandbox, customer.company, customer.id])
    }

    // MARK: Sockets

    struct SocketToken: Sendable {
        var token: String
        var company: String
        var session: String
        var expiresAt: Timestamp
        var usedBy: Int?
    }

    static func insert(_ token: SocketToken, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT INTO asapp_socket_token (sandbox, token, company, session, expires_at) VALUES (?, ?, ?, ?, ?)",
            [sandbox, token.token, token.company, token.session, token.expiresAt])
    }

    static func socketToken(_ token: String, of company: String, _ sandbox: String, _ db: Database) throws -> SocketToken? {
        try db.row("SELECT * FROM asapp_socket_token WHERE sandbox = ? AND token = ? AND company = ?", [sandbox, token, company])
            .map { row in
                SocketToken(token: token, company: company, session: row["session"], expiresAt: row["expires_at"], usedBy: row["used_by"])
            }
    }

    static func use(_ token: SocketToken, by entry: Int, _ sandbox: String, _ db: Database) throws {
        try db.run("UPDATE asapp_socket_token SET used_by = ? WHERE sandbox = ? AND token = ?", [entry, sandbox, token.token])
    }
}
