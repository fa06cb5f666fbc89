import Foundation
import GRDB
import GRDBSQLite
import SparringJSON
import SparringLocks
import SystemPackage

/// The file of a database in which all migrations have run and nothing else has happened. The migrations take a tenth of a start, so they run
/// once in a process, or in the process that checked an installation: each further database begins as a copy.
public struct EmptyDatabase: Sendable {
    private static let fileName = "empty.db"

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

    // MARK: Kept beside an installation

    /// Keeps the database that this process has made, for later starts of the same build.
    ///
    /// - Parameter build: an id that only this build of the program has.
    /// - Throws: the file system's error if the file cannot be written.
    public static func keep(in folder: String, build: String) throws {
        guard let (names, database) = made.withLock({ $0.max { $0.key.count < $1.key.count } }) else { return }
        let head: JSON = [
            "build": .string(build), "migrations": .array(names.map { .string($0) }), "size": .integer(Int64(database.bytes.count)),
        ]
        try (Data((head.text + "\n").utf8) + database.bytes).write(to: URL(fileURLWithPath: "\(folder)/\(fileName)"))
    }

    /// Lets this process's databases begin as copies of what ``keep(in:build:)`` has left. If another build left it, or it is damaged, nothing happens.
    public static func takeUp(from folder: String, build: String?) {
        guard let build, let file = FileManager.default.contents(atPath: "\(folder)/\(fileName)"),
            let end = file.firstIndex(of: UInt8(ascii: "\n")), let head = try? JSON(parsing: Array(file[..<end])),
            head["build"]?.string == build, let names = head["migrations"]?.array?.compactMap(\.string)
        else { return }
        let bytes = Array(file[(end + 1)...])
        guard head["size"]?.integer == Int64(bytes.count) else { return }
        made.withLock { $0[names] = EmptyDatabase(bytes: bytes) }
    }

    // MARK: -

    /// Fills an empty file that nobody has opened yet.
    func write(to path: String) throws {
        let file = try FileDescriptor.open(path, .writeOnly)
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }
}
