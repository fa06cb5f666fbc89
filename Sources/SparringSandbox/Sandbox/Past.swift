package import GRDB
package import SparringJSON

/// A sandbox as it was once an entry had been written, with all else that the same call brought about. It can only be looked at.
package final class Past: Sendable {
    /// Why there is none.
    package enum Lost: Error {
        /// The journal does not have the entry.
        case entry
        /// Too much has happened since, or what undoes it has been let go of.
        ///
        /// - Parameter oldest: the oldest entry at which the sandbox may still be shown; nil: that is not known.
        case tooFarBack(oldest: Int?)
    }

    package let entry: Int
    /// Bytes of memory that it takes.
    let bytes: Int
    private let queue: DatabaseQueue
    /// The file that it is in, if it is not in memory.
    private let file: String?

    private init(_ queue: DatabaseQueue, at entry: Int, bytes: Int, file: String?) {
        (self.queue, self.entry, self.bytes, self.file) = (queue, entry, bytes, file)
    }

    deinit {
        try? queue.close()
        if let file { TemporaryFile.remove(file) }
    }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await queue.read(body)
    }

    /// How the clock went: `mode`, `rate`.
    package static func clock(of sandbox: Sandbox, _ db: Database) throws -> JSON {
        try JSON(parsing: String.fetchOne(db, sql: "SELECT clock FROM sandbox WHERE id = ?", arguments: [sandbox.id]) ?? "{}")
    }

    /// The tenants of a sandbox, by vendor.
    static func tenants(of sandbox: Sandbox, _ db: Database) throws -> [String: (id: String, configuration: JSON)] {
        let rows = try Row.fetchAll(db, sql: "SELECT vendor, id, configuration FROM tenant WHERE sandbox = ?", arguments: [sandbox.id])
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in
                (row["vendor"] as String, (row["id"] as String, try JSON(parsing: row["configuration"] as String)))
            })
    }

    /// The work that the store keeps, in the order in which it falls due.
    package static func pending(of sandbox: Sandbox, _ db: Database) throws -> [DueItem] { try DueItem.all(of: sandbox.id, db) }

    /// - Parameter isBounded: it is in memory, and comes soon or not at all; else it is in a file of its own, and may take long.
    /// - Throws: ``Lost``.
    static func of(_ sandbox: Sandbox, at entry: Int, isBounded: Bool, _ db: Database) throws -> Past {
        guard let newest = try sandbox.journal.newest(db), entry <= newest, try sandbox.journal.losses(db).floor < entry else {
            throw Lost.entry
        }
        let floor = try History.floor(of: sandbox.id, db)
        if entry < floor { throw Lost.tooFarBack(oldest: floor) }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let file = isBounded ? nil : try TemporaryFile.reserve()
        do {
            let queue =
                try file.map { try DatabaseQueue(path: $0, configuration: configuration) } ?? DatabaseQueue(configuration: configuration)
            let bytes = try queue.inDatabase { past in
                // It is thrown away again.
                try past.execute(sql: "PRAGMA synchronous = OFF")
                try past.execute(sql: "PRAGMA journal_mode = OFF")
                try past.inTransaction {
                    try fill(past, with: sandbox, at: entry, isBounded: isBounded, db)
                    return .commit
                }
                try past.execute(sql: "PRAGMA query_only = ON")
                return try Int.fetchOne(past, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
            }
            return Past(queue, at: entry, bytes: bytes, file: file)
        } catch {
            if let file { TemporaryFile.remove(file) }
            throw error
        }
    }

    private static func fill(_ past: Database, with sandbox: Sandbox, at entry: Int, isBounded: Bool, _ db: Database) throws {
        let schema = try String.fetchAll(
            db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC")
        for statement in schema { try past.execute(sql: statement) }
        let tables = try HistoryTable.all(db)
        for table in tables { try table.copy(sandbox.id, from: db, to: past) }
        try past.execute(
            sql: "INSERT INTO sandbox (id, position, seed, creation, clock) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                sandbox.id, sandbox.position, sandbox.seed, sandbox.creation.text,
                try String.fetchOne(db, sql: "SELECT clock FROM sandbox WHERE id = ?", arguments: [sandbox.id]),
            ])
        let byName = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
        let isWhole = try History.undoings(sandbox.journal.places, after: entry, isBounded: isBounded, db) {
            try Undo($0).apply(to: past, byName)
        }
        if !isWhole { throw Lost.tooFarBack(oldest: nil) }
        // Lanes that a fault has met only since.
        try past.execute(sql: "DELETE FROM fault_lane WHERE matched <= 0")
    }
}

extension Sandbox {
    /// The sandbox as it was at an entry, however long it takes.
    ///
    /// - Throws: ``Past/Lost``.
    package func distantPast(at entry: Int) async throws -> Past {
        try await store.pool.read { [self] db in try Past.of(self, at: entry, isBounded: false, db) }
    }
}
