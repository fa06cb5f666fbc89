import SparringVendorKit

/// Reading conversations.
extension Conversation {
    static func find(_ id: String, sandbox: String, _ db: Database) throws -> Conversation? {
        try db.row("SELECT * FROM liveperson_conversation WHERE sandbox = ? AND id = ?", [sandbox, id]).map {
            try Conversation($0, sandbox, db)
        }
    }

    /// The conversation that a dialog belongs to.
    static func of(dialog: String, sandbox: String, _ db: Database) throws -> Conversation? {
        try db.row(
            """
            SELECT c.* FROM liveperson_dialog AS d JOIN liveperson_conversation AS c ON c.sandbox = d.sandbox AND c.id = d.conversation
            WHERE d.sandbox = ? AND d.id = ?
            """, [sandbox, dialog]
        ).map { try Conversation($0, sandbox, db) }
    }

    /// All of a consumer, oldest first.
    static func all(of consumer: String, account: String, sandbox: String, _ db: Database) throws -> [Conversation] {
        try db.rows(
            "SELECT * FROM liveperson_conversation WHERE sandbox = ? AND account = ? AND consumer = ? ORDER BY started, id",
            [sandbox, account, consumer]
        ).map { try Conversation($0, sandbox, db) }
    }

    /// All of an account, oldest first.
    ///
    /// - Parameters:
    ///   - consumer: whose; nil: anybody's.
    ///   - state: OPEN or CLOSE; nil: any.
    static func all(account: String, consumer: String?, state: String?, sandbox: String, _ db: Database) throws -> [Conversation] {
        try db.rows(
            """
            SELECT * FROM liveperson_conversation WHERE sandbox = ? AND account = ? AND consumer = coalesce(?, consumer)
              AND state = coalesce(?, state) ORDER BY started, id
            """, [sandbox, account, consumer, state]
        ).map { try Conversation($0, sandbox, db) }
    }

    private init(_ row: StoredRow, _ sandbox: String, _ db: Database) throws {
        func json(_ name: String) throws -> JSON? { try (row[name] as String?).map { try JSON(parsing: $0) } }
        // One row for each participant; a dialog without any has one as well.
        let rows = try db.rows(
            """
            SELECT d.*, p.id AS participant, p.role FROM liveperson_dialog AS d
            LEFT JOIN liveperson_participant AS p ON p.sandbox = d.sandbox AND p.dialog = d.id
            WHERE d.sandbox = ? AND d.conversation = ? ORDER BY d.started, d.type, d.id, p.position
            """, [sandbox, row["id"] as String])
        var dialogs: [Dialog] = []
        for dialog in rows {
            if dialogs.last?.id != dialog["id"] {
                dialogs.append(
                    Dialog(
                        id: dialog["id"], type: dialog["type"], state: dialog["state"], started: dialog["started"], ended: dialog["ended"],
                        closedBy: dialog["closed_by"], closedCause: dialog["closed_cause"], participants: []))
            }
            if let id: String = dialog["participant"] {
                dialogs[dialogs.count - 1].participants.append(Participant(id: id, role: dialog["role"]))
            }
        }
        self.init(
            id: row["id"], account: row["account"], consumer: row["consumer"], state: row["state"], stage: row["stage"],
            skill: row["skill"], ttr: try json("ttr") ?? [:], context: try json("context"), campaign: row["campaign"],
            engagement: row["engagement"], language: row["language"], survey: row["survey"], isFirst: row["is_first"],
            started: row["started"], updated: row["updated"], ended: row["ended"], closeReason: row["close_reason"],
            csat: try json("csat"), manualETTR: row["manual_ettr"], note: row["note"], dialogs: dialogs)
    }
}

/// Writing conversations and their events.
extension Conversation {
    private static let row = Upsert(
        "liveperson_conversation", key: ["sandbox", "id"],
        [
            "account", "consumer", "state", "stage", "skill", "ttr", "context", "campaign", "engagement", "is_first", "started", "updated",
            "ended", "close_reason", "csat", "language", "survey", "manual_ettr", "note",
        ])

    /// Writes the whole of it. Dialogs keep their running sequence.
    func store(sandbox: String, _ db: Database) throws {
        try Self.row.put(
            [
                sandbox, id, account, consumer, state, stage, skill, ttr.text, context?.text, campaign, engagement, isFirst, started,
                updated, ended, closeReason, csat?.text, language, survey, manualETTR, note,
            ], db)
        for dialog in dialogs {
            // next_sequence, which earlier versions counted, stays: without it the history could not put back the rows that it has.
            try db.run(
                """
                INSERT INTO liveperson_dialog (sandbox, id, conversation, type, state, started, ended, closed_by, closed_cause, next_sequence)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
                ON CONFLICT DO UPDATE SET state = excluded.state, ended = excluded.ended, closed_by = excluded.closed_by,
                  closed_cause = excluded.closed_cause
                """, [sandbox, dialog.id, id, dialog.type, dialog.state, dialog.started, dialog.ended, dialog.closedBy, dialog.closedCause])
            try db.run("DELETE FROM liveperson_participant WHERE sandbox = ? AND dialog = ?", [sandbox, dialog.id])
            for (position, participant) in dialog.participants.enumerated() {
                try db.run(
                    "INSERT INTO liveperson_participant (sandbox, dialog, position, id, role) VALUES (?, ?, ?, ?, ?)",
                    [sandbox, dialog.id, position, participant.id, participant.role])
            }
        }
    }

    /// The next sequence number of a dialog (LivePerson reference 5.11: the first is 0).
    static func nextSequence(dialog: String, sandbox: String, _ db: Database) throws -> Int {
        let last = try db.value(
            "SELECT max(sequence) FROM liveperson_event WHERE sandbox = ? AND dialog = ?", [sandbox, dialog], as: Int.self)
        return last.map { $0 + 1 } ?? 0
    }

    static func keep(_ change: JSON, sequence: Int, dialog: String, sandbox: String, _ db: Database) throws {
        try db.run(
            "INSERT INTO liveperson_event (sandbox, dialog, sequence, record) VALUES (?, ?, ?, ?)",
            [sandbox, dialog, sequence, change.text])
    }

    /// One of a dialog's events, as it is notified; nil where the dialog has not come so far.
    static func event(_ sequence: Int, dialog: String, sandbox: String, _ db: Database) throws -> JSON? {
        try db.value(
            "SELECT record FROM liveperson_event WHERE sandbox = ? AND dialog = ? AND sequence = ?", [sandbox, dialog, sequence],
            as: String.self
        ).map { try JSON(parsing: $0) }
    }

    /// The last of a dialog's events that fits, as it is notified.
    static func lastEvent(dialog: String, sandbox: String, _ db: Database, where fits: (JSON) -> Bool) throws -> JSON? {
        let records = try String.fetchCursor(
            db.cachedStatement(sql: "SELECT record FROM liveperson_event WHERE sandbox = ? AND dialog = ? ORDER BY sequence DESC"),
            arguments: [sandbox, dialog])
        while let record = try records.next() {
            let event = try JSON(parsing: record)
            if fits(event) { return event }
        }
        return nil
    }

    /// A dialog's events from a sequence on, in order, as they are notified.
    static func events(dialog: String, from sequence: Int, sandbox: String, _ db: Database) throws -> [JSON] {
        try db.values(
            "SELECT record FROM liveperson_event WHERE sandbox = ? AND dialog = ? AND sequence >= ? ORDER BY sequence",
            [sandbox, dialog, sequence], as: String.self
        ).map { try JSON(parsing: $0) }
    }
}
