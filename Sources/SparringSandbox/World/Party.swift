package import SparringContract
package import SparringJSON

/// A vendor with which sandboxes have accounts, as the registry of sandboxes sees it.
package protocol Party: Sendable {
    var name: String { get }
    /// The member of a tenant's configuration that is its id, such as `accountId`.
    var tenantKey: String { get }

    /// Completes what was asked for a tenant, or what it was changed to, with defaults; what is returned is stored.
    func complete(_ given: JSON, _ context: TenantContext) throws(ConfigurationError) -> JSON
    /// Reads a complete configuration, refusing what cannot be used.
    func settings(_ configuration: JSON) throws(ConfigurationError) -> any Sendable
    /// The stubs that a complete configuration has beside the contract.
    func stubs(_ configuration: JSON) throws(ConfigurationError) -> DefinedStubs
    /// The facts that parties that trust this one's credentials must know; nil where it issues none.
    func facts(_ tenant: Tenant) -> IdentityProviderFacts?
}

extension Party {
    /// The tenant that a configuration makes, once it is completed.
    func tenant(_ given: JSON, _ context: TenantContext) throws(ConfigurationError) -> Tenant {
        let configuration = try complete(given, context)
        return Tenant(
            vendor: name, id: context.id, sandbox: context.sandbox, configuration: configuration, settings: try settings(configuration),
            stubs: try stubs(configuration))
    }

    /// A tenant's configuration with a patch merged in (RFC 7396).
    func merging(_ patch: JSON, into tenant: Tenant) throws(ConfigurationError) -> JSON {
        let merged = tenant.configuration.merging(patch)
        guard merged[tenantKey]?.string == tenant.id else {
            throw ConfigurationError([tenantKey], "a tenant's id cannot be changed: create another sandbox")
        }
        return merged
    }
}

/// The information about a sandbox that is available while one of its tenants is being configured.
public struct TenantContext: Sendable {
    public var sandbox: String
    public var seed: Int64
    /// The id the tenant will have.
    public var id: String
    /// The sandbox's identity provider, where one has been configured before.
    public var identityProvider: IdentityProviderFacts?
}
