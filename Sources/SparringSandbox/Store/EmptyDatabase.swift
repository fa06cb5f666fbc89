import GRDB
import GRDBSQLite
import SparringLocks
import SystemPackage

/// The file of a database in which all migrations have run and nothing else has happened. The migrations take a third of a start, so they run
/// once in a process: each further database begins as a copy.
struct EmptyDatabase: Sendable {
    /// The file as SQLite would have written it.
    let bytes: [UInt8]

    private static let made = Mutex<[[String]: EmptyDatabase]>([:])

    /// - Parameter migrator: known by the names of its migrations, as it is in a file that has them.
    /// - Throws: what a migration throws.
    static func of(_ migrator: DatabaseMigrator) throws -> EmptyDatabase {
        let names = migrator.migrations
        if let known = made.withLock({ $0[names] }) { return known }
        let database = EmptyDatabase(bytes: try migrated(migrator))
        made.withLock { $0[names] = database }
        return database
    }

    private static func migrated(_ migrator: DatabaseMigrator) throws -> [UInt8] {
        var configuration = StoreFile.configuration
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
        let queue = try DatabaseQueue(configuration: configuration)
        try migrator.migrate(queue)
        var bytes = try queue.inDatabase { db in
            var size: Int64 = 0
            guard let data = sqlite3_serialize(db.sqliteConnection, "main", &size, 0) else {
                throw DatabaseError(resultCode: .SQLITE_NOMEM)
            }
            defer { sqlite3_free(data) }
            return Array(UnsafeBufferPointer(start: data, count: Int(size)))
        }
        // A database in memory has no write-ahead log; the file will have one (sqlite.org/fileformat2.html §1.3.3).
        for version in 18...19 { bytes[version] = 2 }
        return bytes
    }

    /// Fills an empty file that nobody has opened yet.
    func write(to path: String) throws {
        let file = try FileDescriptor.open(path, .writeOnly)
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }
}
