import Foundation
import GRDB
import SparringJournal
import SparringSandbox
import Testing

/// Rows that vendors write and read, compared with those of GRDB.
@Suite struct DatabaseRowsTests {
    private func table() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: "CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT, real REAL, bytes BLOB, flag INTEGER, time INTEGER) STRICT")
        }
        return queue
    }

    private static let texts = ["", "a", "it's", "ü🙂\u{0}\n", String(repeating: "long ", count: 50_000)]
    private static let blobs: [[UInt8]] = [[], [0], Array(0...255), Array(repeating: 7, count: 70_000)]

    @Test func `what is written comes back as it was, and GRDB reads the same`() throws {
        let time = try #require(Timestamp("2026-11-28T12:00:00.123Z"))
        try table().write { db in
            for (number, text) in Self.texts.enumerated() {
                let bytes = Self.blobs[number % Self.blobs.count]
                let flag: Bool? = number == 0 ? nil : number % 2 == 0
                #expect(
                    try db.run(
                        "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)",
                        [number, text, Double(number) / 4, bytes, flag, number == 0 ? nil : time])
                        == 1)
                let row = try #require(try db.row("SELECT * FROM t WHERE n = ?", [number]))
                #expect(row["n"] == number && row["text"] == text && row["real"] == Double(number) / 4 && row["bytes"] == bytes)
                #expect(row["flag"] == flag && row["time"] as Timestamp? == (number == 0 ? nil : time) && row[1] == text)
                let theirs = try #require(try Row.fetchOne(db, sql: "SELECT * FROM t WHERE n = ?", arguments: [number]))
                // Of a text with a NUL in it GRDB reads what comes before.
                #expect(text.contains("\0") || theirs["text"] == text)
                #expect([UInt8](theirs["bytes"] as Data? ?? Data()) == bytes && theirs["flag"] == flag)
                #expect(try db.value("SELECT text FROM t WHERE n = ?", [number]) == text)
            }
            #expect(try db.values("SELECT text FROM t ORDER BY n", as: String.self) == Self.texts)
            #expect(try db.rows("SELECT n FROM t WHERE n > ?1 AND n <> ?1 + 1 ORDER BY n", [1]).map { $0["n"] as Int } == [3, 4])
            #expect(try db.run("DELETE FROM t WHERE n < ?", [2]) == 2)
            #expect(try db.row("SELECT * FROM t WHERE n = ?", [0]) == nil && db.value("SELECT n FROM t WHERE n = 0", as: Int.self) == nil)
        }
    }

    @Test func `a statement that fails says what SQLite says, and can be run again`() throws {
        try table().write { db in
            try db.run("INSERT INTO t (n, text) VALUES (?, ?)", [1, "one"])
            let error = #expect(throws: DatabaseError.self) { try db.run("INSERT INTO t (n, text) VALUES (?, ?)", [1, "again"]) }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY && error?.message == "UNIQUE constraint failed: t.n")
            #expect(throws: DatabaseError.self) { try db.run("INSERT INTO t (n, text) VALUES (?, ?)", [2, [UInt8]([1])]) }
            #expect(throws: DatabaseError.self) { try db.rows("SELECT nothing FROM t") }
            #expect(try db.run("INSERT INTO t (n, text) VALUES (?, ?)", [2, "two"]) == 1)
            // The same statement, with fewer values: none is left of the run before.
            try db.run("INSERT INTO t (n, text) VALUES (?, ?)", [3])
            #expect(try db.values("SELECT coalesce(text, '-') FROM t ORDER BY n", as: String.self) == ["one", "two", "-"])
        }
    }

    @Test func `a row is put in the place of the one that has its key`() throws {
        let upsert = Upsert("t", key: ["n"], ["text", "flag"])
        try table().write { db in
            try db.run("INSERT INTO t (n, text, real) VALUES (1, 'one', 0.5)")
            try db.execute(
                sql: "CREATE TABLE log (what TEXT); CREATE TRIGGER gone AFTER DELETE ON t BEGIN INSERT INTO log VALUES ('deleted'); END")
            try upsert.put([1, "uno", true], db)
            try upsert.put([2, "due", false], db)
            #expect(
                try db.rows("SELECT * FROM t ORDER BY n").map { "\($0[1] as String) \($0["real"] as Double? ?? 0)" } == [
                    "uno 0.5", "due 0.0",
                ])
            try db.execute(sql: "PRAGMA recursive_triggers = ON")
            try upsert.put([1, "eins", true], db)
            #expect(try db.value("SELECT count(*) FROM log") == 0, "an UPDATE, no REPLACE")
            let written = db.totalChangesCount
            try upsert.put([1, "eins", true], db)
            #expect(db.totalChangesCount == written, "the same row again")
            try upsert.put([1, nil, true], db)
            #expect(try db.totalChangesCount == written + 1 && db.value("SELECT text FROM t WHERE n = 1", as: String.self) == nil)
        }
    }
}
