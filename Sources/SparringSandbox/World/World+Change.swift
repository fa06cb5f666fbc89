package import GRDB
import SparringContract
package import SparringJSON
package import SparringJournal

/// Changing a sandbox that is there.
extension World {
    /// Merges a patch into a tenant's configuration (RFC 7396).
    ///
    /// - Parameters:
    ///   - asked: who wants it.
    ///   - alongside: what is written with it.
    package func change(
        _ tenant: Tenant, in sandbox: Sandbox, merging patch: JSON, asked: JournalEntry.Asked? = nil,
        alongside: (@Sendable (Database) throws -> Void)? = nil
    ) async throws {
        try await replace(tenant, in: sandbox, cause: "\(tenant.vendor) was configured", asked: asked, alongside: alongside) {
            configuration in
            try self.party(tenant.vendor)?.merging(patch, into: tenant) ?? configuration
        }
    }

    /// The context in which one of a sandbox's tenants is configured again.
    func context(of tenant: String, in sandbox: Sandbox) -> TenantContext {
        TenantContext(
            sandbox: sandbox.id, seed: sandbox.idSeed, id: tenant, identityProvider: provider { sandbox.tenant(of: $0) })
    }

    private func provider(of tenant: (String) -> Tenant?) -> IdentityProviderFacts? {
        for party in parties { if let facts = tenant(party.name).flatMap(party.facts) { return facts } }
        return nil
    }

    /// Tries a change of a tenant of a sandbox that was only configured.
    ///
    /// - Parameters:
    ///   - tenants: all of that sandbox's, by their vendors.
    ///   - place: of what names the vendor and has the patch, for errors.
    /// - Returns: the tenant as it is then.
    package func tried(
        _ patch: JSON, of vendor: String, among tenants: [String: Tenant], seed: Int64, at place: JSONPointer
    ) throws(ConfigurationError) -> Tenant {
        guard let party = party(vendor), let tenant = tenants[vendor] else { throw unknownVendor(vendor, at: place.appending("vendor")) }
        let context = TenantContext(
            sandbox: tenant.sandbox, seed: seed, id: tenant.id, identityProvider: provider { tenants[$0] })
        do throws(ConfigurationError) { return try party.tenant(party.merging(patch, into: tenant), context) } catch {
            throw error.inside(place)
        }
    }

    /// Replaces a tenant's configuration and journals that it did.
    package func replace(
        _ tenant: Tenant, in sandbox: Sandbox, cause: Cause, asked: JournalEntry.Asked? = nil,
        alongside: (@Sendable (Database) throws -> Void)? = nil, _ change: @escaping @Sendable (JSON) throws -> JSON
    ) async throws {
        try await changes.run {
            guard let party = self.party(tenant.vendor) else { return }
            let changed: Tenant
            do {
                changed = try party.tenant(change(tenant.configuration), self.context(of: tenant.id, in: sandbox))
            } catch let error as ConfigurationError {
                throw ChangeError.invalid(error)
            }
            try self.requireFree(changed)
            try self.requireStubs(of: changed, in: sandbox)
            try await sandbox.write(sandbox.entry(.configuration, cause: cause)) { db, entry in
                entry.note(asked)
                try alongside?(db)
                try db.execute(
                    sql: "UPDATE tenant SET configuration = ? WHERE vendor = ? AND id = ?",
                    arguments: [changed.configuration.text, tenant.vendor, tenant.id])
                self.store.effects.afterCommit { self.change(tenant, to: changed) }
            }
        }
    }

    /// No fault may be left that is armed at a stub which a tenant has no longer: it could not be read any more.
    private func requireStubs(of changed: Tenant, in sandbox: Sandbox) throws(ChangeError) {
        guard let old = sandbox.tenant(of: changed.vendor), !old.stubs.operations.isEmpty else { return }
        var tenants = sandbox.tenants
        tenants[changed.vendor] = changed
        let reader = faultReader.adding(tenants.values.flatMap(\.stubs.operations))
        for armed in sandbox.faults.all {
            do throws(FaultRefused) { _ = try reader.read(text: armed.fault.text) } catch {
                throw .invalid(
                    ConfigurationError(
                        ["stubs"], "fault \(armed.number), \(armed.fault.text), is armed at a stub that would be gone: remove it first"))
            }
        }
    }

    /// Merges the tenants of a request into those of a sandbox that is there.
    ///
    /// - Parameter faults: take the place of the sandbox's where they differ; nil: those stay.
    /// - Returns: whether that changed anything.
    package func update(_ sandbox: Sandbox, _ request: SandboxRequest, faults: [Fault]?) async throws -> Bool {
        var changed = false
        for (name, patch) in request.tenants {
            guard let tenant = sandbox.tenant(of: name), tenant.configuration.merging(patch) != tenant.configuration else { continue }
            try await change(tenant, in: sandbox, merging: patch)
            changed = true
        }
        guard let faults, sandbox.faults.all.map(\.fault.text) != faults.map(\.text) else { return changed }
        try await sandbox.write(sandbox.entry(.fault, cause: "the configuration file replaced the faults by \(faults.count)")) { db, _ in
            _ = try sandbox.faults.remove(sandbox.faults.all.map(\.number), sandbox: sandbox.id, db)
            for fault in faults { _ = try sandbox.arm(fault, db) }
        }
        return true
    }

    /// Arms faults given as texts.
    ///
    /// - Throws: ``FaultRefused``; none is armed then.
    public func arm(_ texts: [String], in id: String) async throws {
        guard let sandbox = sandbox(id) else { throw ToolError("there is no sandbox '\(id)'") }
        let reader = faultReader.adding(sandbox.stubs)
        let faults = try texts.map { try reader.read(text: $0) }
        for fault in faults {
            try await sandbox.write(sandbox.entry(.fault, cause: "armed: \(fault.text)")) { db, entry in
                entry.note(JournalEntry.Asked("admin.armFault", ["fault": .string(fault.text)]))
                entry.faults = [try sandbox.arm(fault, db).number]
            }
        }
    }
}
