import GRDB
import SparringJSON

extension World {
    /// Takes up the sandboxes that an earlier process left in the database.
    func restore() throws {
        let restored = try store.pool.read { db in
            try Row.fetchAll(db, sql: "SELECT id, seed, creation, clock, position, journal_floor, made FROM sandbox ORDER BY position").map
            {
                row in
                let (id, position, floor): (String, Int64, Int64) = (row[0], row[4], row[5])
                guard Journal.positions.contains(position), Journal.numbers.contains(floor) else {
                    throw ToolError(
                        "\(self.store.path): sandbox '\(id)' has the position \(position) and the first entry \(floor), which Sparring never gives"
                    )
                }
                let sandbox = Sandbox(
                    id: id, seed: row[1], position: position, made: row[6],
                    clock: SandboxClock(stored: try self.json(row[3], "clock", of: id)),
                    creation: try self.json(row[2], "creation", of: id), self.surroundings)
                let tenants = try Row.fetchAll(
                    db, sql: "SELECT vendor, id, configuration FROM tenant WHERE sandbox = ?", arguments: [sandbox.id])
                for row in tenants {
                    guard let party = self.party(row[0]) else {
                        throw ToolError("\(self.store.path): has a tenant of '\(row[0] as String)', which has no contract")
                    }
                    let configuration = try self.json(row[2], "configuration of \(row[0] as String)", of: id)
                    let settings: any Sendable
                    do throws(ConfigurationError) { settings = try party.settings(configuration) } catch {
                        throw ToolError("\(self.store.path): the configuration of \(party.name) of sandbox '\(id)': \(error)")
                    }
                    sandbox.add(Tenant(vendor: row[0], id: row[1], sandbox: id, configuration: configuration, settings: settings))
                }
                do { try sandbox.restore(db, reader: self.faultReader) } catch let error as FaultRefused {
                    throw ToolError("\(self.store.path): a fault of sandbox '\(id)': \(error)")
                }
                return (sandbox, lastRecorded: try History.last(sandbox.journal.places, db))
            }
        }
        for (sandbox, last) in restored { add(sandbox, lastRecorded: last) }
    }

    private func json(_ text: String, _ what: String, of sandbox: String) throws -> JSON {
        do { return try JSON(parsing: text) } catch {
            throw ToolError("\(store.path): the \(what) of sandbox '\(sandbox)' is damaged: \(error)")
        }
    }
}
