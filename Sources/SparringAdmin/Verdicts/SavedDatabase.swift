import GRDB
package import SparringJSON
import SparringJournal
import SparringSandbox
package import SparringVerdict

/// A database that no server need have open: for judging what happened in it.
package struct SavedDatabase: Sendable {
    private let store: SavedStore

    /// Opens the file for reading; a server may be writing it.
    ///
    /// - Throws: ``ToolError`` where it is no database of Sparring's, or cannot be read as a whole.
    package init(path: String) throws { store = try SavedStore(path: path) }

    /// In the order of their making.
    package var sandboxes: [String] {
        get throws { try store.read { try String.fetchAll($0, sql: "SELECT id FROM sandbox ORDER BY position") } }
    }

    /// A sandbox's journal, oldest first.
    ///
    /// - Parameters:
    ///   - limit: nil: all.
    ///   - isTail: the newest that match, in place of the first.
    ///   - namesPeople: each entry has the person behind its lane, as a server shows it.
    /// - Throws: ``ToolError`` where there is no such sandbox.
    package func entries(
        _ sandbox: String, since: Int = 0, operation: String? = nil, kind: String? = nil, lane: String? = nil, limit: Int? = nil,
        isTail: Bool = false, namesPeople: Bool = false
    ) throws -> [JSON] {
        try store.read { db in
            let position = try Int64.fetchOne(db, sql: "SELECT position FROM sandbox WHERE id = ?", arguments: [sandbox])
            guard let position, Journal.positions.contains(position) else { throw try unknown(sandbox, db) }
            let query = Journal.Query(
                since: since, operation: operation, kind: kind, lane: lane?.laneName, limit: limit ?? .max, isTail: isTail)
            let entries = try Journal(sandbox: sandbox, position: position).read(query, db).map { try JSON(parsing: $0) }
            return namesPeople ? try people(of: sandbox, db).naming(entries) : entries
        }
    }

    /// The sandbox as `GET /__admin/sandboxes/{sandbox}?made=true` shows it, as far as a file knows it.
    ///
    /// - Throws: ``ToolError`` where there is no such sandbox.
    package func sandbox(_ sandbox: String) throws -> JSON {
        try store.read { db in
            let row = try Row.fetchOne(db, sql: "SELECT seed, creation FROM sandbox WHERE id = ?", arguments: [sandbox])
            guard let row else { throw try unknown(sandbox, db) }
            let tenants = try Row.fetchAll(db, sql: "SELECT vendor, configuration, id FROM tenant WHERE sandbox = ?", arguments: [sandbox])
            let configurations = try tenants.map { ($0[0] as String, try JSON(parsing: Array(($0[1] as String).utf8))) }
            return [
                "id": .string(sandbox), "seed": .integer(row[0]),
                "made": [
                    "creation": try JSON(parsing: Array((row[1] as String).utf8)),
                    "configurations": .object(JSON.Object(uniqueKeysWithValues: configurations)),
                    "ids": .object(JSON.Object(uniqueKeysWithValues: tenants.map { ($0[0] as String, JSON.string($0[2])) })),
                ],
            ]
        }
    }

    /// The people behind the names in a sandbox's calls. A database of an earlier version has no such table.
    private func people(of sandbox: String, _ db: Database) throws -> People {
        try db.tableExists("alias") ? Aliases(sandbox: sandbox).people(db) : .unknown
    }

    private func unknown(_ sandbox: String, _ db: Database) throws -> ToolError {
        let all = try String.fetchAll(db, sql: "SELECT id FROM sandbox ORDER BY position")
        let hint = all.isEmpty ? "it has none" : "there are \(all.joined(separator: ", "))"
        return ToolError("there is no sandbox '\(sandbox)' in it; \(hint)", .usage)
    }

    /// Judges a sandbox. The watch ended with its last entry.
    ///
    /// - Throws: ``ToolError`` where there is no such sandbox, ``ConfigurationError`` for a rule that is not known.
    package func judge(_ sandbox: String, _ request: VerdictRequest, _ behaviours: Behaviours) throws -> VerdictReport {
        try store.read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT seed, creation, position, pruned, clock FROM sandbox WHERE id = ?", arguments: [sandbox])
            guard let row else { throw try unknown(sandbox, db) }
            let creation = try JSON(parsing: Array((row[1] as String).utf8))
            let plan = try request.plan(behaviours, sandbox: creation)
            let people = try people(of: sandbox, db)
            let run = Judging.Run(
                sandbox: sandbox, seed: row[0], node: creation["node"]?.string, label: creation["label"]?.string,
                scenario: creation["scenario"]?["scenario"]?.string,
                pruned: row[3],
                unrecorded: store.unrecorded[sandbox].map { ($0.count, $0.words) }, people: people,
                caveats: try FaultCaveats.read(sandbox, db), rate: (try? JSON(parsing: row[4] as String))?["rate"]?.double ?? 0)
            var judging = plan.judging(run)
            guard Journal.positions.contains(row[2]) else {
                throw ToolError(
                    "\(store.path): sandbox '\(sandbox)' has the position \(row[2] as Int64), which Sparring never gives", .content)
            }
            let journal = Journal(sandbox: sandbox, position: row[2])
            try journal.forEach(db) { judging.take($0) }
            var report = judging.finish(at: nil)
            if request.showsExchanges { report.exchanges = try journal.exchanges(report.named, db, &report.contract.redaction) }
            return report
        }
    }
}
