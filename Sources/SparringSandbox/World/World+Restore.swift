import Dispatch
import GRDB
import SparringContract
import SparringJSON
import SparringJournal
import SparringLocks

extension World {
    /// A sandbox that an earlier process left.
    private struct Stored {
        var sandbox: Sandbox
        /// Its tenants, as they were configured.
        var tenants: [(party: any Party, id: String, configuration: JSON)]
        /// How far the machine's clock is behind the journal's newest entry; nil: it is not.
        var lag: Duration?
        var newest: NewestEntry?
        /// The place of what was recorded of it last.
        var lastRecorded: Int64?
    }

    /// Takes up the sandboxes that an earlier process left in the database. A configuration that an earlier version took and this one refuses does not
    /// keep the server from starting: the tenant is then as if nothing had been configured, until a change makes the configuration sound.
    ///
    /// - Returns: what was refused, in words.
    func restore() throws -> [String] {
        let stored = try store.pool.read { db in
            try Row.fetchAll(db, sql: "SELECT id, seed, creation, clock, position, journal_floor, made FROM sandbox ORDER BY position")
                .map { try self.stored($0, db) }
        }
        let refusals = try configure(stored)
        try store.pool.read { db in
            for one in stored {
                do { try one.sandbox.restore(db, reader: self.faultReader) } catch let error as FaultRefused {
                    throw ToolError("\(self.store.path): a fault of sandbox '\(one.sandbox.id)': \(error)", .content)
                }
            }
        }
        var notices: [String] = []
        store.unrecorded.keepOnly(stored.map(\.sandbox.id))
        for ended in try store.pool.read({ try EndedSandbox.all($0) }) { remember(ended) }
        let kills = try store.pool.read { try KilledProcesses(before: self.process, lastSeen: stored.compactMap(\.newest), $0) }
        for (one, refused) in zip(stored, refusals) {
            let sandbox = one.sandbox
            add(sandbox, lastRecorded: one.lastRecorded)
            if let killed = one.newest.flatMap({ kills.entry(for: sandbox, after: $0) }) { sandbox.note(killed) }
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
            for words in refused { note(.configuration, "configuration-refused", words) }
            if let lag = one.lag {
                note(
                    .clock, "clock-behind",
                    "the machine's clock is \(lag.words) behind the sandbox's newest entry; the sandbox's time goes on from that entry")
            }
        }
        return notices
    }

    private func stored(_ row: Row, _ db: Database) throws -> Stored {
        let (id, position, floor): (String, Int64, Int64) = (row[0], row[4], row[5])
        guard Journal.positions.contains(position), Journal.numbers.contains(floor) else {
            throw ToolError(
                "\(store.path): sandbox '\(id)' has the position \(position) and the first entry \(floor), which Sparring never gives",
                .content)
        }
        let newest = try NewestEntry(of: Journal(sandbox: id, position: position), db)
        let (clock, lag) = clock(try json(row[3], "clock", of: id), newest)
        let sandbox = Sandbox(
            id: id, seed: row[1], position: position, made: row[6], clock: clock, creation: try json(row[2], "creation", of: id),
            surroundings)
        let tenants = try Row.fetchAll(db, sql: "SELECT vendor, id, configuration FROM tenant WHERE sandbox = ?", arguments: [id]).map {
            row in
            guard let party = party(row[0]) else {
                throw ToolError("\(store.path): has a tenant of '\(row[0] as String)', which has no contract", .content)
            }
            return (party, row[1] as String, try json(row[2], "configuration of \(row[0] as String)", of: id))
        }
        return Stored(
            sandbox: sandbox, tenants: tenants, lag: lag, newest: newest, lastRecorded: try History.last(sandbox.journal.places, db))
    }

    /// Gives the sandboxes their tenants, many at once: reading a configuration takes most of a start with many sandboxes.
    ///
    /// - Returns: for each sandbox what was refused, in words.
    private func configure(_ stored: [Stored]) throws -> [[String]] {
        let refusals = Mutex<[Int: Result<[String], ToolError>]>([:])
        let piece = 64
        DispatchQueue.concurrentPerform(iterations: (stored.count + piece - 1) / piece) { first in
            for index in stored.indices.dropFirst(first * piece).prefix(piece) {
                let result = Result { () throws(ToolError) in try self.configure(stored[index]) }
                refusals.withLock { $0[index] = result }
            }
        }
        return try refusals.withLock { found in try stored.indices.map { try found[$0]?.get() ?? [] } }
    }

    private func configure(_ stored: Stored) throws(ToolError) -> [String] {
        let sandbox = stored.sandbox
        var refused: [(party: any Party, tenant: String, configuration: JSON, error: ConfigurationError)] = []
        for (party, id, configuration) in stored.tenants {
            do throws(ConfigurationError) {
                sandbox.add(try party.tenant(configuration, context(of: id, in: sandbox)))
            } catch { refused.append((party, id, configuration, error)) }
        }
        for (party, id, configuration, _) in refused {
            do throws(ConfigurationError) {
                let tenant = try party.tenant([:], context(of: id, in: sandbox))
                tenant.change(configuration, tenant.settings, .none)
                sandbox.add(tenant)
            } catch {
                throw ToolError("\(store.path): the configuration of \(party.name) of sandbox '\(sandbox.id)': \(error)", .content)
            }
        }
        return refused.map { "the stored configuration of \($0.party.name) is refused and is not in force: \($0.error)" }
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
            throw ToolError("\(store.path): the \(what) of sandbox '\(sandbox)' is damaged: \(error)", .content)
        }
    }
}
