import GRDB
public import SparringContract
package import SparringJSON
public import SparringSandbox

/// A vendor with its contract, its generics put away.
public final class VendorEntry: Party, Sendable {
    public let name: String
    public let contract: Contract
    package let vendor: any Vendor
    private let handlers: [String: Handler]
    private let adminHandlers: [String: AdminHandler]

    /// - Throws: ``ContractError`` where contract and Swift cases differ.
    init(_ vendor: any Vendor, contract: Contract) throws {
        name = vendor.name
        self.contract = contract
        self.vendor = vendor
        handlers = try Self.handlers(of: vendor, contract)
        adminHandlers = try Self.adminHandlers(of: vendor, contract)
    }

    private static func handlers<V: Vendor>(of vendor: V, _ contract: Contract) throws -> [String: Handler] {
        try contract.requireExactly(V.Operation.allCases.map(\.rawValue))
        return Dictionary(uniqueKeysWithValues: V.Operation.allCases.map { ($0.rawValue, vendor.handler(of: $0)) })
    }

    private static func adminHandlers<V: Vendor>(of vendor: V, _ contract: Contract) throws -> [String: AdminHandler] {
        let ids = V.AdminOperation.allCases.map(\.rawValue)
        if let admin = contract.admin {
            try admin.requireExactly(ids)
        } else if let id = ids.first {
            throw ContractError(file: contract.file, message: "there is no \(vendor.name).admin.openapi.yaml with the operation '\(id)'")
        }
        let handlers = Dictionary(uniqueKeysWithValues: V.AdminOperation.allCases.map { ($0.rawValue, vendor.adminHandler(of: $0)) })
        for operation in contract.admin?.operations ?? [] {
            let needed = answersOfTheAPI + (handlers[operation.id]?.isAct == true ? answersOfActs : [])
            if let missing = needed.first(where: { operation.answer($0) == nil }) {
                throw ContractError(
                    file: operation.file, line: operation.line,
                    message: "operation '\(operation.id)' does not declare the answer '\(missing)', which the admin API gives for it")
            }
        }
        return handlers
    }

    /// The answers that the admin API itself gives to a call of any operation of a vendor's, and of one that makes something happen.
    private static let answersOfTheAPI = [
        "request-malformed", "unauthorized", "forbidden", "sandbox-unknown", "sandbox-ended", "tenant-unknown", "internal-error",
    ]
    private static let answersOfActs = ["configuration-invalid", "act-refused"]

    /// The vendor's addition to the admin API under an operationId; nil where it has none.
    package func adminOperation(_ id: String) -> (ContractOperation, AdminHandler)? {
        guard let operation = contract.admin?.operation(id), let handler = adminHandlers[id] else { return nil }
        return (operation, handler)
    }

    func handler(of operation: ContractOperation) -> Handler {
        if let stub = operation.stub { return .decide { call in call.stubbed(stub) } }
        guard let handler = handlers[operation.id] else { preconditionFailure("operations were checked at start") }
        return handler
    }

    func channel(polledBy operation: ContractOperation) -> ContractChannel? {
        contract.channels.first { $0.pollers.contains(operation) }
    }

    package var tenantKey: String { vendor.tenantKey }

    package func complete(_ given: JSON, _ context: TenantContext) throws(ConfigurationError) -> JSON {
        guard let schema = contract.tenant else { return try vendor.complete(given, for: context) }
        return try schema.completed(try vendor.complete(try schema.checked(given), for: context))
    }

    package func settings(_ configuration: JSON) throws(ConfigurationError) -> any Sendable { try vendor.settings(configuration) }

    package func stubs(_ configuration: JSON) throws(ConfigurationError) -> DefinedStubs {
        guard let configured = configuration["stubs"]?.object, !configured.isEmpty else { return .none }
        do throws(ConfigurationError) { return try DefinedStubs(configured, beside: contract) } catch { throw error.inside(["stubs"]) }
    }

    package func published(_ tenant: Tenant, _ addresses: Addresses) -> JSON {
        func open<V: Vendor>(_ vendor: V) -> JSON {
            vendor.published(tenant.configuration, tenant.settings(of: V.self), addresses: addresses)
        }
        return open(vendor)
    }

    package func look(at token: String, of tenant: Tenant) -> TokenLook? {
        func open<V: Vendor>(_ vendor: V) -> TokenLook? { vendor.look(at: token, tenant.configuration, tenant.settings(of: V.self)) }
        return open(vendor)
    }

    package func facts(_ tenant: Tenant) -> IdentityProviderFacts? {
        func open<V: CredentialIssuer>(_ vendor: V) -> IdentityProviderFacts {
            vendor.facts(tenant.configuration, tenant.settings(of: V.self))
        }
        return (vendor as? any CredentialIssuer).map { open($0) }
    }
}
