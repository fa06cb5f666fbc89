import GRDB
import SparringEngine
import SparringJSON
import SparringJournal

/// One conversation with its dialogs, as stored.
struct Conversation: Sendable {
    var id: String
    var account: String
    var consumer: String
    /// OPEN or CLOSE: that of the main dialog.
    var state = "OPEN"
    /// OPEN or CLOSE: that of the whole, a survey included.
    var stage = "OPEN"
    var skill: String
    var ttr: JSON
    var context: JSON?
    var campaign: String?
    var engagement: String?
    var isFirst: Bool
    var started: Timestamp
    var updated: Timestamp
    var ended: Timestamp?
    var closeReason: String?
    var csat: JSON?
    /// In the order of opening; the first is the main one.
    var dialogs: [Dialog]

    struct Dialog: Sendable {
        var id: String
        var type: String
        var state = "OPEN"
        var started: Timestamp
        var ended: Timestamp?
        var closedBy: String?
        var closedCause: String?
        var participants: [Participant]
    }

    struct Participant: Sendable, Equatable {
        var id: String
        var role: String
    }

    // MARK: Reading

    static func find(_ id: String, sandbox: String, _ db: Database) throws -> Conversation? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM liveperson_conversation WHERE sandbox = ? AND id = ?"), arguments: [sandbox, id]
        ).map { try Conversation($0, sandbox, db) }
    }

    /// The conversation that a dialog belongs to.
    static func of(dialog: String, sandbox: String, _ db: Database) throws -> Conversation? {
        let id = try String.fetchOne(
            db.cachedStatement(sql: "SELECT conversation FROM liveperson_dialog WHERE sandbox = ? AND id = ?"),
            arguments: [sandbox, dialog])
        return try id.flatMap { try find($0, sandbox: sandbox, db) }
    }

    /// All of a consumer, oldest first.
    static func all(of consumer: String, account: String, sandbox: String, _ db: Database) throws -> [Conversation] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT * FROM liveperson_conversation WHERE sandbox = ? AND account = ? AND consumer = ? ORDER BY started, id"),
            arguments: [sandbox, account, consumer]
        ).map { try Conversation($0, sandbox, db) }
    }

    private init(_ row: Row, _ sandbox: String, _ db: Database) throws {
        func json(_ name: String) throws -> JSON? { try (row[name] as String?).map { try JSON(parsing: $0) } }
        func time(_ name: String) -> Timestamp? { (row[name] as Int64?).map { Timestamp(milliseconds: $0) } }
        id = row["id"]
        account = row["account"]
        consumer = row["consumer"]
        state = row["state"]
        stage = row["stage"]
        skill = row["skill"]
        ttr = try json("ttr") ?? [:]
        context = try json("context")
        campaign = row["campaign"]
        engagement = row["engagement"]
        isFirst = row["is_first"]
        started = Timestamp(milliseconds: row["started"])
        updated = Timestamp(milliseconds: row["updated"])
        ended = time("ended")
        closeReason = row["close_reason"]
        csat = try json("csat")
        dialogs = []
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM liveperson_dialog WHERE sandbox = ? AND conversation = ? ORDER BY started, type"),
            arguments: [sandbox, id])
        for dialog in rows {
            let participants = try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT id, role FROM liveperson_participant WHERE sandbox = ? AND dialog = ? ORDER BY position"),
                arguments: [sandbox, dialog["id"] as String])
            dialogs.append(
                Dialog(
                    id: dialog["id"], type: dialog["type"], state: dialog["state"], started: Timestamp(milliseconds: dialog["started"]),
                    ended: (dialog["ended"] as Int64?).map { Timestamp(milliseconds: $0) }, closedBy: dialog["closed_by"],
                    closedCause: dialog["closed_cause"], participants: participants.map { Participant(id: $0[0], role: $0[1]) }))
        }
    }

    init(
        id: String, account: String, consumer: String, skill: String, ttr: JSON, context: JSON?, campaign: String?, engagement: String?,
        isFirst: Bool, at now: Timestamp
    ) {
        self.id = id
        self.account = account
        self.consumer = consumer
        self.skill = skill
        self.ttr = ttr
        self.context = context
        self.campaign = campaign
        self.engagement = engagement
        self.isFirst = isFirst
        started = now
        updated = now
        // The main dialog has the conversation's id (reference 5.7).
        dialogs = [Dialog(id: id, type: "MAIN", started: now, participants: [Participant(id: consumer, role: "CONSUMER")])]
    }
}
