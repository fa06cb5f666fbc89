import GRDB
import Testing

@testable import SparringSandbox

/// The history that the triggers write, for values of any kind.
@Suite struct HistoryFunctionTests {
    private static let texts = [
        "", "it's", "a,b=c", "\u{1F}", "'; DROP TABLE thing; --", "NULL", "ü🙂\n", "1", String(repeating: "'", count: 70),
    ]
    private static let numbers: [DatabaseValue] = [
        .null, 1.5.databaseValue, (-1e300).databaseValue, 0.1.databaseValue, 5.0.databaseValue, 0.databaseValue,
    ]
    private static let integers: [DatabaseValue] = [
        .null, Int64.min.databaseValue, Int64.max.databaseValue, 0.databaseValue, (-7).databaseValue,
    ]

    private static func queue() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE sandbox (id TEXT PRIMARY KEY, clock TEXT);
                    CREATE TABLE history (place INTEGER PRIMARY KEY, entry INTEGER NOT NULL, size INTEGER NOT NULL, undo TEXT NOT NULL) STRICT;
                    CREATE TABLE thing (sandbox TEXT, name TEXT, number REAL, whole INTEGER, more TEXT, PRIMARY KEY (sandbox, name)) WITHOUT ROWID;
                    INSERT INTO sandbox VALUES ('a', '{}');
                    """)
        }
        return queue
    }

    @Test func `undone from the last to the first, every change leads back to the row that was there`() throws {
        let queue = try Self.queue()
        let history = History()
        history.follow("a", 1 << 40..<2 << 40, last: nil) { 3 }
        try queue.writeWithoutTransaction { db in
            try history.record(db, WriterStatements())
            let tables = Dictionary(uniqueKeysWithValues: try HistoryTable.all(db).map { ($0.name, $0) })
            var states: [[Row]] = []
            func state() throws -> [Row] { try Row.fetchAll(db, sql: "SELECT * FROM thing ORDER BY name") }
            func change(_ sql: String, _ arguments: StatementArguments) throws {
                states.append(try state())
                try db.execute(sql: sql, arguments: arguments)
            }
            for (index, text) in Self.texts.enumerated() {
                let (number, whole) = (Self.numbers[index % Self.numbers.count], Self.integers[index % Self.integers.count])
                try change("INSERT INTO thing VALUES ('a', ?, ?, ?, ?)", [text, number, whole, text])
            }
            for (index, text) in Self.texts.enumerated() {
                let (number, whole) = (Self.numbers[(index + 1) % Self.numbers.count], Self.integers[(index + 2) % Self.integers.count])
                try change("UPDATE thing SET number = ?, whole = ?, more = NULL WHERE name = ?", [number, whole, text])
            }
            try change("UPDATE thing SET name = 'renamed' WHERE name = '1'", [])
            for text in Self.texts { try change("DELETE FROM thing WHERE name = ?", [text == "1" ? "renamed" : text]) }
            let undoings = try Row.fetchAll(db, sql: "SELECT undo, size, entry FROM history ORDER BY place DESC")
            #expect(undoings.count == states.count && undoings.allSatisfy { $0[2] == 3 })
            #expect(undoings.allSatisfy { ($0[0] as String).utf8.count == $0[1] as Int })
            // The undoing itself is not recorded: the sandbox has no entry yet.
            history.follow("a", 1 << 40..<2 << 40, last: nil) { 0 }
            for (undoing, before) in zip(undoings, states.reversed()) {
                try Undo(undoing[0] as String).apply(to: db, tables)
                let isBack = try state() == before
                #expect(isBack, "\(undoing[0] as String)")
            }
        }
    }

    @Test func `only what has changed of a row is written down`() throws {
        let queue = try Self.queue()
        let history = History()
        history.follow("a", 1 << 40..<2 << 40, last: nil) { 3 }
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "INSERT INTO thing VALUES ('a', 'x', 1.5, 2, 'more'), ('b', 'x', 1, 2, 'more')")
            try history.record(db, WriterStatements())
            try db.execute(sql: "UPDATE thing SET number = 1.5, whole = 3, more = 'more' WHERE sandbox = 'a'")
            try db.execute(sql: "UPDATE thing SET number = NULL, whole = 3 WHERE sandbox = 'a'")
            try db.execute(sql: "DELETE FROM thing WHERE sandbox = 'b'")
            let undoings = try String.fetchAll(db, sql: "SELECT undo FROM history ORDER BY place")
            #expect(undoings == ["=thing\u{1F}'a','x'\u{1F}3=2,", "=thing\u{1F}'a','x'\u{1F}2=1.5,"])
        }
    }
}
