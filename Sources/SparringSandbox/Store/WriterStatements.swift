import CSQLite
import GRDB
import SparringJSON
import SparringJournal

/// The statements that the writer runs for nearly every call, prepared once and run through SQLite's own interface: GRDB's way, with its observers, its list of statements and its
/// arguments in boxes, costs as much as the work itself.
///
/// Sendable: only the holder of the writer's connection uses it, and that is one thread at a time.
final class WriterStatements: Sendable {
    enum Word: Int, CaseIterable {
        case begin, commit, savepoint, release, rollBack, insertEntry, insertHistory

        var sql: String {
            switch self {
            case .begin: "BEGIN IMMEDIATE"
            case .commit: "COMMIT"
            case .savepoint: "SAVEPOINT job"
            case .release: "RELEASE job"
            case .rollBack: "ROLLBACK TO job"
            case .insertEntry: "INSERT INTO journal (place, sandbox, kind, operation, lane, ordinal, record) VALUES (?, ?, ?, ?, ?, ?, ?)"
            case .insertHistory: "INSERT INTO history (place, entry, size, undo) VALUES (?, ?, ?, ?)"
            }
        }
    }

    nonisolated(unsafe) private var connection: OpaquePointer?
    nonisolated(unsafe) private var prepared: [OpaquePointer?] = Array(repeating: nil, count: Word.allCases.count)
    /// In which each entry is written.
    nonisolated(unsafe) private var record = ByteBuffer(capacity: WriterStatements.usualLength)

    /// Bytes that suffice for most records.
    private static let usualLength = 2048
    /// Above this many bytes the memory of a record is let go of.
    private static let longestKept = 64 << 10

    /// - Throws: `DatabaseError`
    func run(_ word: Word, _ db: Database) throws { try run(try statement(word, db), word) }

    /// Appends an entry of a sandbox's journal.
    ///
    /// - Parameter number: the entry's.
    /// - Returns: the bytes of its record.
    /// - Throws: `DatabaseError`
    func append(_ entry: JournalEntry, numbered number: Int, at place: Int64, of sandbox: String, _ db: Database) throws -> Int {
        let statement = try statement(.insertEntry, db)
        entry.write(as: number, to: &record)
        defer { if record.capacity > Self.longestKept { record = ByteBuffer(capacity: Self.usualLength) } }
        sqlite3_bind_int64(statement, 1, place)
        // Closures that named the entry would copy it.
        let (kind, operation, lane) = (entry.kind.rawValue, entry.operation, entry.lane)
        if let ordinal = entry.ordinal { sqlite3_bind_int64(statement, 6, Int64(ordinal)) } else { sqlite3_bind_null(statement, 6) }
        try Self.binding(sandbox, statement, 2) {
            try Self.binding(kind, statement, 3) {
                try Self.binding(operation, statement, 4) {
                    try Self.binding(lane, statement, 5) {
                        try record.withBytes { bytes in
                            sqlite3_bind_blob64(statement, 7, bytes.baseAddress, UInt64(bytes.count), nil)
                            try run(statement, .insertEntry)
                        }
                    }
                }
            }
        }
        return record.count
    }

    /// Appends how a change is undone; within a statement of the writer's.
    ///
    /// - Parameter size: what it counts for.
    /// - Returns: SQLite's code, `SQLITE_DONE` where it is done.
    func appendHistory(_ undo: borrowing ByteBuffer, size: Int, at place: Int64, entry: Int, _ connection: OpaquePointer) -> Int32 {
        let statement: OpaquePointer
        do { statement = try self.statement(.insertHistory, connection) } catch { return sqlite3_extended_errcode(connection) }
        sqlite3_bind_int64(statement, 1, place)
        sqlite3_bind_int64(statement, 2, Int64(entry))
        sqlite3_bind_int64(statement, 3, Int64(size))
        return undo.withBytes { bytes in
            let text = bytes.bindMemory(to: CChar.self)
            sqlite3_bind_text(statement, 4, text.baseAddress, Int32(text.count), nil)
            let code = sqlite3_step(statement)
            sqlite3_reset(statement)
            return code
        }
    }

    /// Does the same as ``appendHistory(_:size:at:entry:_:)``, outside of a statement.
    ///
    /// - Throws: `DatabaseError`
    func appendHistory(_ undo: borrowing ByteBuffer, at place: Int64, entry: Int, _ db: Database) throws {
        guard let connection = db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        let code = appendHistory(undo, size: undo.count, at: place, entry: entry, connection)
        if code != SQLITE_DONE { throw error(code, .insertHistory) }
    }

    /// To be called before the connection is closed.
    func close() {
        for statement in prepared { sqlite3_finalize(statement) }
        prepared = Array(repeating: nil, count: Word.allCases.count)
        connection = nil
    }

    /// Binds a text, of which SQLite makes no copy, for as long as `body` runs the statement.
    private static func binding(_ text: String?, _ statement: OpaquePointer, _ index: Int32, _ body: () throws -> Void) rethrows {
        guard var text else {
            sqlite3_bind_null(statement, index)
            return try body()
        }
        try text.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), nil)
                try body()
            }
        }
    }

    private func statement(_ word: Word, _ db: Database) throws -> OpaquePointer {
        guard let connection = db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        return try statement(word, connection)
    }

    private func statement(_ word: Word, _ connection: OpaquePointer) throws -> OpaquePointer {
        if self.connection != connection {
            close()
            self.connection = connection
        }
        if let statement = prepared[word.rawValue] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, word.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code, word) }
        prepared[word.rawValue] = statement
        return statement
    }

    private func run(_ statement: OpaquePointer, _ word: Word) throws {
        let code = sqlite3_step(statement)
        if code == SQLITE_DONE { return _ = sqlite3_reset(statement) }
        let error = error(code, word)
        sqlite3_reset(statement)
        throw error
    }

    private func error(_ code: Int32, _ word: Word) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: sqlite3_errmsg(connection).map { String(cString: $0) }, sql: word.sql)
    }
}
