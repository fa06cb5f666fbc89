import GRDB
import Testing

@testable import SparringSandbox

/// The entries of the history are data: they are bound, and never run.
@Suite struct UndoTests {
    private static func table() throws -> (DatabaseQueue, [String: HistoryTable]) {
        let queue = try DatabaseQueue()
        let tables = try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE sandbox (id TEXT PRIMARY KEY, clock TEXT);
                    CREATE TABLE thing (sandbox TEXT, name TEXT, number REAL, more TEXT, PRIMARY KEY (sandbox, name)) WITHOUT ROWID;
                    CREATE TABLE plain (sandbox TEXT, text TEXT);
                    INSERT INTO sandbox VALUES ('a', '{}');
                    """)
            return Dictionary(uniqueKeysWithValues: try HistoryTable.all(db).map { ($0.name, $0) })
        }
        return (queue, tables)
    }

    /// SQLite's own `quote()` writes what the reader reads.
    @Test func `a row comes back as it was, whatever is in it`() throws {
        let (queue, tables) = try Self.table()
        let texts = ["", "it's", "a,b=c", "\u{1F}", "'; DROP TABLE thing; --", "NULL", "X'00'", "ü🙂\n", "1"]
        let numbers: [DatabaseValue] = [.null, 1.5.databaseValue, (-1e300).databaseValue, 0.1.databaseValue, Int64.min.databaseValue]
        try queue.write { db in
            for (index, text) in texts.enumerated() {
                let number = numbers[index % numbers.count]
                try db.execute(sql: "INSERT INTO thing VALUES ('a', ?, ?, ?)", arguments: [text, number, texts.reversed()[index]])
            }
            let before = try Row.fetchAll(db, sql: "SELECT * FROM thing ORDER BY name")
            let undoings = try String.fetchAll(
                db,
                sql:
                    "SELECT '+thing' || char(31) || quote(sandbox) || ',' || quote(name) || ',' || quote(number) || ',' || quote(more) FROM thing"
            )
            try db.execute(sql: "DELETE FROM thing")
            for text in undoings { try Undo(text).apply(to: db, tables) }
            #expect(try Row.fetchAll(db, sql: "SELECT * FROM thing ORDER BY name") == before)
            for text in texts {
                let quoted = try String.fetchOne(db, sql: "SELECT quote(?)", arguments: [text]) ?? ""
                try Undo("=thing\u{1F}'a',\(quoted)\u{1F}2=7,").apply(to: db, tables)
                try Undo("-thing\u{1F}'a',\(quoted)").apply(to: db, tables)
            }
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM thing") == 0)
        }
    }

    @Test(arguments: [
        "", "x", "ATTACH DATABASE '/tmp/p' AS p", "-thing", "-thing\u{1F}", "-thing\u{1F}'a'", "-thing\u{1F}'a','b','c'", "-other\u{1F}'a'",
        "-sqlite_master\u{1F}'a'", "-sandbox\u{1F}'a'", "-thing\u{1F}'a',b", "-thing\u{1F}'a',(SELECT 1)",
        "-thing\u{1F}'a','b'; DROP TABLE thing",
        "+thing\u{1F}'a'", "+thing\u{1F}'a','b',1,X'00'", "+thing\u{1F}'a','b',1,X'",
        "+thing\u{1F}'a','b',1,randomblob(9)",
        "=thing\u{1F}'a','b'\u{1F}9=1,", "=thing\u{1F}'a','b'\u{1F}2=1", "=thing\u{1F}'a','b'\u{1F}-1=1,", "=thing\u{1F}'a','b'\u{1F}x=1,",
        "=thing\u{1F}'a','b'\u{1F}2=1,2=", "c", "f\u{1F}1", "+thing\" (sandbox) SELECT 1; --\u{1F}'a'",
    ])
    func `what is no undo is refused, and changes nothing`(_ text: String) throws {
        let (queue, tables) = try Self.table()
        try queue.write { db in
            try db.execute(sql: "INSERT INTO thing VALUES ('a', 'b', 1, NULL)")
            #expect(throws: ToolError.self) { try Undo(text).apply(to: db, tables) }
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM thing") == 1)
        }
    }

    @Test func `a row without a key comes back to its place; a file that was replaced is where it was`() throws {
        let (queue, tables) = try Self.table()
        try queue.write { db in
            try Undo("-plain\u{1F}1").apply(to: db, tables)
            try Undo("+plain\u{1F}7,'a','x'").apply(to: db, tables)
            try Undo("r\u{1F}7").apply(to: db, tables)
            #expect(try Int.fetchOne(db, sql: "SELECT rowid FROM plain") == 7)
        }
    }
}
