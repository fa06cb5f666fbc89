import CSQLite
public import GRDB

/// Statements that are compiled once for each connection, and run through SQLite's own interface: GRDB's rows and arguments cost as much as the work itself.
extension Database {
    /// - Returns: how many rows the statement has inserted, changed or deleted.
    /// - Throws: `DatabaseError`
    @discardableResult
    public func run(_ sql: String, _ values: Bindings = []) throws -> Int {
        try step(sql, values) { _ in true }
        return Int(sqlite3_changes64(sqliteConnection))
    }

    public func row(_ sql: String, _ values: Bindings = []) throws -> StoredRow? {
        var found: [Column]?
        let names = try step(sql, values) { statement in
            found = Self.columns(of: statement)
            return false
        }
        return found.map { StoredRow(names: names, columns: $0) }
    }

    public func rows(_ sql: String, _ values: Bindings = []) throws -> [StoredRow] {
        var found: [[Column]] = []
        let names = try step(sql, values) { statement in
            found.append(Self.columns(of: statement))
            return true
        }
        return found.map { StoredRow(names: names, columns: $0) }
    }

    /// The first column of the first row; nil also where it is null.
    public func value<Value: ColumnValue>(_ sql: String, _ values: Bindings = [], as type: Value.Type = Value.self) throws -> Value? {
        var found: Value?
        try step(sql, values) { statement in
            found = Value(Column(statement, 0))
            return false
        }
        return found
    }

    /// The first column of all rows.
    public func values<Value: ColumnValue>(_ sql: String, _ values: Bindings = [], as type: Value.Type = Value.self) throws -> [Value] {
        try rows(sql, values).map { $0[0] }
    }

    /// Shows `body` one row after another, without keeping them.
    func each(_ sql: String, _ values: Bindings = [], _ body: (borrowing PassingRow) -> Void) throws {
        try step(sql, values) { statement in
            body(PassingRow(statement))
            return true
        }
    }

    /// - Parameter body: looks at a row; false: no further one is wanted.
    /// - Returns: the names of the columns.
    @discardableResult
    private func step(_ sql: String, _ values: Bindings, _ body: (OpaquePointer) -> Bool) throws -> [String] {
        let cached = try cachedStatement(sql: sql)
        let statement = cached.sqliteStatement
        try values.bound(to: statement) {
            defer { sqlite3_reset(statement) }
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_ROW: if !body(statement) { return }
                case SQLITE_DONE: return
                case let code:
                    throw DatabaseError(
                        resultCode: ResultCode(rawValue: code), message: sqliteConnection.map { String(cString: sqlite3_errmsg($0)) },
                        sql: sql)
                }
            }
        }
        return cached.columnNames
    }

    private static func columns(of statement: OpaquePointer) -> [Column] {
        (0..<sqlite3_column_count(statement)).map { Column(statement, $0) }
    }
}

/// A row on which its statement stands, for as long as it does.
struct PassingRow: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// Nil: NULL, or no such value.
    subscript<Value: ColumnValue>(_ place: Int32) -> Value? { Value(Column(statement, place)) }

    /// - Precondition: there is such a value.
    subscript<Value: ColumnValue>(_ place: Int32) -> Value {
        guard let value: Value = self[place] else { preconditionFailure("column \(place) holds no \(Value.self)") }
        return value
    }
}
