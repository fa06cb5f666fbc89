import GRDB
import SparringContract
import SparringJSON
import SparringJournal

extension World {
    /// Takes up the sandboxes that an earlier process left in the database. A configuration that an earlier version took and this one refuses does not
    /// keep the server from starting: the tenant is then as if nothing had been configured, until a change makes the configuration sound.
    ///
    /// - Returns: what was refused, in words.
    func restore() throws -> [String] {
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
                let newest = try NewestEntry(of: Journal(sandbox: id, position: position), db)
                let (clock, lag) = self.clock(try self.json(row[3], "clock", of: id), newest)
                let sandbox = Sandbox(
                    id: id, seed: row[1], position: position, made: row[6], clock: clock,
                    creation: try self.json(row[2], "creation", of: id), self.surroundings)
                var refused: [(party: any Party, tenant: String, configuration: JSON, error: ConfigurationError)] = []
                let tenants = try Row.fetchAll(
                    db, sql: "SELECT vendor, id, configuration FROM tenant WHERE sandbox = ?", arguments: [sandbox.id])
                for row in tenants {
                    guard let party = self.party(row[0]) else {
                        throw ToolError("\(self.store.path): has a tenant of '\(row[0] as String)', which has no contract")
                    }
                    let configuration = try self.json(row[2], "configuration of \(row[0] as String)", of: id)
                    do throws(ConfigurationError) {
                        sandbox.add(try party.tenant(configuration, self.context(of: row[1], in: sandbox)))
                    } catch { refused.append((party, row[1], configuration, error)) }
                }
                for (party, tenant, configuration, _) in refused {
                    do throws(ConfigurationError) {
                        let tenant = try party.tenant([:], self.context(of: tenant, in: sandbox))
                        tenant.change(configuration, tenant.settings, .none)
                        sandbox.add(tenant)
                    } catch {
                        throw ToolError("\(self.store.path): the configuration of \(party.name) of sandbox '\(id)': \(error)")
                    }
                }
                do { try sandbox.restore(db, reader: self.faultReader) } catch let error as FaultRefused {
                    throw ToolError("\(self.store.path): a fault of sandbox '\(id)': \(error)")
                }
                return (
                    sandbox, refused: refused.map { ($0.party.name, $0.error) }, lag: lag, newest: newest,
                    lastRecorded: try History.last(sandbox.journal.places, db)
                )
            }
        }
        var notices: [String] = []
        store.unrecorded.keepOnly(restored.map(\.0.id))
        for ended in try store.pool.read({ try EndedSandbox.all($0) }) { remember(ended) }
        let kills = try store.pool.read { try KilledProcesses(before: self.process, lastSeen: restored.compactMap(\.newest), $0) }
        for (sandbox, refused, lag, newest, last) in restored {
            add(sandbox, lastRecorded: last)
            if let newest, let killed = kills.entry(for: sandbox, after: newest) { sandbox.note(killed) }
            if let unrecorded = store.unrecorded.of(sandbox.id) {
                notices.append("sandbox '\(sandbox.id)': \(unrecorded.words)")
                sandbox.journal.owe(sandbox.entry(.finding, cause: nil))
                sandbox.settleJournal()
            }
            func note(_ kind: JournalEntry.Kind, _ code: String, _ words: String) {
                notices.append("sandbox '\(sandbox.id)': \(words)")
                var entry = sandbox.entry(kind, cause: Cause(words, code: Cause.failed))
                entry.findings = [Finding(code, words)]
                sandbox.note(entry)
            }
            for (vendor, error) in refused {
                note(
                    .configuration, "configuration-refused",
                    "the stored configuration of \(vendor) is refused and is not in force: \(error)")
            }
            if let lag {
                note(
                    .clock, "clock-behind",
                    "the machine's clock is \(lag.words) behind the sandbox's newest entry; the sandbox's time goes on from that entry")
            }
        }
        return notices
    }

    /// The clock of a sandbox, which goes on as if the process had never been away.
    ///
    /// - Returns: with how far the machine's clock is behind the journal's newest entry; nil: it is not. The sandbox's time does not go back with it.
    private func clock(_ stored: JSON, _ newest: NewestEntry?) -> (SandboxClock, lag: Duration?) {
        let clock = SandboxClock(stored: stored, on: store.loop)
        let now = Timestamp.now
        guard let newest, now < newest.wall, clock.now < newest.time else { return (clock, nil) }
        return (SandboxClock(mode: SandboxClock.mode(of: stored), now: newest.time, on: store.loop), newest.wall - now)
    }

    private func json(_ text: String, _ what: String, of sandbox: String) throws -> JSON {
        do { return try JSON(parsing: text) } catch {
            throw ToolError("\(store.path): the \(what) of sandbox '\(sandbox)' is damaged: \(error)")
        }
    }
}
