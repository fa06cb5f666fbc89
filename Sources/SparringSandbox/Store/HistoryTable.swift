import GRDB

/// A table whose rows belong to sandboxes, and how a change of a row is undone: by a statement that the store keeps.
struct HistoryTable {
    /// The column that names the sandbox.
    private static let owner = "sandbox"

    let name: String
    private var columns: [String] = []
    private var keyColumns: [String] = []
    /// What a row is known by.
    private var key: [String] { keyColumns.isEmpty ? ["rowid"] : keyColumns }

    /// All tables with a column `sandbox`, but for the journal, which is itself the past, and what is kept of it.
    static func all(_ db: Database) throws -> [HistoryTable] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT t.name, c.name, c.pk FROM sqlite_master t, pragma_table_info(t.name) c
                WHERE t.type = 'table' AND t.name NOT IN ('journal', 'lane', 'history') ORDER BY t.name, c.cid
                """)
        var tables: [HistoryTable] = []
        while let row = try rows.next() {
            let name: String = row[0]
            if tables.last?.name != name { tables.append(HistoryTable(name)) }
            tables[tables.count - 1].add(row[1], isOfKey: row[2] > 0)
        }
        return tables.filter { $0.columns.contains(owner) }
    }

    private init(_ name: String) { self.name = name }

    private mutating func add(_ column: String, isOfKey: Bool) {
        columns.append(column)
        if isOfKey { keyColumns.append(column) }
    }

    /// They record each change of a row. What faults count is recorded by ``History/note(fault:lane:doesStrike:_:_:)``, as it is written once for many
    /// calls.
    var triggers: [HistoryTrigger] {
        if name == "fault_lane" { return [] }
        let rowOf = { (row: String) in key.map { "\"\($0)\" = ' || quote(\(row).\"\($0)\")" }.joined(separator: " || ' AND ") }
        let old = columns.map { "quote(OLD.\"\($0)\")" }.joined(separator: " || ',' || ")
        let changes = columns.map { #" || iif(OLD."\#($0)" IS NEW."\#($0)", '', ',"\#($0)"=' || quote(OLD."\#($0)"))"# }.joined()
        let isCounted = name == "fault"
        return [
            trigger("INSERT", "NEW", "'DELETE FROM \"\(name)\" WHERE \(rowOf("NEW"))"),
            trigger("DELETE", "OLD", "'INSERT INTO \"\(name)\" (\(list)) VALUES (' || \(oldKey)\(old) || ')'"),
            trigger(
                isCounted ? "UPDATE OF removed" : "UPDATE", "NEW",
                "'UPDATE \"\(name)\" SET \"\(Self.owner)\"=\"\(Self.owner)\"'\(changes) || ' WHERE \(rowOf("NEW"))"),
        ]
    }

    private func trigger(_ event: String, _ row: String, _ undo: String) -> HistoryTrigger {
        HistoryTrigger(name: "\(name)_\(event.prefix(6))", event: event, table: name, sandbox: "\(row).\"\(Self.owner)\"", undo: undo)
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
