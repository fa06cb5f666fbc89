import SparringVendorKit

/// Agents' sign-ins and availability (LivePerson reference 7).
enum AgentState {
    static let tables = Tables(
        "liveperson.agent.1",
        """
        CREATE TABLE liveperson_agent_login (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          bearer TEXT NOT NULL,
          csrf TEXT NOT NULL,
          cookie TEXT NOT NULL,
          agent TEXT NOT NULL,                -- UUID
          expires INTEGER NOT NULL,           -- sandbox time in milliseconds
          PRIMARY KEY (sandbox, bearer)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX liveperson_agent_login_cookie ON liveperson_agent_login (sandbox, cookie);

        CREATE TABLE liveperson_agent_availability (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          agent TEXT NOT NULL,
          availability TEXT NOT NULL,         -- ONLINE, OCCUPIED, BACK_SOON, AWAY or OFFLINE
          PRIMARY KEY (sandbox, account, agent)
        ) STRICT, WITHOUT ROWID;
        """)

    /// The result of a sign-in.
    struct Login: Sendable {
        var account: String
        var bearer: String
        var csrf: String
        var cookie: String
        /// The agent's UUID.
        var agent: String
        var expires: Timestamp

        func insert(_ sandbox: String, _ db: Database) throws {
            try db.run(
                """
                INSERT INTO liveperson_agent_login (sandbox, account, bearer, csrf, cookie, agent, expires) VALUES (?, ?, ?, ?, ?, ?, ?)
                """, [sandbox, account, bearer, csrf, cookie, agent, expires.milliseconds])
        }
    }

    static func login(bearer: String, _ sandbox: String, _ db: Database) throws -> Login? {
        try db.row("SELECT * FROM liveperson_agent_login WHERE sandbox = ? AND bearer = ?", [sandbox, bearer]).map(Login.init)
    }

    static func login(cookie: String, _ sandbox: String, _ db: Database) throws -> Login? {
        try db.row("SELECT * FROM liveperson_agent_login WHERE sandbox = ? AND cookie = ?", [sandbox, cookie]).map(Login.init)
    }

    static func extend(_ bearer: String, until expires: Timestamp, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "UPDATE liveperson_agent_login SET expires = ? WHERE sandbox = ? AND bearer = ?", [expires.milliseconds, sandbox, bearer])
    }

    // MARK: Availability

    /// AWAY until the agent has said something else.
    static func availability(of agent: String, account: String, _ sandbox: String, _ db: Database) throws -> String {
        try db.value(
            "SELECT availability FROM liveperson_agent_availability WHERE sandbox = ? AND account = ? AND agent = ?",
            [sandbox, account, agent]) ?? "AWAY"
    }

    static func setAvailability(_ availability: String, of agent: String, account: String, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT OR REPLACE INTO liveperson_agent_availability (sandbox, account, agent, availability) VALUES (?, ?, ?, ?)",
            [sandbox, account, agent, availability])
    }
}

extension AgentState.Login {
    fileprivate init(_ row: StoredRow) {
        self.init(
            account: row["account"], bearer: row["bearer"], csrf: row["csrf"], cookie: row["cookie"], agent: row["agent"],
            expires: Timestamp(milliseconds: row["expires"]))
    }
}
