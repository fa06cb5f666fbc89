public import GRDB
public import SparringJSON
package import SparringJournal

/// Changing a tenant of a sandbox that is there.
extension World {
    /// Merges a patch into a tenant's configuration (RFC 7396).
    ///
    /// - Parameter alongside: what is written with it.
    public func change(
        _ tenant: Tenant, in sandbox: Sandbox, merging patch: JSON, alongside: (@Sendable (Database) throws -> Void)? = nil
    ) async throws {
        try await replace(tenant, in: sandbox, cause: "\(tenant.vendor) was configured", alongside: alongside) { configuration in
            guard let party = self.party(tenant.vendor) else { return configuration }
            let merged = configuration.merging(patch)
            guard merged[party.tenantKey]?.string == tenant.id else {
                throw ChangeError.invalid(
                    ConfigurationError(JSONPointer(tokens: [party.tenantKey]), "a tenant's id cannot be changed"))
            }
            return merged
        }
    }

    /// What is known of a sandbox when one of its tenants is configured again.
    func context(of tenant: String, in sandbox: Sandbox) -> TenantContext {
        TenantContext(
            sandbox: sandbox.id, seed: sandbox.seed, id: tenant, identityProvider: provider { sandbox.tenant(of: $0) })
    }

    private func provider(of tenant: (String) -> Tenant?) -> IdentityProviderFacts? {
        for party in parties { if let facts = tenant(party.name).flatMap(party.facts) { return facts } }
        return nil
    }

    /// Tries what a tenant of a sandbox that was only configured is changed to.
    ///
    /// - Parameter tenants: all of that sandbox's, by their vendors.
    /// - Returns: the tenant as it is then.
    package func tried(
        _ changed: JSON, of tenant: Tenant, among tenants: [String: Tenant], seed: Int64
    ) throws(ConfigurationError) -> Tenant {
        guard let party = party(tenant.vendor) else { return tenant }
        let context = TenantContext(
            sandbox: tenant.sandbox, seed: seed, id: tenant.id, identityProvider: provider { tenants[$0] })
        let configuration = try party.complete(changed, context)
        return Tenant(
            vendor: tenant.vendor, id: tenant.id, sandbox: tenant.sandbox, configuration: configuration,
            settings: try party.settings(configuration))
    }

    /// Replaces a tenant's configuration and journals that it did.
    package func replace(
        _ tenant: Tenant, in sandbox: Sandbox, cause: Cause, alongside: (@Sendable (Database) throws -> Void)? = nil,
        _ change: @escaping @Sendable (JSON) throws -> JSON
    ) async throws {
        try await changes.run {
            guard let party = self.party(tenant.vendor) else { return }
            let changed = try change(tenant.configuration)
            let configuration: JSON
            let settings: any Sendable
            do throws(ConfigurationError) {
                configuration = try party.complete(changed, self.context(of: tenant.id, in: sandbox))
                settings = try party.settings(configuration)
            } catch { throw ChangeError.invalid(error) }
            try self.requireFree(settings, for: tenant)
            let entry = sandbox.entry(.configuration, cause: cause)
            try await self.store.write { db in
                try alongside?(db)
                try db.execute(
                    sql: "UPDATE tenant SET configuration = ? WHERE vendor = ? AND id = ?",
                    arguments: [configuration.text, tenant.vendor, tenant.id])
                try sandbox.journal.append(entry, db)
                self.store.effects.afterCommit { self.change(tenant, configuration, settings) }
            }
            sandbox.journal.committed()
        }
    }
}
