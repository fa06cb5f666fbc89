import SparringVendorKit

/// CXone's records of visitors and customers.
enum CustomerState {
    static let tables = Tables(
        "cxone.customer.1",
        """
        CREATE TABLE cxone_visitor (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          brand TEXT NOT NULL,
          id TEXT NOT NULL,
          customer TEXT NOT NULL,
          platform TEXT,                      -- browserFingerprint.os
          device TEXT,                        -- browserFingerprint.deviceToken
          destination TEXT,                   -- that of the last visitor event
          PRIMARY KEY (sandbox, brand, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cxone_customer (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          brand TEXT NOT NULL,
          id TEXT NOT NULL,                   -- idOnExternalPlatform
          first_name TEXT NOT NULL,
          last_name TEXT NOT NULL,
          is_signed_in INTEGER NOT NULL,      -- by the brand
          fields TEXT NOT NULL,               -- JSON: the custom fields
          number INTEGER NOT NULL,            -- in the order of coming
          last_seen INTEGER NOT NULL,         -- sandbox time in milliseconds
          sign_ins INTEGER NOT NULL DEFAULT 0,
          sign_outs INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (sandbox, brand, id)
        ) STRICT, WITHOUT ROWID;
        """
    )
    .then("cxone.customer.2") { db in
        // Database files of a few days had these from the beginning.
        guard try !db.columns(in: "cxone_visitor").contains(where: { $0.name == "visit" }) else { return }
        // The visitId of the last visitor event, and when it came: sandbox time in milliseconds.
        try db.execute(sql: "ALTER TABLE cxone_visitor ADD COLUMN visit TEXT; ALTER TABLE cxone_visitor ADD COLUMN visit_at INTEGER")
    }
    // Whether ChatWindowOpened came while no socket was there to offer anything on.
    .then("cxone.customer.3", "ALTER TABLE cxone_visitor ADD COLUMN has_opened_window INTEGER NOT NULL DEFAULT 0")

    // MARK: Visitors

    struct Visitor: Sendable {
        var brand: String
        var id: String
        var customer: String
        var platform: String?
        var device: String?
        var destination: String?
        /// The last one that something was reported of, and when.
        var visit: String?
        var visitedAt: Timestamp?

        /// Keeps it, in place of what was known; what is not said is not forgotten.
        func keep(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT INTO cxone_visitor (sandbox, brand, id, customer, platform, device, destination, visit, visit_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET customer = excluded.customer, platform = coalesce(excluded.platform, platform),
                  device = coalesce(excluded.device, device), destination = coalesce(excluded.destination, destination),
                  visit = coalesce(excluded.visit, visit), visit_at = coalesce(excluded.visit_at, visit_at)
                """, [sandbox, brand, id, customer, platform, device, destination, visit, visitedAt])
        }
    }

    static func visitor(_ id: String, of brand: String, _ sandbox: String, _ db: Database) throws -> Visitor? {
        try visitors("id", id, brand, sandbox, db).first
    }

    /// Remembers that a visitor opened the chat's window, or forgets it.
    ///
    /// - Returns: whether that changed anything.
    @discardableResult
    static func set(hasOpenedWindow: Bool, of visitor: String, _ brand: String, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.run(
            "UPDATE cxone_visitor SET has_opened_window = ?1 WHERE sandbox = ?2 AND brand = ?3 AND id = ?4 AND has_opened_window <> ?1",
            [hasOpenedWindow, sandbox, brand, visitor]) > 0
    }

    /// Those behind whom a customer is.
    static func visitors(of customer: String, _ brand: String, _ sandbox: String, _ db: Database) throws -> [Visitor] {
        try visitors("customer", customer, brand, sandbox, db)
    }

    private static func visitors(
        _ column: String, _ value: String, _ brand: String, _ sandbox: String, _ db: Database
    ) throws -> [Visitor] {
        try db.rows("SELECT * FROM cxone_visitor WHERE sandbox = ? AND brand = ? AND \(column) = ? ORDER BY id", [sandbox, brand, value])
            .map { row in
                Visitor(
                    brand: brand, id: row["id"], customer: row["customer"], platform: row["platform"], device: row["device"],
                    destination: row["destination"], visit: row["visit"], visitedAt: row["visit_at"])
            }
    }

    /// Those that registered a device.
    static func visitors(on device: String, _ brand: String, _ sandbox: String, _ db: Database) throws -> [Visitor] {
        try visitors("device", device, brand, sandbox, db)
    }

    // MARK: Customers

    struct Customer: Sendable {
        var brand: String
        var id: String
        var firstName: String
        var lastName: String
        /// The brand signed them in; the id is the brand's.
        var isSignedIn: Bool
        /// JSON, as clients read them.
        var fields: [JSON] = []
        var lastSeen: Timestamp
        var signIns = 0
        var signOuts = 0

        /// Keeps it; empty names do not replace others, nor do fields.
        func keep(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT INTO cxone_customer (sandbox, brand, id, first_name, last_name, is_signed_in, fields, number, last_seen)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(max(number), 0) + 1, ?8 FROM cxone_customer WHERE sandbox = ?1 AND brand = ?2
                ON CONFLICT DO UPDATE SET first_name = iif(excluded.first_name = '', first_name, excluded.first_name),
                  last_name = iif(excluded.last_name = '', last_name, excluded.last_name),
                  is_signed_in = max(is_signed_in, excluded.is_signed_in), last_seen = excluded.last_seen
                """, [sandbox, brand, id, firstName, lastName, isSignedIn, JSON.array(fields).text, lastSeen])
        }

        /// The customer as clients read them.
        var identity: JSON {
            ["idOnExternalPlatform": .string(id), "firstName": .string(firstName), "lastName": .string(lastName)]
        }
    }

    static func customer(_ id: String, of brand: String, _ sandbox: String, _ db: Database) throws -> Customer? {
        try db.row("SELECT * FROM cxone_customer WHERE sandbox = ? AND brand = ? AND id = ?", [sandbox, brand, id]).map(customer)
    }

    /// In the order of coming.
    static func customers(of brand: String, _ sandbox: String, _ db: Database) throws -> [Customer] {
        try db.rows("SELECT * FROM cxone_customer WHERE sandbox = ? AND brand = ? ORDER BY number", [sandbox, brand]).map(customer)
    }

    private static func customer(_ row: StoredRow) throws -> Customer {
        Customer(
            brand: row["brand"], id: row["id"], firstName: row["first_name"], lastName: row["last_name"], isSignedIn: row["is_signed_in"],
            fields: try JSON(parsing: row["fields"] as String).array ?? [], lastSeen: row["last_seen"], signIns: row["sign_ins"],
            signOuts: row["sign_outs"])
    }

    static func setFields(_ fields: [JSON], of customer: String, _ brand: String, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "UPDATE cxone_customer SET fields = ? WHERE sandbox = ? AND brand = ? AND id = ?",
            [JSON.array(fields).text, sandbox, brand, customer])
    }

    /// Counts a sign-in or a sign-out.
    static func count(_ what: Count, of customer: String, _ brand: String, _ sandbox: String, _ db: Database) throws {
        let column = what == .signIn ? "sign_ins" : "sign_outs"
        try db.run(
            "UPDATE cxone_customer SET \(column) = \(column) + 1 WHERE sandbox = ? AND brand = ? AND id = ?", [sandbox, brand, customer])
    }

    /// The lane of a customer's calls: their own where the brand has signed them in, else that of the visitor behind whom they are.
    static func lane(of customer: String, _ brand: String, _ sandbox: String, _ db: Database) throws -> String {
        if try self.customer(customer, of: brand, sandbox, db)?.isSignedIn == true { return customer }
        return try visitors(of: customer, brand, sandbox, db).last?.id ?? customer
    }

    enum Count {
        case signIn, signOut
    }

    /// The customer who is called so: by the brand, by themselves, or by the id of their visitor.
    static func customer(called name: String, of brand: String, _ sandbox: String, _ db: Database) throws -> Customer? {
        if let customer = try customer(name, of: brand, sandbox, db) { return customer }
        guard let visitor = try visitor(name, of: brand, sandbox, db) else { return nil }
        return try customer(visitor.customer, of: brand, sandbox, db)
    }
}
