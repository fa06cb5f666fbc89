import Foundation
import GRDB
import SparringJournal
@testable import SparringSandbox
import Testing

/// Files of messages: in pieces, shared by forks, deleted a little at a time.
@Suite struct StoredFilesTests {
    private static let (a, b) = (StoredFiles(of: "a"), StoredFiles(of: "b"))

    /// The engine's tables, with two sandboxes; what they do is recorded.
    private static func database(_ history: History = History()) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        var migrator = DatabaseMigrator()
        Schema.register(in: &migrator)
        try migrator.migrate(queue)
        try queue.write { db in
            for (position, id) in ["a", "b"].enumerated() {
                try db.execute(
                    sql: "INSERT INTO sandbox (id, position, seed, creation, clock) VALUES (?, ?, 1, '{}', '{}')",
                    arguments: [id, position])
                history.follow(id, Int64(position) << 40..<Int64(position + 1) << 40, last: nil) { 5 }
            }
        }
        try queue.writeWithoutTransaction { try history.record($0, WriterStatements()) }
        return queue
    }

    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    private static func count(_ table: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? -1
    }

    /// - Returns: how many jobs it took.
    private static func collectAll(_ queue: DatabaseQueue) throws -> Int {
        var jobs = 0
        while try queue.write({ try StoredFiles.collect($0) }) { jobs += 1 }
        return jobs
    }

    private static func isEmpty(_ queue: DatabaseQueue) throws -> Bool {
        try queue.read { db in try ["file", "file_piece", "file_use", "file_unused"].allSatisfy { try Self.count($0, db) == 0 } }
    }

    @Test(arguments: [0, 1, 256 << 10, (256 << 10) + 1, 700_000])
    func `a file is read as it was kept, and goes with its sandbox`(_ size: Int) throws {
        let queue = try Self.database()
        let bytes = Self.bytes(size)
        try queue.write { db in
            let (file, other) = try (Self.a.keep(bytes, db), Self.b.keep([1, 2, 3], db))
            #expect(try StoredFiles.bytes(of: file, db) == bytes)
            #expect(try StoredFiles.bytes(of: other, db) == [1, 2, 3])
            #expect(try StoredFiles.bytes(of: 99, db) == [])
            try Self.b.end(db)
        }
        _ = try Self.collectAll(queue)
        try queue.write { (db: Database) throws -> Void in
            #expect(try Self.count("file", db) == 1)
            #expect(try StoredFiles.bytes(of: 1, db) == bytes)
            try Self.a.end(db)
        }
        _ = try Self.collectAll(queue)
        #expect(try Self.isEmpty(queue))
    }

    @Test func `a fork keeps what its sandbox no longer has`() throws {
        let queue = try Self.database()
        try queue.write { db in
            _ = try Self.a.keep(Self.bytes(10), db)
            try Self.a.share(with: "b", db)
            try Self.a.end(db)
        }
        _ = try Self.collectAll(queue)
        try queue.write { (db: Database) throws -> Void in
            #expect(try StoredFiles.bytes(of: 1, db) == Self.bytes(10))
            #expect(try Self.count("file_unused", db) == 0, "it is looked at once")
            try Self.b.end(db)
        }
        _ = try Self.collectAll(queue)
        #expect(try Self.isEmpty(queue))
    }

    @Test func `a long file is deleted in several jobs, and many small ones in one`() throws {
        let queue = try Self.database()
        let pieces = try queue.write { db in
            _ = try Self.a.keep([UInt8](repeating: 1, count: 10 << 20), db)
            for _ in 0..<10 { _ = try Self.a.keep([1], db) }
            try Self.a.end(db)
            return try Self.count("file_piece", db)
        }
        #expect(pieces == 50)
        #expect(try Self.collectAll(queue) == 4)
        #expect(try Self.isEmpty(queue))
    }

    @Test func `what was replaced is kept for as long as the past goes back to it, and counts with it`() throws {
        let history = History()
        let queue = try Self.database(history)
        let places: Range<Int64> = 0..<1 << 40
        try queue.write { db in
            let file = try Self.a.keep(Self.bytes(5_000), db)
            let before = try history.bytes(of: "a", db)
            try Self.a.release(file, db)
            #expect(try history.bytes(of: "a", db) - before >= 5_000)
        }
        #expect(try Self.collectAll(queue) == 0)
        try queue.write { (db: Database) throws -> Void in
            #expect(try StoredFiles.bytes(of: 1, db) == Self.bytes(5_000))
            #expect(try history.trim("a", places, by: .max, nil, db))
            #expect(try history.bytes(of: "a", db) == 0)
        }
        _ = try Self.collectAll(queue)
        #expect(try Self.isEmpty(queue))
    }

    /// Nothing has happened yet that could be asked about.
    @Test func `what is replaced before the first entry goes at once`() throws {
        let queue = try Self.database()
        try queue.write { db in
            try db.execute(sql: "INSERT INTO sandbox (id, position, seed, creation, clock) VALUES ('c', 7, 1, '{}', '{}')")
            let files = StoredFiles(of: "c")
            try files.release(try files.keep([1], db), db)
        }
        _ = try Self.collectAll(queue)
        #expect(try Self.isEmpty(queue))
    }

    @Test func `a file is known by the MD5 of its bytes, and by when it was kept`() throws {
        let queue = try Self.database()
        let time = Timestamp(seconds: 1_767_225_600)
        try queue.write { db in
            // RFC 1321 §A.5.
            let abc = try StoredFiles.file(try Self.a.keep(Array("abc".utf8), at: time, db), db)
            #expect(abc.bytes == Array("abc".utf8) && abc.md5 == "900150983cd24fb0d6963f7d28e17f72" && abc.keptAt == time)
            let long = try StoredFiles.file(try Self.a.keep(Self.bytes(700_000), at: time, db), db)
            #expect(long.md5 == StoredFile.md5(of: Self.bytes(700_000)), "it is made of the pieces")
            let empty = try StoredFiles.file(try Self.a.keep([UInt8](), db), db)
            #expect(empty.md5 == "d41d8cd98f00b204e9800998ecf8427e" && empty.keptAt == nil)
            #expect(try StoredFiles.file(99, db).bytes == [])
        }
    }

    @Test func `a file that an earlier version kept has the MD5 of its bytes, too`() throws {
        let queue = try Self.database()
        let file = try queue.write { db in
            let file = try Self.a.keep(Array("abc".utf8), at: Timestamp(seconds: 1), db)
            try db.execute(
                sql: """
                    ALTER TABLE file DROP COLUMN md5;
                    ALTER TABLE file DROP COLUMN kept_at;
                    DELETE FROM grdb_migrations WHERE identifier = 'engine.files.2';
                    """)
            return file
        }
        var migrator = DatabaseMigrator()
        Schema.register(in: &migrator)
        try migrator.migrate(queue)
        let stored = try queue.read { try StoredFiles.file(file, $0) }
        #expect(stored.bytes == Array("abc".utf8) && stored.md5 == "900150983cd24fb0d6963f7d28e17f72" && stored.keptAt == nil)
    }

    @Test func `files of an earlier version's tables are moved`() throws {
        let queue = try Self.database()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE thing (sandbox TEXT NOT NULL, name TEXT NOT NULL, bytes BLOB, PRIMARY KEY (sandbox, name)) STRICT;
                    INSERT INTO journal (place, sandbox, kind, record) VALUES ((1 << 40) + 6, 'b', 'call', X'');
                    INSERT INTO history VALUES (1, 1, 1, 'x');
                    """)
            let rows: [(String, String, [UInt8]?)] = [("a", "x", Self.bytes(300_000)), ("a", "y", nil), ("b", "x", []), ("b", "z", [7])]
            for (sandbox, name, bytes) in rows {
                try db.execute(sql: "INSERT INTO thing VALUES (?, ?, ?)", arguments: [sandbox, name, bytes.map { Data($0) }])
            }
            try StoredFiles.migrate("thing", db)
            let moved = try Row.fetchAll(db, sql: "SELECT sandbox, name, content FROM thing ORDER BY sandbox, name")
            for (row, (sandbox, name, bytes)) in zip(moved, rows) {
                #expect(row[0] == sandbox && row[1] == name)
                let content = try (row[2] as Int64?).map { try StoredFiles.bytes(of: $0, db) }
                #expect(content == bytes)
            }
            #expect(moved.count == rows.count)
            // Its rows no longer have the form that the history tells of.
            #expect(try Self.count("history", db) == 0)
            #expect(try ["a", "b"].map { try History.floor(of: $0, db) } == [0, 6])
            try Self.b.end(db)
        }
        _ = try Self.collectAll(queue)
        #expect(try queue.read { try Self.count("file", $0) } == 1)
    }
}
