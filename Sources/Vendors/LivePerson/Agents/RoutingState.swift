import SparringVendorKit

/// The conversations that wait for an agent, and the agents at whom they ring.
enum RoutingState {
    static let tables = Tables(
        "liveperson.routing.1",
        """
        CREATE TABLE liveperson_routing_task (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          conversation TEXT NOT NULL,
          is_waiting INTEGER NOT NULL,
          is_transfer INTEGER NOT NULL,       -- an agent has handed it over
          suggested TEXT,                     -- UUID of the agent whom alone it is offered to
          position INTEGER NOT NULL,          -- in the order in which they began to wait
          PRIMARY KEY (sandbox, conversation)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX liveperson_routing_task_waiting ON liveperson_routing_task (sandbox, account, is_waiting, position);

        CREATE TABLE liveperson_ring (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          account TEXT NOT NULL,
          id TEXT NOT NULL,
          conversation TEXT NOT NULL,
          agent TEXT NOT NULL,                -- UUID
          state TEXT NOT NULL,                -- WAITING, ACCEPTED, EXPIRED or WITHDRAWN
          expires INTEGER NOT NULL,           -- sandbox time in milliseconds
          PRIMARY KEY (sandbox, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX liveperson_ring_of_conversation ON liveperson_ring (sandbox, conversation, state);
        CREATE INDEX liveperson_ring_at_agent ON liveperson_ring (sandbox, account, agent, state);
        """)

    // MARK: Tasks

    struct Task: Sendable {
        var isWaiting: Bool
        var isTransfer: Bool
        var suggested: String?
    }

    static func task(of conversation: String, _ sandbox: String, _ db: Database) throws -> Task? {
        try db.row(
            "SELECT is_waiting, is_transfer, suggested FROM liveperson_routing_task WHERE sandbox = ? AND conversation = ?",
            [sandbox, conversation]
        ).map { Task(isWaiting: $0[0], isTransfer: $0[1], suggested: $0[2]) }
    }

    static func wait(_ conversation: String, account: String, isTransfer: Bool, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO liveperson_routing_task (sandbox, account, conversation, is_waiting, is_transfer, position)
            VALUES (?1, ?2, ?3, 1, ?4, (SELECT COALESCE(MAX(position), 0) + 1 FROM liveperson_routing_task WHERE sandbox = ?1 AND account = ?2))
            ON CONFLICT DO UPDATE SET is_waiting = 1, is_transfer = excluded.is_transfer, position = excluded.position
            """, [sandbox, account, conversation, isTransfer])
    }

    /// A suggestion that is not taken up by then falls.
    static func stopWaiting(_ conversation: String, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "UPDATE liveperson_routing_task SET is_waiting = 0, suggested = NULL WHERE sandbox = ? AND conversation = ?",
            [sandbox, conversation])
    }

    /// - Parameter agent: the UUID of the only agent whom the conversation is to be offered to; nil: every agent with its skill.
    static func suggest(_ agent: String?, for conversation: String, account: String, _ sandbox: String, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO liveperson_routing_task (sandbox, account, conversation, is_waiting, is_transfer, suggested, position)
            VALUES (?, ?, ?, 0, 1, ?, 0) ON CONFLICT DO UPDATE SET suggested = excluded.suggested
            """, [sandbox, account, conversation, agent])
    }

    /// Ids of the conversations that wait, the longest wait first.
    static func waiting(account: String, _ sandbox: String, _ db: Database) throws -> [String] {
        try db.values(
            """
            SELECT conversation FROM liveperson_routing_task WHERE sandbox = ? AND account = ? AND is_waiting = 1 ORDER BY position
            """, [sandbox, account])
    }

    // MARK: Rings

    struct Ring: Sendable {
        var id: String
        var conversation: String
        var agent: String
        var state: String
        var expires: Timestamp

        func insert(account: String, _ sandbox: String, _ db: Database) throws {
            try db.run(
                "INSERT INTO liveperson_ring (sandbox, account, id, conversation, agent, state, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [sandbox, account, id, conversation, agent, state, expires.milliseconds])
        }
    }

    static func ring(_ id: String, account: String, _ sandbox: String, _ db: Database) throws -> Ring? {
        try db.row("SELECT * FROM liveperson_ring WHERE sandbox = ? AND id = ? AND account = ?", [sandbox, id, account]).map(Ring.init)
    }

    /// How many a conversation has ever had.
    static func count(of conversation: String, _ sandbox: String, _ db: Database) throws -> Int {
        try db.value("SELECT COUNT(*) FROM liveperson_ring WHERE sandbox = ? AND conversation = ?", [sandbox, conversation]) ?? 0
    }

    /// Those of a conversation that wait.
    static func rings(of conversation: String, _ sandbox: String, _ db: Database) throws -> [Ring] {
        try db.rows(
            "SELECT * FROM liveperson_ring WHERE sandbox = ? AND conversation = ? AND state = 'WAITING' ORDER BY id",
            [sandbox, conversation]
        ).map(Ring.init)
    }

    /// Those at an agent that wait.
    static func rings(at agent: String, account: String, _ sandbox: String, _ db: Database) throws -> [Ring] {
        try db.rows(
            "SELECT * FROM liveperson_ring WHERE sandbox = ? AND account = ? AND agent = ? AND state = 'WAITING' ORDER BY expires, id",
            [sandbox, account, agent]
        ).map(Ring.init)
    }

    static func set(_ state: String, ring id: String, _ sandbox: String, _ db: Database) throws {
        try db.run("UPDATE liveperson_ring SET state = ? WHERE sandbox = ? AND id = ?", [state, sandbox, id])
    }
}

extension RoutingState.Ring {
    fileprivate init(_ row: StoredRow) {
        self.init(
            id: row["id"], conversation: row["conversation"], agent: row["agent"], state: row["state"],
            expires: Timestamp(milliseconds: row["expires"]))
    }
}
