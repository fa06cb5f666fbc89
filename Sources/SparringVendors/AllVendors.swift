public import SparringContract
public import SparringEngine
import SparringSandbox
public import SparringTokens

/// Every party that Sparring stands in for. Adding one is adding its folder, its contract and a line here. The identity provider comes
/// first: others' tenants are configured to trust it.
public enum AllVendors {
    /// - Parameters:
    ///   - contracts: by vendor name.
    ///   - keys: the pool of public test keys (`fixtures/keys`).
    public static func make(_ contracts: [String: Contract], keys: KeyPool) throws -> [any Vendor] {
        [
            IdentityProvider(
                keys: keys, contract: try contract("identity", contracts), parties: [LivePerson.relyingParty]),
            LivePerson(keys: keys, contract: try contract("liveperson", contracts)),
            CXone(keys: keys, contract: try contract("cxone", contracts)),
            Khoros(contract: try contract("khoros", contracts)),
            ASAPP(keys: keys, contract: try contract("asapp", contracts)),
            Talkdesk(keys: keys, contract: try contract("talkdesk", contracts)),
        ]
    }

    private static func contract(_ name: String, _ contracts: [String: Contract]) throws -> Contract {
        guard let contract = contracts[name] else { throw ToolError("there is no contract \(name).openapi.yaml") }
        return contract
    }
}
