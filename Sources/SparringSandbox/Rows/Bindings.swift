import CSQLite

/// Values for the parameters of a statement, in their order.
public struct Bindings: ExpressibleByArrayLiteral {
    private var values: [(any ColumnValue)?]

    public init(arrayLiteral values: (any ColumnValue)?...) { self.values = values }

    /// Binds them for as long as `body` takes. Texts and blobs are put into memory of the stack together: SQLite, which copies none of it, would else take memory for
    /// each.
    func bound<Result>(to statement: OpaquePointer, _ body: () throws -> Result) throws -> Result {
        let columns = values.map { $0?.column ?? .null }
        let size = columns.reduce(0) { $0 + $1.size }
        return try withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: 1) { room in
            var taken = 0
            for (place, column) in columns.enumerated() {
                taken += column.bind(to: statement, Int32(place + 1), through: UnsafeMutableRawBufferPointer(rebasing: room[taken...]))
            }
            // What is bound goes with this room.
            defer { sqlite3_clear_bindings(statement) }
            return try body()
        }
    }
}

extension Column {
    /// Bytes of a text or blob.
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        default: 0
        }
    }

    /// - Parameter room: for a text or blob.
    /// - Returns: how much of it was taken.
    fileprivate func bind(to statement: OpaquePointer, _ place: Int32, through room: UnsafeMutableRawBufferPointer) -> Int {
        switch self {
        case .null: sqlite3_bind_null(statement, place)
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .real(let number): sqlite3_bind_double(statement, place, number)
        case .text(var text):
            let count = text.withUTF8 { utf8 in
                room.copyMemory(from: UnsafeRawBufferPointer(utf8))
                return utf8.count
            }
            sqlite3_bind_text(statement, place, room.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), nil)
            return count
        case .blob(let bytes):
            room.copyBytes(from: bytes)
            // A null pointer would bind NULL.
            sqlite3_bind_blob64(statement, place, room.baseAddress, UInt64(bytes.count), nil)
            return bytes.count
        }
        return 0
    }

    /// The value that a statement's present row has there.
    init(_ statement: OpaquePointer, _ place: Int32) {
        switch sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, place))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, place))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, place)
            self = .text(
                String(decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, place))), as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, place)
            self = .blob(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, place)))))
        default: self = .null
        }
    }
}
