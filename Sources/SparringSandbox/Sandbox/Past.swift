package import GRDB
package import SparringJSON
import SparringJournal

/// A sandbox as it was once an entry had been written, with all else that the same call brought about. It can only be looked at.
package final class Past: Sendable {
    package let entry: Int
    private let queue: DatabaseQueue

    private init(_ queue: DatabaseQueue, at entry: Int) { (self.queue, self.entry) = (queue, entry) }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await queue.read(body)
    }

    /// How the clock went: `mode`, `rate`.
    package static func clock(of sandbox: Sandbox, _ db: Database) throws -> JSON {
        try JSON(parsing: String.fetchOne(db, sql: "SELECT clock FROM sandbox WHERE id = ?", arguments: [sandbox.id]) ?? "{}")
    }

    /// By vendor.
    static func tenants(of sandbox: Sandbox, _ db: Database) throws -> [String: (id: String, configuration: JSON)] {
        let rows = try Row.fetchAll(db, sql: "SELECT vendor, id, configuration FROM tenant WHERE sandbox = ?", arguments: [sandbox.id])
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in
                (row["vendor"] as String, (row["id"] as String, try JSON(parsing: row["configuration"] as String)))
            })
    }

    /// The work that the store keeps, in the order in which it falls due.
    package static func pending(of sandbox: Sandbox, _ db: Database) throws -> [DueItem] { try DueItem.all(of: sandbox.id, db) }

    /// - Returns: nil where the journal does not have the entry.
    static func of(_ sandbox: Sandbox, at entry: Int, _ db: Database) throws -> Past? {
        guard let newest = try sandbox.journal.newest(db), entry <= newest, try sandbox.journal.losses(db).floor < entry else { return nil }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.write { past in
            let schema = try String.fetchAll(
                db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC")
            for statement in schema { try past.execute(sql: statement) }
            for table in try HistoryTable.all(db) { try table.copy(sandbox.id, from: db, to: past) }
            try past.execute(
                sql: "INSERT INTO sandbox (id, position, seed, creation, clock) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    sandbox.id, sandbox.position, sandbox.seed, sandbox.creation.text,
                    try String.fetchOne(db, sql: "SELECT clock FROM sandbox WHERE id = ?", arguments: [sandbox.id]),
                ])
            try History.undoings(sandbox.journal.places, after: entry, db) { try past.execute(sql: $0) }
            // Lanes that a fault has met only since.
            try past.execute(sql: "DELETE FROM fault_lane WHERE matched <= 0")
        }
        try queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
        return Past(queue, at: entry)
    }
}

extension Sandbox {
    /// The sandbox as it was at an entry.
    ///
    /// - Returns: nil where the journal does not have the entry.
    package func past(at entry: Int) async throws -> Past? {
        try await store.pool.read { [self] db in try Past.of(self, at: entry, db) }
    }
}
