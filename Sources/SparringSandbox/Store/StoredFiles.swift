import Crypto
import Foundation
public import GRDB
import SparringJSON
public import SparringJournal

/// The files of a sandbox's messages. Their bytes are in pieces, apart from the rows that tell of them: writing one takes little memory beside it, a sandbox that
/// is copied shares the files of the other, and those that no sandbox uses any more are deleted a little at a time.
public struct StoredFiles: Sendable {
    private let sandbox: String

    public init(of sandbox: String) { self.sandbox = sandbox }

    /// Bytes of a piece.
    private static let piece = 256 << 10
    /// Pieces that a file may have: their numbers are beside the file's.
    private static let most: Int64 = 1 << 20
    /// Pieces that one job of the writer deletes.
    private static let collected = 16

    static func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("engine.files.1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE file (
                      number INTEGER PRIMARY KEY AUTOINCREMENT,
                      size INTEGER NOT NULL,
                      md5 TEXT,                           -- in hexadecimal digits
                      kept_at INTEGER                     -- sandbox time in milliseconds
                    ) STRICT;
                    -- By `place`, which is the file's number × 2^20 + the piece's.
                    CREATE TABLE file_piece (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
                    CREATE TABLE file_use (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      file INTEGER NOT NULL,
                      released INTEGER,                   -- another has taken its place: the place of what the history has of that
                      PRIMARY KEY (sandbox, file)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX file_use_of_file ON file_use (file);
                    CREATE INDEX file_use_released ON file_use (released) WHERE released IS NOT NULL;
                    -- Files that a sandbox used once; what nobody uses is deleted.
                    CREATE TABLE file_unused (file INTEGER PRIMARY KEY) STRICT;
                    """)
        }
        migrator.registerMigration("engine.files.2") { db in
            // A new database has them from the beginning.
            guard try !db.columns(in: "file").contains(where: { $0.name == "md5" }) else { return }
            try db.execute(sql: "ALTER TABLE file ADD COLUMN md5 TEXT; ALTER TABLE file ADD COLUMN kept_at INTEGER")
        }
    }

    // MARK: For vendors

    /// - Parameter time: sandbox time; nil if unknown.
    /// - Returns: its number, by which a row of the sandbox tells of it.
    public func keep(_ bytes: some RandomAccessCollection<UInt8>, at time: Timestamp? = nil, _ db: Database) throws -> Int64 {
        try db.cachedStatement(sql: "INSERT INTO file (size, kept_at) VALUES (?, ?)")
            .execute(arguments: [bytes.count, time?.milliseconds])
        let file = db.lastInsertedRowID
        // Computed once, and not at each fetch.
        var digest = Insecure.MD5()
        // A statement that is kept would keep its last piece, too.
        let statement = try db.makeStatement(sql: "INSERT INTO file_piece (place, bytes) VALUES (?, ?)")
        var (place, rest) = (file * Self.most, bytes[...])
        while !rest.isEmpty {
            let piece = Data(rest.prefix(Self.piece))
            digest.update(data: piece)
            try statement.execute(arguments: [place, piece])
            rest = rest.dropFirst(Self.piece)
            place += 1
        }
        try db.cachedStatement(sql: "UPDATE file SET md5 = ? WHERE number = ?").execute(arguments: [digest.finalize().hex, file])
        try db.cachedStatement(sql: "INSERT INTO file_use (sandbox, file) VALUES (?, ?)").execute(arguments: [sandbox, file])
        return file
    }

    /// A file with its metadata; an empty one if there is no such file.
    public static func file(_ number: Int64, _ db: Database) throws -> StoredFile {
        let bytes = try bytes(of: number, db)
        let statement = try db.cachedStatement(sql: "SELECT md5, kept_at FROM file WHERE number = ?")
        guard let row = try Row.fetchOne(statement, arguments: [number]) else {
            return StoredFile(bytes: bytes, md5: StoredFile.md5(of: bytes))
        }
        let (md5, time) = (row[0] as String?, row[1] as Int64?)
        return StoredFile(bytes: bytes, md5: md5 ?? StoredFile.md5(of: bytes), keptAt: time.map { Timestamp(milliseconds: $0) })
    }

    /// The bytes of a file, empty where there is no such file.
    public static func bytes(of file: Int64, _ db: Database) throws -> [UInt8] {
        guard let size = try size(of: file, db) else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        let pieces = try Row.fetchCursor(
            db, sql: "SELECT bytes FROM file_piece WHERE place >= ? AND place < ? ORDER BY place",
            arguments: [file * Self.most, (file + 1) * Self.most])
        while let piece = try pieces.next() { try piece.withUnsafeData(atIndex: 0) { bytes += $0 ?? Data() } }
        return bytes
    }

    private static func size(of file: Int64, _ db: Database) throws -> Int? {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT size FROM file WHERE number = ?"), arguments: [file])
    }

    /// Notes that the sandbox no longer has the file. Its bytes are kept for forks for as long as the history tells of it.
    public func release(_ file: Int64, _ db: Database) throws {
        if let place = try History.note(released: file, size: Self.size(of: file, db) ?? 0, sandbox, db) {
            try db.cachedStatement(sql: "UPDATE file_use SET released = ? WHERE sandbox = ? AND file = ?")
                .execute(arguments: [place, sandbox, file])
        } else {
            try Self.end("sandbox = ? AND file = ?", [sandbox, file], db)
        }
    }

    // MARK: For sandboxes that come and go

    /// Lets a fork use all files of the sandbox.
    func share(with fork: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO file_use (sandbox, file) SELECT ?, file FROM file_use WHERE sandbox = ?", arguments: [fork, sandbox])
    }

    /// The sandbox is being deleted.
    func end(_ db: Database) throws { try Self.end("sandbox = ?", [sandbox], db) }

    /// The history no longer goes back to these places.
    static func forget(released places: Range<Int64>, _ db: Database) throws {
        try end("released >= ? AND released < ?", [places.lowerBound, places.upperBound], db)
    }

    private static func end(_ which: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO file_unused SELECT file FROM file_use WHERE \(which)")
            .execute(arguments: arguments)
        if db.changesCount == 0 { return }
        try db.cachedStatement(sql: "DELETE FROM file_use WHERE \(which)").execute(arguments: arguments)
    }

    /// Deletes some of what nobody uses.
    ///
    /// - Returns: whether there was anything.
    static func collect(_ db: Database) throws -> Bool {
        var room = collected
        let files = try Int64.fetchAll(db.cachedStatement(sql: "SELECT file FROM file_unused LIMIT \(collected)"))
        for file in files where room > 0 {
            let isUsed = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file_use WHERE file = ?)"), arguments: [file])
            if isUsed == false {
                let places = "SELECT place FROM file_piece WHERE place >= ? AND place < ? LIMIT ?"
                try db.cachedStatement(sql: "DELETE FROM file_piece WHERE place IN (\(places))")
                    .execute(arguments: [file * most, (file + 1) * most, room])
                room -= db.changesCount
                // There may be more of it.
                if room == 0 { break }
                try db.cachedStatement(sql: "DELETE FROM file WHERE number = ?").execute(arguments: [file])
            }
            try db.cachedStatement(sql: "DELETE FROM file_unused WHERE file = ?").execute(arguments: [file])
        }
        return !files.isEmpty
    }

    // MARK: Databases of earlier versions

    /// Makes files of a table's column `bytes`, and a column `content` of their numbers in its place. The history is let go of: it tells of the columns by
    /// their positions.
    public static func migrate(_ table: String, _ db: Database) throws {
        // A new database has it from the beginning: altering a table costs more than making ten.
        guard try db.columns(in: table).contains(where: { $0.name == "bytes" }) else { return }
        try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN content INTEGER")
        let rows = try Row.fetchAll(db, sql: "SELECT rowid, sandbox FROM \(table) WHERE bytes IS NOT NULL")
        for row in rows {
            let bytes = try Data.fetchOne(db, sql: "SELECT bytes FROM \(table) WHERE rowid = ?", arguments: [row[0] as Int64])
            let file = try StoredFiles(of: row[1]).keep(bytes ?? Data(), db)
            try db.execute(sql: "UPDATE \(table) SET content = ? WHERE rowid = ?", arguments: [file, row[0] as Int64])
        }
        try db.execute(sql: "ALTER TABLE \(table) DROP COLUMN bytes")
        try History.forgetAll(db)
    }
}
