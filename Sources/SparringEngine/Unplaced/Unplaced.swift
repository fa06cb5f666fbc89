package import GRDB
import HTTPTypes
import SparringHTTP
package import SparringJSON
import SparringJournal
import SparringSandbox

/// Calls that fit no sandbox or no operation, kept for anyone who wonders where they went: the last thousand.
package final class Unplaced: Sendable {
    private static let limit = 1000
    private let store: Store
    private let process: Int

    init(store: Store, process: Int) {
        self.store = store
        self.process = process
    }

    /// Keeps a call; `then` follows the commit.
    func keep(_ call: UnplacedCall, then: @escaping @Sendable () -> Void = {}) {
        let record: JSON = .members([
            "arrival": [
                "wall": .string(Timestamp(milliseconds: call.arrival.wall / 1_000_000).description),
                "monotonic": .integer(call.arrival.monotonic), "process": .integer(Int64(process)),
            ],
            "method": call.method.map { .string($0) }, "target": .string(call.target), "host": call.host.map { .string($0) },
            "reason": .string(call.reason), "nearest": .array(call.nearest.map { .string($0) }),
            "stub": call.stub.map { .string($0) }, "sandbox": call.sandbox.map { .string($0) },
        ])
        store.submit { db in
            try db.cachedStatement(sql: "INSERT INTO unplaced (record) VALUES (CAST(? AS BLOB))").execute(arguments: [record.text])
            try db.cachedStatement(sql: "DELETE FROM unplaced WHERE number <= ?").execute(arguments: [
                db.lastInsertedRowID - Int64(Self.limit)
            ])
        } finished: { _ in
            then()
        }
    }

    /// The newest `limit`, oldest first.
    package func read(limit: Int, _ db: Database) throws -> [JSON] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, CAST(record AS TEXT) FROM unplaced ORDER BY number DESC LIMIT ?", arguments: [limit])
        return try rows.reversed().map { row in
            var entry: JSON = ["number": .integer(row[0])]
            for (name, value) in try JSON(parsing: row[1] as String).object ?? [:] { entry[name] = value }
            return entry
        }
    }

    package func clear(_ db: Database) throws { try db.execute(sql: "DELETE FROM unplaced") }
}
