import GRDB

/// A table whose rows belong to sandboxes, and how a change of a row is undone: by a statement that the store keeps.
struct HistoryTable {
    /// The column that names the sandbox.
    private static let owner = "sandbox"

    let name: String
    private let columns: [String]
    /// What a row is known by.
    private let key: [String]

    /// All tables with a column `sandbox`, but for the journal, which is itself the past, and what is kept of it.
    static func all(_ db: Database) throws -> [HistoryTable] {
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('journal', 'lane', 'history') ORDER BY name")
        return try names.compactMap { try HistoryTable($0, db) }
    }

    private init?(_ name: String, _ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", arguments: [name])
        columns = rows.map { $0["name"] }
        guard columns.contains(Self.owner) else { return nil }
        self.name = name
        let key: [String] = rows.filter { $0["pk"] > 0 }.map { $0["name"] }
        self.key = key.isEmpty ? ["rowid"] : key
    }

    /// Temporary triggers: they belong to the writer's connection, and the file can be read without them. What faults count is recorded by
    /// ``History/note(fault:lane:doesStrike:_:_:)``, as it is written once for many calls.
    var triggers: String {
        if name == "fault_lane" { return "" }
        let rowOf = { (row: String) in key.map { "\"\($0)\" = ' || quote(\(row).\"\($0)\")" }.joined(separator: " || ' AND ") }
        let old = columns.map { "quote(OLD.\"\($0)\")" }.joined(separator: " || ',' || ")
        let changes = columns.map { #" || iif(OLD."\#($0)" IS NEW."\#($0)", '', ',"\#($0)"=' || quote(OLD."\#($0)"))"# }.joined()
        return trigger("INSERT", "NEW", "'DELETE FROM \"\(name)\" WHERE \(rowOf("NEW"))")
            + trigger("DELETE", "OLD", "'INSERT INTO \"\(name)\" (\(list)) VALUES (' || \(oldKey)\(old) || ')'")
            + trigger(
                name == "fault" ? "UPDATE OF removed" : "UPDATE", "NEW",
                "'UPDATE \"\(name)\" SET \"\(Self.owner)\"=\"\(Self.owner)\"'\(changes) || ' WHERE \(rowOf("NEW"))")
    }

    private func trigger(_ event: String, _ row: String, _ undo: String) -> String {
        """
        CREATE TEMP TRIGGER "history_\(name)_\(event.prefix(6))" AFTER \(event) ON main."\(name)" BEGIN
          INSERT INTO history (place, entry, undo)
          SELECT place, history_entry(), \(undo) FROM (SELECT history_place(\(row)."\(Self.owner)") AS place LIMIT 1) WHERE place IS NOT NULL;
        END;

        """
    }

    /// A row without a key of its own keeps its place.
    private var isPlain: Bool { key == ["rowid"] }
    private var names: [String] { isPlain ? ["rowid"] + columns : columns }
    private var list: String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
    private var oldKey: String { isPlain ? "quote(OLD.rowid) || ',' || " : "" }

    /// A row's number is given by SQLite, and means nothing elsewhere.
    private var isNumbered: Bool { key == ["number"] }

    /// Of a sandbox, in the order of their keys.
    func rows(of sandbox: String, _ db: Database) throws -> [[DatabaseValue]] {
        let order = key.map { "\"\($0)\"" }.joined(separator: ", ")
        let rows = try Row.fetchAll(
            db, sql: "SELECT \(list) FROM \"\(name)\" WHERE sandbox = ? ORDER BY \(order)", arguments: [sandbox])
        return rows.map { Array($0.databaseValues) }
    }

    /// Adds rows of another sandbox to one.
    ///
    /// - Parameter change: of each value.
    func insert(_ rows: [[DatabaseValue]], into sandbox: String, _ db: Database, change: (DatabaseValue) -> DatabaseValue) throws {
        let names = names
        let kept = names.indices.filter { names[$0] != "rowid" && !(isNumbered && names[$0] == "number") }
        let list = kept.map { "\"\(names[$0])\"" }.joined(separator: ", ")
        let statement = try db.makeStatement(
            sql: "INSERT INTO \"\(name)\" (\(list)) VALUES (\(kept.map { _ in "?" }.joined(separator: ", ")))")
        for row in rows {
            let values = kept.map { names[$0] == Self.owner ? sandbox.databaseValue : change(row[$0]) }
            try statement.execute(arguments: StatementArguments(values))
        }
    }

    /// Puts a sandbox's rows into the same table of another database.
    func copy(_ sandbox: String, from source: Database, to target: Database) throws {
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let insert = try target.makeStatement(sql: "INSERT INTO \"\(name)\" (\(list)) VALUES (\(marks))")
        let rows = try Row.fetchCursor(source, sql: "SELECT \(list) FROM \"\(name)\" WHERE sandbox = ?", arguments: [sandbox])
        while let row = try rows.next() { try insert.execute(arguments: StatementArguments(row.databaseValues)) }
    }
}
