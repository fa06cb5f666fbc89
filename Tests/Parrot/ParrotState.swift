import SparringVendorKit

/// The birds that have a perch.
enum ParrotState {
    static func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("parrot.1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE parrot_perch (
                        sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE, bird TEXT NOT NULL, UNIQUE (sandbox, bird)) STRICT;
                    """)
        }
    }

    /// - Returns: whether the perch was free.
    static func takePerch(_ bird: String, _ db: Database, _ sandbox: String) throws -> Bool {
        try db.execute(sql: "INSERT OR IGNORE INTO parrot_perch (sandbox, bird) VALUES (?, ?)", arguments: [sandbox, bird])
        return db.changesCount == 1
    }

    static func perched(_ db: Database, _ sandbox: String) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT bird FROM parrot_perch WHERE sandbox = ? ORDER BY bird", arguments: [sandbox])
    }
}
