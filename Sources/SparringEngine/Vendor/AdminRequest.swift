public import SparringContract
public import SparringJSON
public import SparringSandbox

/// A call of one of a vendor's admin operations, which `contracts/<vendor>.admin.openapi.yaml` declares.
public struct AdminRequest: Sendable {
    public let operation: ContractOperation
    public let sandbox: Sandbox
    public let tenant: Tenant
    /// An empty object where none came.
    public let body: JSON
    let parts: RequestParts

    package init(operation: ContractOperation, sandbox: Sandbox, tenant: Tenant, body: JSON, parts: RequestParts) {
        (self.operation, self.sandbox, self.tenant) = (operation, sandbox, tenant)
        (self.body, self.parts) = (body, parts)
    }

    public func path(_ name: String) -> String { parts.pathParameters[name] ?? "" }
    /// The first value of a query parameter.
    public func query(_ name: String) -> String? { parts.query.first { $0.name == name }?.value }
}
