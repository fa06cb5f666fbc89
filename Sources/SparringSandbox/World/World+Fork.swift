import SparringJSON
package import SparringJournal

/// Making a sandbox of another one's past.
extension World {
    /// Makes a sandbox that is as another was at an entry: its state, clock, faults, pending work and journal, under new ids of tenants.
    ///
    /// - Parameters:
    ///   - past: of `old`.
    ///   - now: the time at which the clock stood.
    ///   - name: nil: the old one's, and the entry.
    ///   - lifetime: of one whose original lives until it is deleted.
    /// - Throws: ``ChangeError``; nothing has been changed then.
    package func fork(_ old: Sandbox, at past: Past, now: Timestamp, name: String? = nil, lifetime: Lifetime? = nil) async throws -> Sandbox
    {
        try await changes.run {
            let id = try self.freeName(name) { "\(old.id)-\(past.entry)" + ($0 == 0 ? "" : "-\($0 + 1)") }
            let then = try await past.read { db in
                try (
                    clock: Past.clock(of: old, db), tenants: Past.tenants(of: old, db),
                    rows: HistoryTable.all(db).filter { $0.name != "tenant" }.map { ($0, try $0.rows(of: old.id, db)) }
                )
            }
            var creation = old.creation
            if old.lifetime == nil, let lifetime { creation["lifetime"] = lifetime.json }
            let sandbox = Sandbox(
                id: id, seed: old.seed, position: try self.nextPosition(),
                clock: SandboxClock(mode: SandboxClock.mode(of: then.clock), now: now, on: store.loop), creation: creation,
                self.surroundings)
            let renaming = try self.tenants(of: sandbox, from: then.tenants)
            let rows = then.rows
            do {
                // Nobody else waits for long: a long journal is copied a piece at a time, before the sandbox is there.
                var reached: Int? = 0
                while let last = reached {
                    reached = try await self.store.write { try old.journal.copy(to: sandbox.journal, after: last, upTo: past.entry, $0) }
                }
                let extent = try await self.store.read { try sandbox.journal.extent($0) }
                try await self.store.write { db in
                    try self.insert(sandbox, db)
                    for (table, rows) in rows { try table.insert(rows, into: id, db) { renaming.renamed($0, in: table.name) } }
                    try old.files.share(with: id, db)
                    let isPruned = try old.journal.finishCopy(to: sandbox.journal, upTo: past.entry, db)
                    try sandbox.restore(db, reader: self.faultReader, extent: isPruned ? nil : extent)
                    try sandbox.journal.append(
                        sandbox.entry(.configuration, cause: "forked from sandbox '\(old.id)' as it was at entry \(past.entry)"), db)
                    self.store.effects.afterCommit { self.add(sandbox) }
                }
            } catch {
                // Where this fails too, the next start does it.
                try? await self.store.write { try sandbox.journal.drop($0) }
                throw error
            }
            return sandbox
        }
    }

    /// Adds tenants that are configured as others were, with ids that are free.
    private func tenants(of sandbox: Sandbox, from then: [String: (id: String, configuration: JSON)]) throws(ChangeError) -> TenantRenaming
    {
        // Only for their ids, and for the other names by which clients call them, all of which are free.
        let drawn = try configure([:], seed: sandbox.seed, sandbox: sandbox.id)
        var names: [String: TenantRenaming.Names] = [:]
        do throws(ConfigurationError) {
            for fresh in drawn {
                guard let party = party(fresh.vendor), let old = then[fresh.vendor] else { continue }
                // An earlier version may have stored it, with fewer members.
                let complete = try party.tenant(old.configuration, context(of: old.id, in: sandbox))
                names[fresh.vendor] = zip(complete.names, fresh.names).map { (old: $0, new: $1) }
            }
            let renaming = TenantRenaming(names: names)
            for fresh in drawn {
                guard let party = party(fresh.vendor), let old = then[fresh.vendor] else { continue }
                let tenant = try party.tenant(renaming.renamed(old.configuration), context(of: fresh.id, in: sandbox))
                try requireNew(tenant)
                sandbox.add(tenant)
            }
            return renaming
        } catch {
            throw ChangeError.invalid(error)
        }
    }

    /// Refuses a tenant with a name that another tenant has: a call by that name would fit both.
    private func requireNew(_ tenant: Tenant) throws(ConfigurationError) {
        for name in tenant.names {
            if let other = self.tenant(tenant.vendor, name) {
                throw ConfigurationError(
                    ["tenants", tenant.vendor],
                    "clients name this tenant by \(name.quoted) too, which would be the fork's and that of sandbox '\(other.sandbox)'")
            }
        }
    }
}
