/// A row that has been read.
public struct StoredRow: Sendable {
    let names: [String]
    let columns: [Column]

    /// - Precondition: there is such a column, and it holds such a value.
    public subscript<Value: ColumnValue>(_ name: String) -> Value { required(self[name], name) }
    public subscript<Value: ColumnValue>(_ place: Int) -> Value { required(self[place], names[place]) }

    /// Nil: NULL.
    ///
    /// - Precondition: there is such a column.
    public subscript<Value: ColumnValue>(_ name: String) -> Value? {
        guard let place = names.firstIndex(of: name) else { preconditionFailure("no column \(name) among \(names)") }
        return self[place]
    }

    public subscript<Value: ColumnValue>(_ place: Int) -> Value? {
        if case .null = columns[place] { return nil }
        guard let value = Value(columns[place]) else {
            preconditionFailure("column \(names[place]) holds \(columns[place]), no \(Value.self)")
        }
        return value
    }

    private func required<Value>(_ value: Value?, _ name: String) -> Value {
        guard let value else { preconditionFailure("column \(name) is NULL") }
        return value
    }
}
