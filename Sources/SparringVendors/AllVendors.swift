public import SparringContract
public import SparringEngine
import SparringSandbox
public import SparringTokens

/// Every party that Sparring stands in for. Adding one is adding its folder, its contract and a line here. The identity provider comes
/// first: others' tenants are configured to trust it.
public enum AllVendors {
    /// The vendor that the others are configured to trust: whichever are started, it is too.
    public static let companion = "identity"

    /// Some of the vendors, with the one that they need; nil where none is named: all.
    public static func only(_ names: [String]) -> Set<String>? { names.isEmpty ? nil : Set(names).union([companion]) }

    /// - Parameters:
    ///   - contracts: by vendor name.
    ///   - keys: the pool of public test keys (`fixtures/keys`).
    ///   - wanted: those that are made; nil: all.
    public static func make(_ contracts: [String: Contract], keys: KeyPool, only wanted: Set<String>? = nil) throws -> [any Vendor] {
        let makers: [(name: String, make: (Contract) -> any Vendor)] = [
            (companion, { IdentityProvider(keys: keys, contract: $0, parties: [LivePerson.relyingParty]) }),
            ("liveperson", { LivePerson(keys: keys, contract: $0) }), ("cxone", { CXone(keys: keys, contract: $0) }),
            ("khoros", { Khoros(contract: $0) }), ("asapp", { ASAPP(keys: keys, contract: $0) }),
            ("talkdesk", { Talkdesk(keys: keys, contract: $0) }),
        ]
        return try makers.filter { wanted?.contains($0.name) ?? true }.map { $0.make(try contract($0.name, contracts)) }
    }

    private static func contract(_ name: String, _ contracts: [String: Contract]) throws -> Contract {
        guard let contract = contracts[name] else { throw ToolError("there is no contract \(name).openapi.yaml") }
        return contract
    }
}
