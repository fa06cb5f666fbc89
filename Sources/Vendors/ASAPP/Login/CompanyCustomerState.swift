import SparringVendorKit

/// The customers of companies.
enum CompanyCustomerState {
    static let tables = Tables(
        "asapp.customer.1",
        """
        CREATE TABLE asapp_customer (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          company TEXT NOT NULL,
          id TEXT NOT NULL,
          user TEXT,                          -- the company's own; NULL: anonymous
          unread INTEGER NOT NULL,
          entered_at INTEGER,                 -- sandbox time in milliseconds, like every time here
          sign_ins INTEGER NOT NULL,
          sign_outs INTEGER NOT NULL,
          last_seen INTEGER NOT NULL,
          number INTEGER NOT NULL,            -- in the order of coming
          PRIMARY KEY (sandbox, company, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX asapp_customer_user ON asapp_customer (sandbox, company, user) WHERE user IS NOT NULL;
        """)

    /// Keeps one, in place of what was known.
    static func keep(_ customer: CompanyCustomer, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO asapp_customer
              (sandbox, company, id, user, unread, entered_at, sign_ins, sign_outs, last_seen, number)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, coalesce(max(number), 0) + 1 FROM asapp_customer
            WHERE sandbox = ?1 AND company = ?2
            ON CONFLICT DO UPDATE SET user = ?4, unread = ?5, entered_at = ?6, sign_ins = ?7, sign_outs = ?8, last_seen = ?9
            """,
            [
                sandbox, customer.company, customer.id, customer.user, customer.unread, customer.entered, customer.signIns,
                customer.signOuts, customer.lastSeen,
            ])
    }

    static func customer(_ id: String, of company: String, _ sandbox: String, _ db: Database) throws -> CompanyCustomer? {
        try customers("id = ?", [sandbox, company, id], db).first
    }

    static func customer(user: String, of company: String, _ sandbox: String, _ db: Database) throws -> CompanyCustomer? {
        try customers("user = ?", [sandbox, company, user], db).first
    }

    /// The customer with the company's id, or with ASAPP's.
    static func customer(called name: String, of company: String, _ sandbox: String, _ db: Database) throws -> CompanyCustomer? {
        try customer(user: name, of: company, sandbox, db) ?? customer(name, of: company, sandbox, db)
    }

    static func customers(of company: String, _ sandbox: String, _ db: Database) throws -> [CompanyCustomer] {
        try customers("true", [sandbox, company], db)
    }

    private static func customers(_ condition: String, _ arguments: Bindings, _ db: Database) throws -> [CompanyCustomer] {
        try db.rows("SELECT * FROM asapp_customer WHERE sandbox = ? AND company = ? AND \(condition) ORDER BY number", arguments)
            .map { row in
                CompanyCustomer(
                    company: row["company"], id: row["id"], user: row["user"], unread: row["unread"], entered: row["entered_at"],
                    signIns: row["sign_ins"], signOuts: row["sign_outs"], lastSeen: row["last_seen"])
            }
    }
}
