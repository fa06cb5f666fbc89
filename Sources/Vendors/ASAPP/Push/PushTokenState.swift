import SparringVendorKit

/// The devices that get each customer's pushes.
enum PushTokenState {
    static let tables = Tables(
        "asapp.push.1",
        """
        CREATE TABLE asapp_registration (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          company TEXT NOT NULL,
          customer TEXT NOT NULL,
          device TEXT NOT NULL,               -- as it came
          platform TEXT NOT NULL,
          registered_at INTEGER NOT NULL,     -- sandbox time in milliseconds
          credentials TEXT NOT NULL,          -- by which it was registered, in words
          PRIMARY KEY (sandbox, company, customer, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX asapp_registration_device ON asapp_registration (sandbox, company, device);
        CREATE TABLE asapp_received_push (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          company TEXT NOT NULL,
          device TEXT NOT NULL,
          message TEXT NOT NULL,              -- its id: the customer's backend drops repeats
          PRIMARY KEY (sandbox, company, device, message)
        ) STRICT, WITHOUT ROWID;
        """)

    struct Registration: Sendable {
        var company: String
        var customer: String
        var device: String
        var platform: String
        var registered: Timestamp
        var credentials: String
    }

    static func keep(_ registration: Registration, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO asapp_registration (sandbox, company, customer, device, platform, registered_at, credentials)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET platform = excluded.platform
            """,
            [
                sandbox, registration.company, registration.customer, registration.device, registration.platform, registration.registered,
                registration.credentials,
            ])
    }

    /// Removes a customer's registrations.
    ///
    /// - Parameter device: nil: all of theirs.
    /// - Returns: those that there were.
    static func remove(of customer: CompanyCustomer, device: String?, _ sandbox: String, _ db: Database) throws -> [Registration] {
        let gone = try registrations(of: customer, sandbox, db).filter { device == nil || $0.device == device }
        for registration in gone {
            try db.run(
                "DELETE FROM asapp_registration WHERE sandbox = ? AND company = ? AND customer = ? AND device = ?",
                [sandbox, customer.company, customer.id, registration.device])
        }
        return gone
    }

    static func move(from customer: CompanyCustomer, to other: CompanyCustomer, _ sandbox: String, _ db: Database) throws {
        for var registration in try remove(of: customer, device: nil, sandbox, db) {
            registration.customer = other.id
            try keep(registration, sandbox, db)
        }
    }

    static func registrations(of customer: CompanyCustomer, _ sandbox: String, _ db: Database) throws -> [Registration] {
        try registrations("customer", customer.id, of: customer.company, sandbox, db)
    }

    static func registrations(on device: String, of company: String, _ sandbox: String, _ db: Database) throws -> [Registration] {
        try registrations("device", device, of: company, sandbox, db)
    }

    private static func registrations(
        _ column: String, _ value: String, of company: String, _ sandbox: String, _ db: Database
    ) throws -> [Registration] {
        try db.rows(
            "SELECT * FROM asapp_registration WHERE sandbox = ? AND company = ? AND \(column) = ? ORDER BY registered_at, device",
            [sandbox, company, value]
        ).map { row in
            Registration(
                company: row["company"], customer: row["customer"], device: row["device"], platform: row["platform"],
                registered: row["registered_at"], credentials: row["credentials"])
        }
    }

    // MARK: The customer's backend

    /// Whether a push is the first with its id on a device; it is remembered then.
    static func isFirst(_ message: String, on device: String, of company: String, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.run(
            "INSERT INTO asapp_received_push (sandbox, company, device, message) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [sandbox, company, device, message]) == 1
    }
}
