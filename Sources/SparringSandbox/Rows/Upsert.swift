public import GRDB

/// Puts a row in the place of the one that has its key. `INSERT OR REPLACE` would delete that first, with its entries in every index, and the history would keep
/// both rows whole. A row that is there already, as when an app registers again at each start, is left alone: nothing is written.
public struct Upsert: Sendable {
    private let sql: String

    /// - Parameters:
    ///   - key: the columns of the table's primary key.
    ///   - others: all others that are given.
    public init(_ table: String, key: [String], _ others: [String]) {
        let columns = key + others
        sql = """
            INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT DO UPDATE SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE \(others.map { "\(table).\($0) IS NOT excluded.\($0)" }.joined(separator: " OR "))
            """
    }

    /// - Parameter values: of the key's columns, then of the others.
    /// - Throws: `DatabaseError`
    public func put(_ values: Bindings, _ db: Database) throws { try db.run(sql, values) }
}
