import GRDB
public import SparringContract
import SparringJSON

/// A vendor with its contract, its generics put away.
public struct VendorEntry: Sendable {
    public let name: String
    public let contract: Contract
    let vendor: any Vendor
    private let behaviours: [String: Behaviour]
    /// By the id of the operation that opens it.
    private let channels: [String: ContractChannel]

    /// - Throws: ``ContractError`` where contract and Swift cases differ.
    init(_ vendor: any Vendor, contract: Contract) throws {
        name = vendor.name
        self.contract = contract
        self.vendor = vendor
        behaviours = try Self.behaviours(of: vendor, contract)
        channels = Dictionary(
            uniqueKeysWithValues: contract.channels.flatMap { channel in channel.openers.map { ($0.id, channel) } })
    }

    private static func behaviours<V: Vendor>(of vendor: V, _ contract: Contract) throws -> [String: Behaviour] {
        try contract.requireExactly(V.Operation.allCases.map(\.rawValue))
        return Dictionary(uniqueKeysWithValues: V.Operation.allCases.map { ($0.rawValue, vendor.behaviour(of: $0)) })
    }

    func behaviour(of operation: ContractOperation) -> Behaviour {
        guard let behaviour = behaviours[operation.id] else { preconditionFailure("operations were checked at start") }
        return behaviour
    }

    func channel(openedBy operation: ContractOperation) -> ContractChannel? { channels[operation.id] }

    func complete(_ given: JSON, _ context: TenantContext) throws(ConfigurationError) -> JSON { try vendor.complete(given, for: context) }

    func settings(_ configuration: JSON) throws(ConfigurationError) -> any Sendable { try vendor.settings(configuration) }

    func published(_ tenant: Tenant, _ addresses: Addresses) -> JSON {
        func open<V: Vendor>(_ vendor: V) -> JSON {
            vendor.published(tenant.configuration, tenant.settings(of: V.self), addresses: addresses)
        }
        return open(vendor)
    }

    func facts(_ tenant: Tenant) -> IdentityProviderFacts? {
        func open<V: CredentialIssuer>(_ vendor: V) -> IdentityProviderFacts {
            vendor.facts(tenant.configuration, tenant.settings(of: V.self))
        }
        return (vendor as? any CredentialIssuer).map { open($0) }
    }
}
