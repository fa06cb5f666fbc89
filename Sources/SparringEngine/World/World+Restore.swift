import GRDB
import SparringJSON

extension World {
    /// Takes up the sandboxes that an earlier process left in the database.
    func restore() throws {
        let restored = try store.pool.read { db in
            try Row.fetchAll(db, sql: "SELECT id, seed, creation, clock, position FROM sandbox ORDER BY position").map { row in
                let sandbox = Sandbox(
                    id: row[0], seed: row[1], position: row[4], clock: SandboxClock(stored: try JSON(parsing: row[3] as String)),
                    creation: try JSON(parsing: row[2] as String), journalLimit: self.journalLimit, early: self.earlyFaults)
                let tenants = try Row.fetchAll(
                    db, sql: "SELECT vendor, id, configuration FROM tenant WHERE sandbox = ?", arguments: [sandbox.id])
                for row in tenants {
                    guard let vendor = self.vendor(row[0]) else {
                        throw ToolError("the database has a tenant of '\(row[0] as String)', which has no contract")
                    }
                    let configuration = try JSON(parsing: row[2] as String)
                    sandbox.add(
                        Tenant(
                            vendor: row[0], id: row[1], sandbox: sandbox.id, configuration: configuration,
                            settings: try vendor.settings(configuration)))
                }
                try sandbox.restore(db, reader: self.faultReader)
                return sandbox
            }
        }
        for sandbox in restored { add(sandbox) }
    }
}
