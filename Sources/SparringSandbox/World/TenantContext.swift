/// What is known of a sandbox while one of its tenants is being configured.
public struct TenantContext: Sendable {
    public var sandbox: String
    public var seed: Int64
    /// The id the tenant will have.
    public var id: String
    /// The sandbox's identity provider, where one has been configured before.
    public var identityProvider: IdentityProviderFacts?
}
