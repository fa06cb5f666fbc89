import SparringVendorKit

/// Codes with which users of other channels come into the app.
enum AuthCodeState {
    static let tables = Tables(
        "khoros.code.1",
        """
        CREATE TABLE khoros_code (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          app TEXT NOT NULL,
          code TEXT NOT NULL,
          user TEXT NOT NULL,                 -- the vendor's id
          expires_at INTEGER NOT NULL,        -- sandbox time in milliseconds
          spent_at INTEGER,
          spent_by INTEGER,                   -- journal entry
          PRIMARY KEY (sandbox, app, code)
        ) STRICT, WITHOUT ROWID;
        """)

    struct Code: Sendable {
        var app: String
        var code: String
        var user: String
        var expiresAt: Timestamp
        var spentAt: Timestamp?
        var spentBy: Int?
    }

    static func insert(_ code: Code, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT INTO khoros_code (sandbox, app, code, user, expires_at) VALUES (?, ?, ?, ?, ?)",
            [sandbox, code.app, code.code, code.user, code.expiresAt])
    }

    static func code(_ code: String, of app: String, _ sandbox: String, _ db: Database) throws -> Code? {
        try db.row("SELECT * FROM khoros_code WHERE sandbox = ? AND app = ? AND code = ?", [sandbox, app, code]).map { row in
            Code(app: app, code: code, user: row["user"], expiresAt: row["expires_at"], spentAt: row["spent_at"], spentBy: row["spent_by"])
        }
    }

    /// - Returns: false where it had been spent before.
    static func spend(_ code: Code, at now: Timestamp, by entry: Int, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.run(
            "UPDATE khoros_code SET spent_at = ?, spent_by = ? WHERE sandbox = ? AND app = ? AND code = ? AND spent_at IS NULL",
            [now, entry, sandbox, code.app, code.code]) == 1
    }
}
