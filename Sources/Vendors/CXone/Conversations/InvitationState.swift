import SparringVendorKit

/// Invitations to chats, and the guests who came by them.
enum InvitationState {
    static let tables = Tables(
        "cxone.invitation.1",
        """
        CREATE TABLE cxone_invitation (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          brand TEXT NOT NULL,
          code TEXT NOT NULL,
          contact TEXT NOT NULL,
          expires_at INTEGER NOT NULL,        -- sandbox time in milliseconds
          PRIMARY KEY (sandbox, brand, code)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cxone_guest (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          brand TEXT NOT NULL,
          contact TEXT NOT NULL,
          customer TEXT NOT NULL,
          PRIMARY KEY (sandbox, brand, contact, customer)
        ) STRICT, WITHOUT ROWID;
        """)

    static func invite(
        _ code: String, to contact: String, _ brand: String, until expiry: Timestamp, _ sandbox: String, _ db: Database
    ) throws {
        try db.run(
            "INSERT OR REPLACE INTO cxone_invitation (sandbox, brand, code, contact, expires_at) VALUES (?, ?, ?, ?, ?)",
            [sandbox, brand, code, contact, expiry])
    }

    /// The contact that a code invites to; nil for a code that is unknown or has expired.
    static func contact(byCode code: String, _ brand: String, at now: Timestamp, _ sandbox: String, _ db: Database) throws -> String? {
        try db.value(
            "SELECT contact FROM cxone_invitation WHERE sandbox = ? AND brand = ? AND code = ? AND expires_at > ?",
            [sandbox, brand, code, now])
    }

    static func guests(of contact: String, _ brand: String, _ sandbox: String, _ db: Database) throws -> [String] {
        try db.values(
            "SELECT customer FROM cxone_guest WHERE sandbox = ? AND brand = ? AND contact = ? ORDER BY customer", [sandbox, brand, contact])
    }

    static func add(_ guest: String, to contact: String, _ brand: String, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT OR IGNORE INTO cxone_guest (sandbox, brand, contact, customer) VALUES (?, ?, ?, ?)", [sandbox, brand, contact, guest])
    }

    /// - Returns: false where they were no guest.
    static func remove(_ guest: String, from contact: String, _ brand: String, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.run(
            "DELETE FROM cxone_guest WHERE sandbox = ? AND brand = ? AND contact = ? AND customer = ?", [sandbox, brand, contact, guest])
            == 1
    }
}
