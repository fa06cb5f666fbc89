import GRDB

/// A trigger that keeps how a change is undone. It is temporary: it belongs to the writer's connection, and the file can be read without it.
struct HistoryTrigger {
    let name: String
    let event: String
    let table: String
    /// Expressions of SQL: which sandbox the row belongs to, and what ``HistoryFunction/note`` makes the ``Undo`` of.
    let sandbox: String
    /// The undo's sign, and the table's name where it tells of a row.
    let head: String
    let values: [String]
    /// The number of leading values, which are followed by each column's value before and after; nil: all of them.
    var keys: Int?

    /// When the clock of a sandbox is set or goes on.
    static let clock = HistoryTrigger(
        name: "sandbox", event: "UPDATE OF clock", table: "sandbox", sandbox: "NEW.id", head: Undo.Sign.clock, values: ["OLD.clock"])

    private var statement: String {
        """
        CREATE TRIGGER "history_\(name)" AFTER \(event) ON main."\(table)" BEGIN
          SELECT \(HistoryFunction.note)(\(sandbox), '\(head)', \(keys ?? values.count), \(values.joined(separator: ", ")));
        END
        """
    }

    /// Makes all of them. They are 180, at each start: as `CREATE TEMP TRIGGER` each would be parsed three times, so they are written where SQLite keeps
    /// the connection's temporary schema, and read at once (sqlite.org/pragma.html#pragma_writable_schema).
    static func make(_ triggers: [HistoryTrigger], _ db: Database) throws {
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try db.inSavepoint {
            let insert = try db.makeStatement(
                sql: "INSERT INTO sqlite_temp_master (type, name, tbl_name, rootpage, sql) VALUES ('trigger', ?, ?, 0, ?)")
            for trigger in triggers {
                try insert.execute(arguments: ["history_\(trigger.name)", trigger.table, trigger.statement])
            }
            return .commit
        }
        try db.execute(sql: "PRAGMA writable_schema = RESET")
        // SQLite reads the schema again when it is next needed: now, so that what is wrong with a trigger keeps the process from starting.
        let made = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_temp_master WHERE type = 'trigger'")
        guard made == triggers.count else { throw ToolError("of \(triggers.count) triggers of the history \(made ?? 0) were made") }
    }
}
