public import GRDB
public import SparringJournal

/// A time is stored as its milliseconds.
extension Timestamp: DatabaseValueConvertible, StatementColumnConvertible {
    public init(sqliteStatement: SQLiteStatement, index: CInt) {
        self.init(milliseconds: Int64(sqliteStatement: sqliteStatement, index: index))
    }

    public var databaseValue: DatabaseValue { milliseconds.databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Timestamp? {
        Int64.fromDatabaseValue(value).map { Timestamp(milliseconds: $0) }
    }
}
