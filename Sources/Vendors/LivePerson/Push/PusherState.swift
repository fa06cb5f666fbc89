import SparringVendorKit

/// The pusher's records: the devices registered for each consumer, and the messages that each has not received.
enum PusherState {
    static let tables = Tables(
        "liveperson.pusher.1",
        """
        CREATE TABLE liveperson_push_registration (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          consumer TEXT NOT NULL,
          app TEXT NOT NULL,
          id TEXT NOT NULL,
          subject TEXT NOT NULL,              -- the consumer as the brand calls it
          device TEXT NOT NULL,
          push_type TEXT NOT NULL,
          lang TEXT,
          only_proactive INTEGER NOT NULL DEFAULT 0,
          registered_at INTEGER NOT NULL,     -- sandbox time in milliseconds
          PRIMARY KEY (sandbox, consumer, app)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX liveperson_push_registration_of_device ON liveperson_push_registration (sandbox, device);

        -- Messages that their consumer's socket has not been given.
        CREATE TABLE liveperson_push_unread (
          sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
          consumer TEXT NOT NULL,
          conversation TEXT NOT NULL,
          sequence INTEGER NOT NULL,
          PRIMARY KEY (sandbox, consumer, conversation, sequence)
        ) STRICT, WITHOUT ROWID;
        """
    )
    .then("liveperson.pusher.2") { db in
        // Devices and what they got are the engine's now.
        guard try db.tableExists("liveperson_push_device") else { return }
        try db.execute(
            sql: """
                INSERT INTO device (sandbox, token, app, push_type, vendor, owner, consumer)
                SELECT sandbox, token, app, push_type, 'liveperson', owner, owner_subject FROM liveperson_push_device
                """)
        for row in try Row.fetchAll(db, sql: "SELECT * FROM liveperson_push_notification ORDER BY sandbox, device, number") {
            let (inbox, token): (DeviceInbox, String) = (DeviceInbox(of: row["sandbox"]), row["device"])
            let (content, file) = PushPayload.shown(
                try JSON(parsing: row["posted"] as String), on: try inbox.device(token, db), for: row["consumer"])
            try inbox.append(content, simulatorFile: file, to: token, at: row["time"], db)
        }
        try db.execute(sql: "DROP TABLE liveperson_push_device; DROP TABLE liveperson_push_notification")
    }

    // MARK: Registrations

    struct Registration: Sendable {
        var id: String
        var consumer: String
        var subject: String
        var app: String
        var device: String
        var pushType: String
        var lang: String?
        /// It was unregistered for agents' messages.
        var isOnlyProactive = false
        var registeredAt: Timestamp

        private static let row = Upsert(
            "liveperson_push_registration", key: ["sandbox", "consumer", "app"],
            ["id", "subject", "device", "push_type", "lang", "only_proactive", "registered_at"])

        /// Puts the registration in the place of the consumer's earlier one of the app.
        func insert(_ sandbox: String, _ db: Database) throws {
            try Self.row.put([sandbox, consumer, app, id, subject, device, pushType, lang, isOnlyProactive, registeredAt], db)
            try DeviceInbox(of: sandbox).put(
                Device(token: device, app: app, pushType: pushType, vendor: LivePerson.vendorName, owner: consumer, consumer: subject), db)
        }
    }

    static func registration(of consumer: String, app: String, _ sandbox: String, _ db: Database) throws -> Registration? {
        try db.row("SELECT * FROM liveperson_push_registration WHERE sandbox = ? AND consumer = ? AND app = ?", [sandbox, consumer, app])
            .map(Registration.init)
    }

    /// A consumer's registrations, by app.
    static func registrations(of consumer: String, _ sandbox: String, _ db: Database) throws -> [Registration] {
        try db.rows("SELECT * FROM liveperson_push_registration WHERE sandbox = ? AND consumer = ? ORDER BY app", [sandbox, consumer]).map(
            Registration.init)
    }

    /// All who are registered on a device, the earliest first.
    static func registrations(on device: String, _ sandbox: String, _ db: Database) throws -> [Registration] {
        try db.rows(
            "SELECT * FROM liveperson_push_registration WHERE sandbox = ? AND device = ? ORDER BY registered_at, consumer",
            [sandbox, device]
        ).map(Registration.init)
    }

    /// A consumer's registration for an app: its id and the device.
    static func registered(
        _ consumer: String, app: String, _ sandbox: String, _ db: Database
    ) throws -> (id: String, device: String)? {
        try db.row(
            "SELECT id, device FROM liveperson_push_registration WHERE sandbox = ? AND consumer = ? AND app = ?", [sandbox, consumer, app]
        )
        .map { ($0[0], $0[1]) }
    }

    /// All others who are registered on a device, the earliest first.
    static func others(
        on device: String, than consumer: String, _ sandbox: String, _ db: Database
    ) throws -> [(subject: String, isOnlyProactive: Bool)] {
        try db.rows(
            "SELECT registered_at, consumer, subject, only_proactive FROM liveperson_push_registration WHERE sandbox = ? AND device = ? AND consumer <> ?",
            [sandbox, device, consumer]
        )
        .sorted { ($0[0] as Int64, $0[1] as String) < ($1[0] as Int64, $1[1] as String) }.map { ($0[2], $0[3]) }
    }

    /// - Returns: false where there was none.
    static func unregister(_ consumer: String, app: String, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.run("DELETE FROM liveperson_push_registration WHERE sandbox = ? AND consumer = ? AND app = ?", [sandbox, consumer, app]) == 1
    }

    /// Leaves proactive pushes.
    ///
    /// - Returns: false where there was none.
    static func unregisterFromAgents(_ consumer: String, app: String, _ sandbox: String, _ db: Database) throws -> Bool {
        try db.run(
            "UPDATE liveperson_push_registration SET only_proactive = 1 WHERE sandbox = ? AND consumer = ? AND app = ?",
            [sandbox, consumer, app]) == 1
    }

    // MARK: Unread

    /// Counts a message that its consumer's socket has not been given; again is once.
    static func missed(_ consumer: String, conversation: String, sequence: Int, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT OR IGNORE INTO liveperson_push_unread (sandbox, consumer, conversation, sequence) VALUES (?, ?, ?, ?)",
            [sandbox, consumer, conversation, sequence])
    }

    /// The consumer's socket has been given a conversation's events up to one of them, that one included.
    static func received(_ consumer: String, conversation: String, upTo sequence: Int, _ sandbox: String, _ db: Database) throws {
        try db.run(
            "DELETE FROM liveperson_push_unread WHERE sandbox = ? AND consumer = ? AND conversation = ? AND sequence <= ?",
            [sandbox, consumer, conversation, sequence])
    }

    /// The numbers of unread messages by conversation, where there are any.
    static func unread(_ consumer: String, _ sandbox: String, _ db: Database) throws -> [(conversation: String, count: Int)] {
        try db.rows(
            """
            SELECT conversation, count(*) FROM liveperson_push_unread WHERE sandbox = ? AND consumer = ?
            GROUP BY conversation ORDER BY conversation
            """, [sandbox, consumer]
        ).map { ($0[0], $0[1]) }
    }
}

extension PusherState.Registration {
    fileprivate init(_ row: StoredRow) {
        self.init(
            id: row["id"], consumer: row["consumer"], subject: row["subject"], app: row["app"], device: row["device"],
            pushType: row["push_type"], lang: row["lang"], isOnlyProactive: row["only_proactive"], registeredAt: row["registered_at"])
    }
}
