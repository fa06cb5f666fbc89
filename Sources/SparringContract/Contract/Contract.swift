import SparringJSON

/// A vendor's interface, read from `contracts/<vendor>.openapi.yaml` (OpenAPI 3.1 and extensions) and, where it has sockets,
/// `contracts/<vendor>.asyncapi.yaml` (AsyncAPI 3.0 and extensions): the operations, what they take and how they may answer. All that can be
/// verified is verified when it is read; a contract that exists is sound.
public final class Contract: Sendable {
    public let vendor: String
    /// The OpenAPI file, as named in errors.
    public let file: String
    public let title: String
    public let version: String
    /// In the documents' order: the calls, then the messages that the vendor receives on its sockets.
    public let operations: [ContractOperation]
    /// The kinds of sockets, in the document's order.
    public let channels: [ContractChannel]
    /// The answer that an operation gives where the tenant that its `x-tenant` names is not known; every such operation declares it.
    public let unknownTenantAnswer: String?
    /// The answer to a request that violates the contract; an operation that does not declare it proceeds.
    public let malformedAnswer: String?

    /// The vendor's additions to the admin API (`contracts/<vendor>.admin.openapi.yaml`); nil where it adds nothing.
    public let admin: Contract?
    /// The schema of a tenant's configuration (`contracts/<vendor>.tenant.schema.yaml`); nil if the vendor's code checks it.
    public let tenant: Schema?

    let hosts: [ServerHost]
    /// The names of the vendor's own servers (`x-vendor-hosts`), and those of `servers`.
    public let vendorHosts: [ServerHost]
    /// Tags of what is not the vendor's, but the brand's own backend (`x-served-by`).
    public let brandTags: Set<String>
    private let byID: [String: ContractOperation]

    /// The contents of its files.
    struct Document {
        var title: String
        var version: String
        var hosts: [ServerHost]
        var vendorHosts: [ServerHost] = []
        var brandTags: Set<String> = []
        var operations: [ContractOperation]
        var channels: [ContractChannel] = []
        var unknownTenantAnswer: String?
        var malformedAnswer: String?
    }

    init(_ document: Document, vendor: String, file: String, admin: Contract?, tenant: Schema?) {
        (self.vendor, self.file, self.admin, self.tenant) = (vendor, file, admin, tenant)
        (title, version, hosts) = (document.title, document.version, document.hosts)
        vendorHosts = document.vendorHosts + document.hosts.filter { !$0.matches(host: "127.0.0.1") && !$0.matches(host: "localhost") }
        brandTags = document.brandTags
        (operations, channels) = (document.operations, document.channels)
        (unknownTenantAnswer, malformedAnswer) = (document.unknownTenantAnswer, document.malformedAnswer)
        byID = Dictionary(uniqueKeysWithValues: operations.map { ($0.id, $0) })
    }

    public func operation(_ id: String) -> ContractOperation? { byID[id] }

    /// The channel of the sockets that an operation opens; nil where it opens none.
    public func channel(openedBy operation: ContractOperation) -> ContractChannel? { channels.first { $0.openers.contains(operation) } }

    /// Verifies that contract and code name the same operations, received messages among them; stubs need no code.
    ///
    /// - Parameter implemented: the operationIds that the code has.
    /// - Throws: ``ContractError`` at the operation that the code lacks, or about the file for one that only the code has.
    public func requireExactly(_ implemented: [String]) throws(ContractError) {
        let names = Set(implemented)
        if let missing = operations.first(where: { $0.stub == nil && !names.contains($0.id) }) {
            var hint = Nearest.hint(for: missing.id, in: implemented)
            if hint.isEmpty { hint = ": with x-stub: true, it answers by its examples" }
            throw ContractError(file: missing.file, line: missing.line, message: "operation '\(missing.id)' is not implemented\(hint)")
        }
        if let unknown = implemented.first(where: { byID[$0] == nil }) {
            let hint = Nearest.hint(for: unknown, in: operations.map(\.id))
            throw ContractError(file: file, message: "'\(unknown)' is implemented but no operation has this operationId\(hint)")
        }
    }
}
