public import SparringJournal

/// The value of a column (sqlite.org/datatype3.html).
public enum Column: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A type whose values can be stored in a column.
public protocol ColumnValue: Sendable {
    var column: Column { get }
    /// Nil where a column holds something else.
    init?(_ column: Column)
}

extension String: ColumnValue {
    public var column: Column { .text(self) }
    public init?(_ column: Column) {
        guard case .text(let text) = column else { return nil }
        self = text
    }
}

extension Int64: ColumnValue {
    public var column: Column { .integer(self) }
    public init?(_ column: Column) {
        guard case .integer(let number) = column else { return nil }
        self = number
    }
}

extension Int: ColumnValue {
    public var column: Column { .integer(Int64(self)) }
    public init?(_ column: Column) {
        guard case .integer(let number) = column else { return nil }
        self = Int(number)
    }
}

extension Double: ColumnValue {
    public var column: Column { .real(self) }
    public init?(_ column: Column) {
        switch column {
        case .real(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

/// 0 or 1.
extension Bool: ColumnValue {
    public var column: Column { .integer(self ? 1 : 0) }
    public init?(_ column: Column) {
        guard case .integer(let number) = column else { return nil }
        self = number != 0
    }
}

extension [UInt8]: ColumnValue {
    public var column: Column { .blob(self) }
    public init?(_ column: Column) {
        guard case .blob(let bytes) = column else { return nil }
        self = bytes
    }
}

/// Milliseconds since 1970.
extension Timestamp: ColumnValue {
    public var column: Column { .integer(milliseconds) }
    public init?(_ column: Column) {
        guard case .integer(let number) = column else { return nil }
        self.init(milliseconds: number)
    }
}
