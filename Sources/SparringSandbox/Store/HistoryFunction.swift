import CSQLite
import GRDB
import SparringJSON

/// The functions of SQL by which the history is written. The triggers' one composes the ``Undo`` and appends it itself: made in SQL of quoted and joined values,
/// each undo would cost as much as the change.
final class HistoryFunction {
    /// `history_note(sandbox, head, keys, value, …)`: where there are more values than keys, each two further ones are a column's before and after.
    static let note = "history_note"
    /// `history_record(sandbox, undo, besides)`: an undo that is not a row's, and how many bytes it keeps elsewhere. Its value is the place; NULL: nothing is
    /// recorded.
    static let record = "history_record"

    private typealias Values = UnsafeBufferPointer<OpaquePointer?>

    private let history: History
    private let statements: WriterStatements
    private let connection: OpaquePointer
    /// In which each undo is composed.
    private var text = ByteBuffer()

    private init(_ history: History, _ statements: WriterStatements, _ connection: OpaquePointer) {
        (self.history, self.statements, self.connection) = (history, statements, connection)
    }

    /// Adds both.
    ///
    /// - Throws: `DatabaseError`
    static func add(to db: Database, _ history: History, _ statements: WriterStatements) throws {
        guard let connection = db.sqliteConnection else { return }
        let function = HistoryFunction(history, statements, connection)
        try function.add(note, -1) { context, count, values in
            HistoryFunction.of(context)?.note(Values(start: values, count: Int(count)), context)
        }
        try function.add(record, 3) { context, count, values in
            HistoryFunction.of(context)?.record(Values(start: values, count: Int(count)), context)
        }
    }

    private func add(
        _ name: String, _ count: Int32, _ body: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) throws {
        // +1 for the connection's life, taken back when it is closed.
        let code = sqlite3_create_function_v2(
            connection, name, count, SQLITE_UTF8, Unmanaged.passRetained(self).toOpaque(), body, nil, nil,
            { pointer in
                if let pointer { Unmanaged<HistoryFunction>.fromOpaque(pointer).release() }
            })
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private static func of(_ context: OpaquePointer?) -> HistoryFunction? {
        sqlite3_user_data(context).map { Unmanaged<HistoryFunction>.fromOpaque($0).takeUnretainedValue() }
    }

    private func note(_ values: Values, _ context: OpaquePointer?) {
        // Deleting a sandbox deletes all its rows, which are not written out for nothing.
        guard values.count > 3, let followed = followed(values[0]) else { return }
        let keys = Int(sqlite3_value_int(values[2]))
        text.removeAll()
        text.append(Self.bytes(of: values[1]))
        text.append(Undo.separator)
        for place in 3..<3 + keys {
            if place > 3 { text.append(UInt8(ascii: ",")) }
            UndoWriter.write(values[place], to: &text)
        }
        if values.count > 3 + keys { text.append(Undo.separator) }
        for (column, place) in stride(from: 3 + keys, to: values.count - 1, by: 2).enumerated() {
            if UndoWriter.areSame(values[place], values[place + 1]) { continue }
            UndoWriter.write(column: column, values[place], to: &text)
        }
        _ = append(text.count, followed, context)
    }

    private func record(_ values: Values, _ context: OpaquePointer?) {
        guard let followed = followed(values[0]) else { return }
        text.removeAll()
        text.append(Self.bytes(of: values[1]))
        if let place = append(text.count + Int(sqlite3_value_int64(values[2])), followed, context) { sqlite3_result_int64(context, place) }
    }

    private func followed(_ sandbox: OpaquePointer?) -> History.Followed? {
        history.followed(String(decoding: Self.bytes(of: sandbox), as: UTF8.self))
    }

    /// - Returns: the place; nil where nothing is recorded, or it could not be written.
    private func append(_ size: Int, _ followed: History.Followed, _ context: OpaquePointer?) -> Int64? {
        guard let (place, entry) = followed.take(size) else { return nil }
        let code = statements.appendHistory(text, size: size, at: place, entry: entry, connection)
        if code == SQLITE_DONE { return place }
        sqlite3_result_error_code(context, code)
        return nil
    }

    static func bytes(of value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_value_text(value)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }
}
