import GRDB
import SparringJSON

/// How one change of a row is undone, as the history keeps it. It is data: a database may come from elsewhere, so that what it says is bound to statements of
/// our own, and never run.
///
/// Its text is a sign, the table's name, a unit separator (U+001F) and values as SQLite's `quote()` writes them, with commas between.
struct Undo {
    enum Change {
        /// A row had come, which has this key.
        case remove(key: [DatabaseValue])
        /// A row had gone.
        case put([DatabaseValue])
        /// Some of a row's columns had been changed, by their positions.
        case restore(key: [DatabaseValue], columns: [(position: Int, value: DatabaseValue)])
    }

    enum Sign {
        static let remove = "-"
        static let put = "+"
        static let restore = "="
        static let clock = "c"
        static let fault = "f"
        static let file = "r"
    }

    enum Step {
        case row(table: String, Change)
        case clock(DatabaseValue)
        /// A fault had counted a call of a lane, and struck it or not.
        case fault(number: DatabaseValue, lane: DatabaseValue, hits: DatabaseValue)
        /// A file was replaced. The row with its number has an undo of its own; the bytes are still there.
        case file
    }

    static let separator: UInt8 = 0x1F

    let step: Step

    /// - Throws: ``ToolError`` where the text is none.
    init(_ text: String) throws {
        var reader = UndoReader(Array(text.utf8))
        let sign = reader.sign()
        let table = try reader.name()
        switch sign {
        case Sign.remove: step = .row(table: table, .remove(key: try reader.values()))
        case Sign.put: step = .row(table: table, .put(try reader.values()))
        case Sign.restore:
            let key = try reader.values()
            step = .row(table: table, .restore(key: key, columns: try reader.columns()))
        case Sign.clock:
            guard let clock = try reader.values().first else { throw reader.error }
            step = .clock(clock)
        case Sign.fault:
            let values = try reader.values()
            guard values.count == 3 else { throw reader.error }
            step = .fault(number: values[0], lane: values[1], hits: values[2])
        case Sign.file: step = .file
        default: throw reader.error
        }
    }

    /// - Parameter tables: of the database, by their names.
    func apply(to db: Database, _ tables: [String: HistoryTable]) throws {
        switch step {
        case .file: break
        case .clock(let clock): try db.cachedStatement(sql: "UPDATE sandbox SET clock = ?").execute(arguments: [clock])
        case .fault(let number, let lane, let hits):
            try db.cachedStatement(sql: "UPDATE fault SET matched = matched - 1, hits = hits - ? WHERE number = ?")
                .execute(arguments: [hits, number])
            try db.cachedStatement(sql: "UPDATE fault_lane SET matched = matched - 1, hits = hits - ? WHERE fault = ? AND lane = ?")
                .execute(arguments: [hits, number, lane])
        case .row(let name, let change):
            guard let table = tables[name] else { throw ToolError("the history tells of a table that sandboxes do not have") }
            try table.undo(change, db)
        }
    }
}

/// Reads an ``Undo``.
private struct UndoReader {
    private let bytes: [UInt8]
    private var place = 0

    let error = ToolError("the history is damaged")

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func sign() -> String {
        guard let next else { return "" }
        place += 1
        return String(UnicodeScalar(next))
    }

    mutating func name() throws -> String {
        guard let end = bytes[place...].firstIndex(of: Undo.separator) else { throw error }
        defer { place = end + 1 }
        return String(decoding: bytes[place..<end], as: UTF8.self)
    }

    /// Up to the end, or the next separator.
    mutating func values() throws -> [DatabaseValue] {
        var values = [try value()]
        while let next {
            place += 1
            if next == Undo.separator { break }
            guard next == UInt8(ascii: ",") else { throw error }
            values.append(try value())
        }
        return values
    }

    /// `3=…,5=…,` to the end.
    mutating func columns() throws -> [(position: Int, value: DatabaseValue)] {
        var columns: [(Int, DatabaseValue)] = []
        while place < bytes.count {
            guard let equals = bytes[place...].firstIndex(of: UInt8(ascii: "=")), equals - place < 6,
                let position = Int(String(decoding: bytes[place..<equals], as: UTF8.self))
            else { throw error }
            place = equals + 1
            columns.append((position, try value()))
            guard next == UInt8(ascii: ",") else { throw error }
            place += 1
        }
        return columns
    }

    /// A literal (sqlite.org/lang_corefunc.html#quote).
    private mutating func value() throws -> DatabaseValue {
        switch next {
        case UInt8(ascii: "'"): return try text().databaseValue
        default:
            let end = bytes[place...].firstIndex { $0 == UInt8(ascii: ",") || $0 == Undo.separator } ?? bytes.endIndex
            let word = String(decoding: bytes[place..<end], as: UTF8.self)
            place = end
            if word == "NULL" { return .null }
            if let number = word.integer(in: Int64.min...Int64.max) { return number.databaseValue }
            if let number = Double(word) { return number.databaseValue }
            throw error
        }
    }

    private mutating func text() throws -> String {
        place += 1
        var text: [UInt8] = []
        while let quote = bytes[place...].firstIndex(of: UInt8(ascii: "'")) {
            text += bytes[place..<quote]
            place = quote + 1
            guard next == UInt8(ascii: "'") else { return String(decoding: text, as: UTF8.self) }
            text.append(UInt8(ascii: "'"))
            place += 1
        }
        throw error
    }
}
