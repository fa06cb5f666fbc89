package import GRDB
public import SparringJSON
public import SparringJournal

/// Something to be done at a time of a sandbox, kept in the store until it has been done.
public struct DueItem: Sendable {
    /// Given when it is scheduled; never given twice.
    public internal(set) var number: Int64 = 0
    /// How often processes before this one began it as something that was left to them, and never ended it; nil: it was scheduled in this process.
    package internal(set) var abandoned: Int?
    /// Attempts after which it is put aside: it may be what ended those processes.
    package static let mostAbandoned = 3
    /// Sandbox time; what is past is due at once.
    public var due: Timestamp
    public var vendor: String
    /// The kind of work, a word of the vendor's own, spelled like an operationId.
    public var kind: String
    /// A description for people who look at what the clock has pending.
    public var what: String
    /// The lane that it belongs to: items of one lane are run one after the other, in order, however long one takes.
    public var lane: String
    /// The key under which it can be taken back with others, such as a conversation.
    public var key: String?
    public var body: JSON
    /// The call that brought it about.
    public var causedBy: JournalEntry.Origin?

    public init(
        due: Timestamp, vendor: String, kind: String, what: String, lane: String, key: String? = nil, body: JSON = [:],
        causedBy: JournalEntry.Origin? = nil
    ) {
        self.due = due
        self.vendor = vendor
        self.kind = kind
        self.what = what
        self.lane = lane
        self.key = key
        self.body = body
        self.causedBy = causedBy
    }
}

extension DueItem {
    /// `vendor.kind`, the name in the journal. A vendor's operation in a timeline is `vendor.operation` already.
    package var name: String { kind.contains(".") ? kind : "\(vendor).\(kind)" }

    /// - Returns: its number.
    func insert(_ sandbox: String, _ db: Database) throws -> Int64 {
        try db.cachedStatement(
            sql: "INSERT INTO due_work (sandbox, due, vendor, kind, what, lane, key, body, caused_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [sandbox, due.milliseconds, vendor, kind, what, lane, key, body.text, causedBy?.json.text])
        return db.lastInsertedRowID
    }

    /// In the order in which they fall due.
    static func all(of sandbox: String, _ db: Database) throws -> [DueItem] {
        try Row.fetchAll(db, sql: "SELECT * FROM due_work WHERE sandbox = ? ORDER BY due, number", arguments: [sandbox]).map {
            try DueItem($0)
        }
    }

    /// Counts an attempt that is about to begin, until ``remove(_:_:)``.
    package static func countAttempt(_ number: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE due_work SET attempts = attempts + 1 WHERE number = ?").execute(arguments: [number])
    }

    /// - Returns: false where it was not there any more.
    package static func remove(_ number: Int64, _ db: Database) throws -> Bool {
        try db.cachedStatement(sql: "DELETE FROM due_work WHERE number = ?").execute(arguments: [number])
        return db.changesCount == 1
    }

    static func numbers(vendor: String, key: String, _ sandbox: String, _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(sql: "SELECT number FROM due_work WHERE sandbox = ? AND vendor = ? AND key = ?"),
            arguments: [sandbox, vendor, key])
    }

    private init(_ row: Row) throws {
        let origin = try (row["caused_by"] as String?).map { try JSON(parsing: $0) }
        self.init(
            due: Timestamp(milliseconds: row["due"]), vendor: row["vendor"], kind: row["kind"], what: row["what"], lane: row["lane"],
            key: row["key"], body: try JSON(parsing: row["body"] as String),
            causedBy: origin.map { JournalEntry.Origin($0) })
        number = row["number"]
        abandoned = row["attempts"]
    }
}
