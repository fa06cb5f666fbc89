import CSQLite
import Foundation
import GRDB

/// The database as a file: who may read it, whose it is, and its name in what is wrong with it.
enum StoreFile {
    /// The settings that all connections share. They wait for another program that has the write lock for a moment, such as a backup or a
    /// database browser.
    static var configuration: Configuration {
        _ = isConfigured
        var configuration = Configuration()
        configuration.label = "sparring"
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(Double(patience) / 1000)
        return configuration
    }

    /// Milliseconds that another program's lock is waited for.
    static let patience = 5000

    private static let isConfigured = sparring_sqlite_configure()

    /// Looks at a database before anything is written to it.
    ///
    /// - Throws: ``ToolError`` where it is another program's, or was written by a newer version.
    static func check(_ path: String, _ migrator: DatabaseMigrator) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { db in
            let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            guard !tables.isEmpty else { return }
            guard tables.contains("grdb_migrations") else { throw ToolError("\(path): is a database, but not one of Sparring's", .content) }
            let known = Set(migrator.migrations)
            let foreign = try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations").filter { !known.contains($0) }
            if let newest = foreign.last {
                throw ToolError(
                    "\(path): was written by another version of Sparring, which knows '\(newest)'; this one does not, and leaves it alone",
                    .content)
            }
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            guard version == 0 else {
                throw ToolError("\(path): has version \(version), which this version of Sparring does not know", .content)
            }
        }
    }

    /// Makes SQLite remove the log and its index, which it does only if the last connection to a file can write: a pool's may be a reader.
    static func removeLog(_ path: String) {
        let last = try? DatabaseQueue(path: path, configuration: configuration)
        _ = try? last?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
        try? last?.close()
    }

    /// An error of SQLite's with the file that it is about.
    static func named(_ error: any Error, _ path: String) -> any Error {
        guard let error = error as? DatabaseError, ofTheFile.contains(error.resultCode) else { return error }
        let holder = error.resultCode == .SQLITE_BUSY ? lockHolder(of: path) : nil
        return StoreError(path: path, cause: error, holder: holder)
    }

    /// The program that has the write lock of a database with a log: a lock on a byte of its index (WAL_WRITE_LOCK, sqlite.org/walformat.html §2.3). It is
    /// looked for once, since the loop asks.
    private static func lockHolder(of path: String) -> String? {
        guard let index = try? FileManager.default.attributesOfItem(atPath: "\(path)-shm")[.systemFileNumber] as? UInt64 else { return nil }
        return SystemLocks.process(holding: index, .part, at: 120, isPatient: false).map(SystemLocks.words)
    }

    /// Errors that concern the file, not one statement.
    private static let ofTheFile: [ResultCode] = [
        .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_BUSY, .SQLITE_PERM,
        .SQLITE_AUTH,
    ]
}

/// An error of a database file.
public struct StoreError: Error, CustomStringConvertible {
    public var path: String
    let cause: DatabaseError
    /// The process that has its lock.
    var holder: String?

    /// The file cannot be created, or cannot be written.
    public var isUnwritable: Bool { [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH].contains(cause.resultCode) }
    /// The file is not a database, or is damaged.
    public var isForeign: Bool { [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(cause.resultCode) }

    /// The disk did not confirm what was written (fsync(2)).
    var isOfSync: Bool { [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC].contains(cause.extendedResultCode) }

    public var description: String {
        let message = cause.message ?? "error \(cause.resultCode.rawValue) of SQLite"
        return "\(path): \(message)" + (holder.map { ", by \($0)" } ?? "")
    }
}
