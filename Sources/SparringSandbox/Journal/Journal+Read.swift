import Foundation
package import GRDB
import SparringLocks
import SparringJSON

/// Reading a journal, on any connection.
extension Journal {
    /// The stored texts of the entries that match, oldest first: as many as the query wants and as fit in so many bytes, but one at the least.
    package func read(_ query: Query, atMost bytes: Int = .max, _ db: Database) throws -> [[UInt8]] {
        let (condition, arguments) = try condition(query, db)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT record FROM journal WHERE \(condition) ORDER BY place \(query.isTail ? "DESC" : "ASC") LIMIT ?",
            arguments: arguments + [query.limit])
        var (found, size): ([[UInt8]], Int) = ([], 0)
        while let row = try rows.next() {
            let record = [UInt8](row[0] as DatabaseValue)
            size += record.count
            if size > bytes, !found.isEmpty { break }
            found.append(record)
        }
        return query.isTail ? found.reversed() : found
    }

    /// All of it, oldest first, one at a time.
    package func forEach(_ db: Database, _ body: ([UInt8]) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT record FROM journal WHERE place BETWEEN ? AND ? ORDER BY place", arguments: places.ends)
        while let row = try rows.next() { try row.withUnsafeData(atIndex: 0) { try body($0?.withUnsafeBytes { Array($0) } ?? []) } }
    }

    /// One entry's stored text; nil where there is none of that number any more.
    package func record(_ number: Int, _ db: Database) throws -> [UInt8]? {
        let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT record FROM journal WHERE place = ?"), arguments: [place(number)])
        return row.map { [UInt8]($0[0] as DatabaseValue) }
    }

    /// The newest few entries of any kind, oldest first.
    package func latest(_ count: Int, since: Int, _ db: Database) throws -> [[UInt8]] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT record FROM journal WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT ?",
            arguments: [place(since), places.upperBound - 1, count])
        return rows.reversed().map { row in [UInt8](row[0] as DatabaseValue) }
    }

    /// The number of the newest entry; nil where there is none.
    package func newest(_ db: Database) throws -> Int? {
        let last = try Int64.fetchOne(db, sql: "SELECT max(place) FROM journal WHERE place BETWEEN ? AND ?", arguments: places.ends)
        return last.map { Int($0 - places.lowerBound) }
    }

    /// How many entries match, whatever the query's limit.
    package func count(_ query: Query, _ db: Database) throws -> Int {
        let (condition, arguments) = try condition(query, db)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM journal WHERE \(condition)", arguments: arguments) ?? 0
    }

    private func condition(_ query: Query, _ db: Database) throws -> (sql: String, arguments: StatementArguments) {
        var sql = "place BETWEEN ? AND ?"
        var arguments: StatementArguments = [place(query.since), places.upperBound - 1]
        for (column, value) in [("operation", query.operation), ("kind", query.kind)] {
            guard let value else { continue }
            sql += " AND \(column) = ?"
            arguments += [value]
        }
        if let lane = query.lane {
            let of = try self.condition(lane: lane, db)
            sql += " AND \(of.sql)"
            arguments += of.arguments
        }
        return (sql, arguments)
    }

    /// Entries of the lane, and entries under other names that the same person held at that point.
    private func condition(lane: String, _ db: Database) throws -> (sql: String, arguments: StatementArguments) {
        let isKnown = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM alias WHERE sandbox = ? AND (name = ? OR actor = ?))", arguments: [sandbox, lane, lane])
        guard isKnown == true else { return ("lane = ?", [lane]) }
        let held = "a.sandbox = ? AND a.name = journal.lane AND journal.place - ? BETWEEN a.since AND ifnull(a.until, 1 << 40)"
        let sql = """
            (lane = ? AND NOT EXISTS (SELECT 1 FROM alias a WHERE \(held) AND a.actor <> ?)
              OR EXISTS (SELECT 1 FROM alias a WHERE \(held) AND a.actor = ?))
            """
        return (sql, [lane, sandbox, places.lowerBound, lane, sandbox, places.lowerBound, lane])
    }

    /// The losses of the journal: the highest number that has left it, and how many entries the limit has cost.
    package func losses(_ db: Database) throws -> (floor: Int, pruned: Int) {
        let row = try Row.fetchOne(db, sql: "SELECT journal_floor, pruned FROM sandbox WHERE id = ?", arguments: [sandbox])
        return (row?[0] ?? 0, row?[1] ?? 0)
    }

    /// Reads all entries, unless ``leave(_:_:)`` has said what is in them, and none was added since.
    func extent(_ db: Database) throws -> Extent {
        if let text = try String.fetchOne(db, sql: "SELECT journal_extent FROM sandbox WHERE id = ?", arguments: [sandbox]),
            let left = try? JSON(parsing: text), let newest = try newestPlace(db), left["newest"]?.integer == newest,
            let bytes = left["bytes"]?.integer(in: 0...Int64.max), let lanes = left["lanes"]?.object
        {
            return Extent(
                ordinals: lanes.reduce(into: [:]) { $0[$1.key] = $1.value.integer(in: 1...Int64.max).map { Int($0) } }, bytes: Int(bytes))
        }
        var ordinals: [String: Int] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql:
                "SELECT lane, max(ordinal) FROM journal WHERE place BETWEEN ? AND ? AND ordinal IS NOT NULL AND lane IS NOT NULL GROUP BY lane",
            arguments: places.ends)
        while let row = try rows.next() { ordinals[row[0]] = row[1] }
        return Extent(ordinals: ordinals, bytes: try size(db))
    }

    /// Leaves the next process a summary of the entries. To be called after everything else has been written.
    ///
    /// - Parameter ordinals: how far each lane has come, by its name.
    func leave(_ ordinals: [String: Int], _ db: Database) throws {
        guard let bytes = knownBytes, let newest = try newestPlace(db) else { return }
        let lanes = JSON.object(ordinals.reduce(into: [:]) { $0[$1.key] = .integer(Int64($1.value)) })
        let extent: JSON = ["newest": .integer(newest), "bytes": .integer(Int64(bytes)), "lanes": lanes]
        try db.execute(sql: "UPDATE sandbox SET journal_extent = ? WHERE id = ?", arguments: [extent.text, sandbox])
    }

    private func newestPlace(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT max(place) FROM journal WHERE place BETWEEN ? AND ?", arguments: places.ends)
    }

    /// Reads the size of all entries.
    func size(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT sum(length(record)) FROM journal WHERE place BETWEEN ? AND ?", arguments: places.ends) ?? 0
    }

    /// Bytes of its entries, as far as somebody has counted them.
    package var knownBytes: Int? { counts.withLock { $0.now.bytes } }

    /// The facts for which all entries have to be read.
    struct Extent: Sendable {
        /// How far each lane has come, by its name.
        var ordinals: [String: Int]
        /// The size of all entries together.
        var bytes: Int
    }
}

extension Array where Element == UInt8 {
    fileprivate init(_ value: DatabaseValue) {
        self = Data.fromDatabaseValue(value).map { Array($0) } ?? []
    }
}
