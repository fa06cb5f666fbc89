import ASAPPVendor
import CXoneVendor
import IdentityProviderVendor
import KhorosVendor
import LivePersonVendor
public import SparringContract
public import SparringEngine
import SparringSandbox
public import SparringTokens
import TalkdeskVendor

/// Every party that Sparring stands in for. Adding one is adding its folder, its contract, its name in `Package.swift` and a line here. The
/// identity provider comes first: others' tenants are configured to trust it.
public enum AllVendors {
    /// The vendor that the others are configured to trust: whichever are started, it is too.
    public static let companion = "identity"

    /// Some of the vendors, with the one that they need; nil where none is named: all.
    public static func only(_ names: [String]) -> Set<String>? { names.isEmpty ? nil : Set(names).union([companion]) }

    /// The names of all, the companion first.
    public static var names: [String] { makers.map(\.name) }

    private static let makers: [(name: String, make: @Sendable (KeyPool, Contract) -> any Vendor)] = [
        (companion, { identityProvider(keys: $0, contract: $1, parties: [livePersonParty]) }),
        ("liveperson", { livePerson(keys: $0, contract: $1) }), ("cxone", { cxone(keys: $0, contract: $1) }),
        ("khoros", { khoros(contract: $1) }), ("asapp", { asapp(keys: $0, contract: $1) }),
        ("talkdesk", { talkdesk(keys: $0, contract: $1) }),
    ]

    /// - Parameters:
    ///   - contracts: by vendor name.
    ///   - keys: the pool of public test keys (`fixtures/keys`).
    ///   - wanted: those that are made; nil: all.
    public static func make(_ contracts: [String: Contract], keys: KeyPool, only wanted: Set<String>? = nil) throws -> [any Vendor] {
        try makers.filter { wanted?.contains($0.name) ?? true }.map { $0.make(keys, try contract($0.name, contracts)) }
    }

    private static func contract(_ name: String, _ contracts: [String: Contract]) throws -> Contract {
        guard let contract = contracts[name] else { throw ToolError("there is no contract \(name).openapi.yaml", .unreadable) }
        return contract
    }
}
