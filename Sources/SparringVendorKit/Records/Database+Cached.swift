public import GRDB

/// Statements that are compiled once for each connection.
extension Database {
    /// - Returns: how many rows the statement has inserted, changed or deleted.
    @discardableResult
    public func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try cachedStatement(sql: sql).execute(arguments: arguments)
        return changesCount
    }

    public func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    public func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }

    /// The first column of the first row; nil also where it is null.
    public func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ sql: String, _ arguments: StatementArguments = [], as type: Value.Type = Value.self
    ) throws -> Value? { try Value.fetchOne(cachedStatement(sql: sql), arguments: arguments) }

    /// The first column of all rows.
    public func values<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ sql: String, _ arguments: StatementArguments = [], as type: Value.Type = Value.self
    ) throws -> [Value] { try Value.fetchAll(cachedStatement(sql: sql), arguments: arguments) }
}
