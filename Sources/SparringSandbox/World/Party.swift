package import SparringJSON

/// Whose accounts sandboxes have: a vendor, as the registry of sandboxes sees it.
package protocol Party: Sendable {
    var name: String { get }
    /// The member of a tenant's configuration that is its id, such as `accountId`.
    var tenantKey: String { get }

    /// Completes what was asked for a tenant, or what it was changed to, with defaults; what is returned is stored.
    func complete(_ given: JSON, _ context: TenantContext) throws(ConfigurationError) -> JSON
    /// Reads a complete configuration, refusing what cannot be used.
    func settings(_ configuration: JSON) throws(ConfigurationError) -> any Sendable
    /// What parties that trust this one's credentials must know; nil where it issues none.
    func facts(_ tenant: Tenant) -> IdentityProviderFacts?
}
