import SparringVendorKit

/// LivePerson's records of consumers.
enum LivePersonState {
    static let tables = Tables(
        "liveperson.1",
        """
        CREATE TABLE liveperson_consumer (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          id TEXT NOT NULL,
          iss TEXT,                           -- nil: anonymous
          sub TEXT,
          first_seen INTEGER NOT NULL,        -- sandbox time in milliseconds
          last_seen INTEGER NOT NULL,
          sign_ins INTEGER NOT NULL,
          PRIMARY KEY (sandbox, id)
        ) STRICT, WITHOUT ROWID;
        """
    )
    // JSON: what a client of the consumer's last said that it is and can do.
    .then("liveperson.2", "ALTER TABLE liveperson_consumer ADD COLUMN client_properties TEXT")
    // How often tokens that had been given out before were made invalid.
    .then("liveperson.3", "ALTER TABLE liveperson_consumer ADD COLUMN sign_outs INTEGER NOT NULL DEFAULT 0")

    // MARK: Consumers

    struct Consumer: Sendable {
        var id: String
        /// The brand's name for the consumer; without a brand the id.
        var name: String
        var isAnonymous: Bool
        var signIns: Int
        var signOuts: Int
        var lastSeen: Timestamp
    }

    /// All who have signed in, the first first.
    static func consumers(_ sandbox: String, _ db: Database) throws -> [Consumer] {
        try db.rows("SELECT * FROM liveperson_consumer WHERE sandbox = ? ORDER BY first_seen, coalesce(sub, id), id", [sandbox])
            .map { row in
                let (id, iss, sub) = (row["id"] as String, row["iss"] as String?, row["sub"] as String?)
                return Consumer(
                    id: id, name: sub ?? id, isAnonymous: iss == nil || iss == LivePersonToken.issuer, signIns: row["sign_ins"],
                    signOuts: row["sign_outs"], lastSeen: row["last_seen"])
            }
    }

    /// Makes the tokens invalid that have been given out to the consumer.
    static func signOut(_ consumer: String, _ sandbox: String, _ db: Database) throws {
        try db.run("UPDATE liveperson_consumer SET sign_outs = sign_outs + 1 WHERE sandbox = ? AND id = ?", [sandbox, consumer])
    }

    /// How often tokens of the consumer have been made invalid; 0 where nobody has signed in so.
    static func signOuts(of consumer: String, _ sandbox: String, _ db: Database) throws -> Int {
        try db.value("SELECT sign_outs FROM liveperson_consumer WHERE sandbox = ? AND id = ?", [sandbox, consumer]) ?? 0
    }

    // MARK: Clients

    static func announce(_ properties: JSON, of consumer: String, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "UPDATE liveperson_consumer SET client_properties = ? WHERE sandbox = ? AND id = ?", [properties.text, sandbox, consumer])
    }

    /// The properties that a client of the consumer's announced last: what it is and can do.
    static func clientProperties(of consumer: String, _ sandbox: String, _ db: Database) throws -> JSON? {
        let text = try db.value(
            "SELECT client_properties FROM liveperson_consumer WHERE sandbox = ? AND id = ?", [sandbox, consumer], as: String.self)
        return try text.map { try JSON(parsing: $0) }
    }

    static func knows(_ consumer: String, _ sandbox: String, _ db: Database) throws -> Bool {
        try identity(of: consumer, sandbox, db) != nil
    }

    /// A consumer's identity at the brand, both parts nil for an anonymous one; nil for one who has never signed in.
    static func identity(of consumer: String, _ sandbox: String, _ db: Database) throws -> (iss: String?, sub: String?)? {
        try db.row("SELECT iss, sub FROM liveperson_consumer WHERE sandbox = ? AND id = ?", [sandbox, consumer]).map { ($0[0], $0[1]) }
    }

    /// Notes a sign-in.
    ///
    /// - Returns: how many there have been, this one included.
    static func signIn(_ consumer: String, iss: String?, sub: String?, _ sandbox: String, at now: Timestamp, _ db: Database) throws -> Int {
        try db.value(
            """
            INSERT INTO liveperson_consumer (sandbox, id, iss, sub, first_seen, last_seen, sign_ins) VALUES (?, ?, ?, ?, ?, ?, 1)
            ON CONFLICT DO UPDATE SET last_seen = excluded.last_seen, sign_ins = sign_ins + 1 RETURNING sign_ins
            """, [sandbox, consumer, iss, sub, now, now]) ?? 1
    }

    /// A consumer as the brand calls them; an anonymous one by their id.
    static func subject(of consumer: String, _ sandbox: String, _ db: Database) throws -> String {
        try db.value("SELECT sub FROM liveperson_consumer WHERE sandbox = ? AND id = ?", [sandbox, consumer]) ?? consumer
    }
}
