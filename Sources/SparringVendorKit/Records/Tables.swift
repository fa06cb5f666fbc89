public import GRDB

/// The tables of a part of a vendor's state, by the migrations that made them one after the other. A migration that has been released stays as it is.
public struct Tables: Sendable {
    private var migrations: [(name: String, run: @Sendable (Database) throws -> Void)]

    public init(_ name: String, _ sql: String) { migrations = [(name, { @Sendable in try $0.execute(sql: sql) })] }

    public func then(_ name: String, _ sql: String) -> Tables { then(name) { try $0.execute(sql: sql) } }

    public func then(_ name: String, _ run: @escaping @Sendable (Database) throws -> Void) -> Tables {
        var tables = self
        tables.migrations.append((name, run))
        return tables
    }

    fileprivate func register(in migrator: inout DatabaseMigrator) {
        for (name, run) in migrations { migrator.registerMigration(name, migrate: run) }
    }
}

extension DatabaseMigrator {
    public mutating func register(_ tables: Tables...) { for tables in tables { tables.register(in: &self) } }
}
