import CSQLite
import SparringJSON

/// Writes the values of an ``Undo`` as SQLite's `quote()` does (sqlite.org/lang_corefunc.html#quote).
enum UndoWriter {
    static func write(_ value: OpaquePointer?, to text: inout ByteBuffer) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: text.append(number: sqlite3_value_int64(value))
        case SQLITE_FLOAT: text.append(text: sqlite3_value_double(value).description)
        case SQLITE_TEXT: write(text: HistoryFunction.bytes(of: value), to: &text)
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
            text.append(text: "X'\(Array(bytes).hex)'")
        default: text.append("NULL")
        }
    }

    /// The value that a column had, by its position.
    static func write(column: Int, _ value: OpaquePointer?, to text: inout ByteBuffer) {
        text.append(number: Int64(column))
        text.append(UInt8(ascii: "="))
        write(value, to: &text)
        text.append(UInt8(ascii: ","))
    }

    static func write(text: String, to undo: inout ByteBuffer) {
        var text = text
        text.withUTF8 { write(text: $0, to: &undo) }
    }

    private static func write(text bytes: UnsafeBufferPointer<UInt8>, to text: inout ByteBuffer) {
        let quote = UInt8(ascii: "'")
        text.append(quote)
        var rest = bytes[...]
        while let place = rest.firstIndex(of: quote) {
            text.append(UnsafeBufferPointer(rebasing: rest[...place]))
            text.append(quote)
            rest = rest[(place + 1)...]
        }
        text.append(UnsafeBufferPointer(rebasing: rest))
        text.append(quote)
    }

    /// Whether `a IS b`, of two values of one column.
    static func areSame(_ a: OpaquePointer?, _ b: OpaquePointer?) -> Bool {
        let type = sqlite3_value_type(a)
        guard type == sqlite3_value_type(b) else { return false }
        switch type {
        case SQLITE_INTEGER: return sqlite3_value_int64(a) == sqlite3_value_int64(b)
        case SQLITE_FLOAT: return sqlite3_value_double(a) == sqlite3_value_double(b)
        case SQLITE_TEXT, SQLITE_BLOB:
            let (first, second) = (
                UnsafeRawBufferPointer(start: sqlite3_value_blob(a), count: Int(sqlite3_value_bytes(a))),
                UnsafeRawBufferPointer(start: sqlite3_value_blob(b), count: Int(sqlite3_value_bytes(b)))
            )
            return first.elementsEqual(second)
        default: return true
        }
    }
}
