import GRDB

/// A table whose rows belong to sandboxes, and how a change of a row is undone.
struct HistoryTable {
    /// The column that names the sandbox.
    private static let owner = "sandbox"

    let name: String
    private var columns: [String] = []
    private var keyColumns: [String] = []
    /// The columns that identify a row.
    private var key: [String] { keyColumns.isEmpty ? ["rowid"] : keyColumns }

    /// All tables with a column `sandbox`, but for the journal, which is itself the past, what is kept of it, and sandboxes that are no more.
    static func all(_ db: Database) throws -> [HistoryTable] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT t.name, c.name, c.pk FROM sqlite_master t, pragma_table_info(t.name) c
                WHERE t.type = 'table' AND t.name NOT IN ('journal', 'lane', 'history', 'file_use', 'ended_sandbox') ORDER BY t.name, c.cid
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

    /// They record each change of a row. What faults count is recorded by ``History/note(fault:lane:doesStrike:_:_:_:)``, as it is written once for many
    /// calls.
    var triggers: [HistoryTrigger] {
        if name == "fault_lane" { return [] }
        func all(_ row: String, _ columns: [String]) -> [String] { columns.map { "\(row).\"\($0)\"" } }
        let changes = columns.flatMap { ["OLD.\"\($0)\"", "NEW.\"\($0)\""] }
        return [
            trigger("INSERT", "NEW", Undo.Sign.remove, all("NEW", key)),
            trigger("DELETE", "OLD", Undo.Sign.put, all("OLD", names)),
            trigger(name == "fault" ? "UPDATE OF removed" : "UPDATE", "NEW", Undo.Sign.restore, all("NEW", key) + changes, keys: key.count),
        ]
    }

    private func trigger(_ event: String, _ row: String, _ sign: String, _ values: [String], keys: Int? = nil) -> HistoryTrigger {
        HistoryTrigger(
            name: "\(name)_\(event.prefix(6))", event: event, table: name, sandbox: "\(row).\"\(Self.owner)\"", head: sign + name,
            values: values, keys: keys)
    }

    /// A row without a key of its own keeps its place.
    private var isPlain: Bool { key == ["rowid"] }
    private var names: [String] { isPlain ? ["rowid"] + columns : columns }
    private var list: String { names.map { "\"\($0)\"" }.joined(separator: ", ") }

    /// A row's number is given by SQLite, and means nothing elsewhere.
    private var isNumbered: Bool { key == ["number"] }

    /// The rows of a sandbox, in the order of their keys.
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

    private var insertion: String { "INSERT INTO \"\(name)\" (\(list)) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))" }

    /// Puts a sandbox's rows into the same table of another database.
    func copy(_ sandbox: String, from source: Database, to target: Database) throws {
        let insert = try target.makeStatement(sql: insertion)
        let rows = try Row.fetchCursor(source, sql: "SELECT \(list) FROM \"\(name)\" WHERE sandbox = ?", arguments: [sandbox])
        while let row = try rows.next() { try insert.execute(arguments: StatementArguments(row.databaseValues)) }
    }

    // MARK: Undoing

    private var isKey: String { key.map { "\"\($0)\" IS ?" }.joined(separator: " AND ") }

    /// - Throws: ``ToolError`` where the change is of another table than this.
    func undo(_ change: Undo.Change, _ db: Database) throws {
        let misfit = ToolError("the history tells of a row that table \(name) cannot have")
        switch change {
        case .remove(let key):
            guard key.count == self.key.count else { throw misfit }
            try db.cachedStatement(sql: "DELETE FROM \"\(name)\" WHERE \(isKey)").execute(arguments: StatementArguments(key))
        case .put(let values):
            guard values.count == names.count else { throw misfit }
            try db.cachedStatement(sql: insertion).execute(arguments: StatementArguments(values))
        case .restore(let key, let changed):
            guard key.count == self.key.count, changed.allSatisfy({ columns.indices.contains($0.position) }) else { throw misfit }
            if changed.isEmpty { return }
            let settings = changed.map { "\"\(columns[$0.position])\" = ?" }.joined(separator: ", ")
            try db.cachedStatement(sql: "UPDATE \"\(name)\" SET \(settings) WHERE \(isKey)")
                .execute(arguments: StatementArguments(changed.map(\.value) + key))
        }
    }
}
