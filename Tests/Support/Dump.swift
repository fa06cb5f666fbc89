public import GRDB

/// A look into a database from outside, beside the process that serves it.
public enum Dump {
    /// Every table's rows as text.
    public static func tables(of path: String) throws -> [String: [String]] {
        try read(path) { db in
            var dump: [String: [String]] = [:]
            for table in try names(db) {
                let rows = try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"")
                dump[table] = rows.map { row in row.map { "\($0)=\($1)" }.joined(separator: " ") }.sorted()
            }
            return dump
        }
    }

    /// How many rows each table that belongs to sandboxes has for one of them.
    public static func rows(of sandbox: String, in path: String) throws -> [String: Int] {
        try read(path) { db in
            var counts: [String: Int] = [:]
            for table in try names(db) {
                let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
                let column = table == "sandbox" ? "id" : "sandbox"
                guard columns.contains(column) else { continue }
                counts[table] = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM \"\(table)\" WHERE \"\(column)\" = ?", arguments: [sandbox])
            }
            return counts
        }
    }

    public static func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read(body)
    }

    public static func change(_ path: String, _ body: (Database) throws -> Void) throws { try DatabaseQueue(path: path).write(body) }

    private static func names(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    }
}
