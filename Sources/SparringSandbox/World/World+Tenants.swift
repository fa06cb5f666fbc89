package import GRDB
package import SparringJSON

/// Configuring the tenants of a sandbox that is to be.
extension World {
    /// Completes and reads the configuration of a tenant of each vendor; nothing is kept.
    ///
    /// - Parameters:
    ///   - idSeed: ``SandboxRequest/idSeed``.
    ///   - sandbox: its name. Ids that it has already are free for it.
    ///   - mayBeTaken: it is only a trial, and ids may belong to others.
    package func configure(
        _ given: JSON.Object, seed: Int64, idSeed: Int64? = nil, sandbox: String, mayBeTaken: Bool = false
    ) throws(ChangeError) -> [Tenant] {
        for name in given.keys where party(name) == nil {
            throw ChangeError.invalid(unknownVendor(name, at: ["tenants", name]))
        }
        let idSeed = node?.salted(idSeed ?? seed) ?? idSeed ?? seed
        var provider: IdentityProviderFacts?
        var tenants: [Tenant] = []
        for party in parties {
            let wanted = given[party.name] ?? [:]
            let id = try tenantId(wanted[party.tenantKey], party, idSeed, of: sandbox, mayBeTaken)
            let context = TenantContext(sandbox: sandbox, seed: idSeed, id: id, identityProvider: provider)
            do throws(ConfigurationError) {
                let tenant = try party.tenant(wanted, context)
                provider = provider ?? party.facts(tenant)
                tenants.append(tenant)
            } catch {
                throw ChangeError.invalid(error.inside(["tenants", party.name]))
            }
        }
        if !mayBeTaken { for tenant in tenants { try requireFree(tenant) } }
        return tenants
    }

    /// A sandbox's tenants as they were configured in a past. A configuration that is refused by now is shown as the tenant is.
    package func tenants(of sandbox: Sandbox, inPast db: Database) throws -> [String: Tenant] {
        try Past.tenants(of: sandbox, db).reduce(into: sandbox.tenants) { tenants, then in
            let (vendor, (id, configuration)) = then
            if let tenant = try? party(vendor)?.tenant(configuration, context(of: id, in: sandbox)) { tenants[vendor] = tenant }
        }
    }

    /// No name that a tenant's settings give it may be another's.
    func requireFree(_ tenant: Tenant) throws(ChangeError) {
        for name in (tenant.settings as? any TenantNames)?.names ?? [] {
            if let other = self.tenant(tenant.vendor, name), other.sandbox != tenant.sandbox {
                throw ChangeError.tenantTaken(vendor: tenant.vendor, id: name, by: other.sandbox)
            }
        }
    }

    /// The id asked for, else one drawn from the seed, else the next that is free.
    private func tenantId(
        _ wanted: JSON?, _ party: any Party, _ seed: Int64, of sandbox: String, _ mayBeTaken: Bool
    ) throws(ChangeError) -> String {
        if let wanted, !wanted.isNull {
            guard let wanted = wanted.string, Self.isTenantId(wanted) else {
                throw ChangeError.invalid(
                    ConfigurationError(
                        ["tenants", party.name, party.tenantKey],
                        "\(wanted.text) is not a string of up to 64 letters, digits, '-', '_' and '.'"
                            + (wanted.integer == nil ? "" : ": put it in quotes")))
            }
            if !mayBeTaken, let taken = tenant(party.name, wanted), taken.sandbox != sandbox {
                throw ChangeError.tenantTaken(vendor: party.name, id: wanted, by: taken.sandbox)
            }
            return wanted
        }
        var number = 10_000_000 + Draw(seed: seed, "tenant", party.name).number(below: 90_000_000)
        while tenant(party.name, String(number)) != nil { number += 1 }
        return String(number)
    }

    /// It stands in URLs, so it must not need encoding there (RFC 3986 §2.3).
    static func isTenantId(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 64 && id != "." && id != ".."
            && id.utf8.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
    }
}
