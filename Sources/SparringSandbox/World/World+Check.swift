import SparringContract
package import SparringJSON

/// Trying what a sandbox is asked to be, without doing it.
extension World {
    public static func isSandboxName(_ name: String) -> Bool { name.isName(atMost: 63) }

    /// Tries everything of a request that can be tried without doing it.
    ///
    /// - Parameter mayBeTaken: the tenants' ids may belong to others today.
    package func check(_ request: SandboxRequest, against existing: Sandbox?, mayBeTaken: Bool = false) throws(ChangeError) -> [Fault] {
        _ = try Self.clockSetting(request.clock)
        _ = try vary(request)
        guard let existing else {
            // Most scenarios of a folder have the same tenants, and trying them is expensive: their keys have to be parsed.
            let tenants = JSON.object(request.tenants).text
            let hasStubs = request.tenants.contains { $0.value["stubs"] != nil }
            if mayBeTaken, !hasStubs, isKnownSound(tenants: tenants) { return try faults(request.faults, faultReader) }
            let made = try configure(request.tenants, seed: request.seed ?? 1, sandbox: request.name ?? "", mayBeTaken: mayBeTaken)
            if mayBeTaken { noteSound(tenants: tenants) }
            return try faults(request.faults, faultReader.adding(made.flatMap(\.stubs.operations)))
        }
        var tenants = existing.tenants
        for (name, patch) in request.tenants {
            guard let party = party(name), let tenant = existing.tenant(of: name) else {
                throw .invalid(unknownVendor(name, at: ["tenants", name]))
            }
            do throws(ConfigurationError) {
                tenants[name] = try party.tenant(party.merging(patch, into: tenant), context(of: tenant.id, in: existing))
            } catch {
                throw .invalid(error.inside(["tenants", name]))
            }
        }
        return try faults(request.faults, faultReader.adding(tenants.values.flatMap(\.stubs.operations)))
    }

    package func unknownVendor(_ name: String, at place: JSONPointer) -> ConfigurationError {
        let known = parties.map(\.name)
        return ConfigurationError(
            place, "no vendor '\(name)'; there are \(known.joined(separator: ", "))\(Nearest.hint(for: name, in: known))")
    }

    /// The tenants that a request asks for by their ids.
    package func claims(_ request: SandboxRequest) -> [(vendor: String, id: String)] {
        parties.compactMap { party in request.tenants[party.name]?[party.tenantKey]?.string.map { (party.name, $0) } }
    }
}
