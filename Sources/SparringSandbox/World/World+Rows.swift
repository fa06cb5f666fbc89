import GRDB
import SparringJSON

/// A sandbox's row, and those of its tenants.
extension World {
    /// Deletes all rows of a sandbox. Those that refer to its row go with it; the journal does not refer to it, and is deleted separately.
    func remove(_ sandbox: Sandbox, _ db: Database) throws {
        store.history.leave(sandbox.id, store.effects)
        try sandbox.journal.close(db)
        sandbox.faults.close()
        try sandbox.files.end(db)
        // Compiling it compiles the triggers of all that goes with it, which takes ten times as long as running it.
        try db.cachedStatement(sql: "DELETE FROM sandbox WHERE id = ?").execute(arguments: [sandbox.id])
        try History.forget(sandbox.journal.places, db)
    }

    func insert(_ sandbox: Sandbox, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO sandbox (id, position, seed, creation, clock, made) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [sandbox.id, sandbox.position, sandbox.seed, sandbox.creation.text, sandbox.clock.stored.text, sandbox.made])
        for tenant in sandbox.tenants.values {
            try db.execute(
                sql: "INSERT INTO tenant (vendor, id, sandbox, configuration) VALUES (?, ?, ?, ?)",
                arguments: [tenant.vendor, tenant.id, sandbox.id, tenant.configuration.text])
        }
    }
}
