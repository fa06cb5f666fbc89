import GRDB
import SparringJSON
package import SparringJournal

/// A record of a sandbox that has ended by itself; nothing else is left of it.
package struct EndedSandbox: Sendable {
    package var id: String
    /// The time of its end, by the machine's clock.
    package var ended: Timestamp
    /// `it was not used for 2 h`
    package var reason: String
    /// The ids of its tenants, by vendor.
    package var tenants: [String: String]

    /// The newest of these are kept.
    static let limit = 1000

    package var words: String { "sandbox \(id.quoted) ended at \(ended): \(reason)" }

    init(of sandbox: Sandbox, _ reason: String) {
        self.init(
            id: sandbox.id, ended: Timestamp.now, reason: reason,
            tenants: sandbox.tenants.mapValues(\.id))
    }

    private init(id: String, ended: Timestamp, reason: String, tenants: [String: String]) {
        (self.id, self.ended, self.reason, self.tenants) = (id, ended, reason, tenants)
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO ended_sandbox (sandbox, ended, reason, tenants) VALUES (?, ?, ?, ?)",
            arguments: [id, ended.milliseconds, reason, json.text])
        try db.execute(
            sql: "DELETE FROM ended_sandbox WHERE sandbox IN (SELECT sandbox FROM ended_sandbox ORDER BY ended DESC LIMIT -1 OFFSET ?)",
            arguments: [Self.limit])
    }

    private var json: JSON {
        .object(JSON.Object(uniqueKeysWithValues: tenants.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }

    static func forget(_ id: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM ended_sandbox WHERE sandbox = ?", arguments: [id])
    }

    /// The oldest first.
    static func all(_ db: Database) throws -> [EndedSandbox] {
        try Row.fetchAll(db, sql: "SELECT sandbox, ended, reason, tenants FROM ended_sandbox ORDER BY ended, sandbox").map { row in
            let tenants = (try? JSON(parsing: row[3] as String))?.object ?? [:]
            return EndedSandbox(
                id: row[0], ended: Timestamp(milliseconds: row[1]), reason: row[2],
                tenants: Dictionary(tenants.compactMap { name, id in id.string.map { (name, $0) } }) { first, _ in first })
        }
    }
}
