/// What a vendor's HTTP interface is, read from `contracts/<vendor>.openapi.yaml` (OpenAPI 3.1 and extensions): the operations, what they
/// take and how they may answer. All that can be verified is verified when it is read; a contract that exists is sound.
public final class Contract: Sendable {
    public let vendor: String
    /// As named in errors.
    public let file: String
    public let title: String
    public let version: String
    /// In the document's order.
    public let operations: [ContractOperation]
    /// The answer that an operation gives where the tenant that its `x-tenant` names is not known; every such operation declares it.
    public let unknownTenantAnswer: String?
    /// The answer to a request that violates the contract; an operation that does not declare it proceeds.
    public let malformedAnswer: String?

    let hosts: [ServerHost]
    private let byID: [String: ContractOperation]

    /// - Parameters:
    ///   - file: what errors call the text.
    ///   - vendor: `[a-z][a-z0-9-]*`.
    /// - Throws: ``ContractError``: the first thing that is not as the contract format has it.
    public init(parsing yaml: String, file: String, vendor: String) throws(ContractError) {
        guard Spelling.vendor.accepts(vendor) else {
            throw ContractError(file: file, message: "vendor '\(vendor)' does not match \(Spelling.vendor.text)")
        }
        let reader = ContractReader(root: try YAMLNode(parsing: yaml, file: file), file: file, vendor: vendor)
        let document = try reader.document()
        self.vendor = vendor
        self.file = file
        title = document.title
        version = document.version
        operations = document.operations
        unknownTenantAnswer = document.unknownTenantAnswer
        malformedAnswer = document.malformedAnswer
        hosts = document.hosts
        byID = Dictionary(uniqueKeysWithValues: document.operations.map { ($0.id, $0) })
    }

    public func operation(_ id: String) -> ContractOperation? { byID[id] }

    /// Verifies that contract and code name the same operations.
    ///
    /// - Parameter implemented: the operationIds that the code has.
    /// - Throws: ``ContractError`` at the operation that the code lacks, or about the file for one that only the code has.
    public func requireExactly(_ implemented: [String]) throws(ContractError) {
        let names = Set(implemented)
        if let missing = operations.first(where: { !names.contains($0.id) }) {
            let hint = NearestWord.hint(for: missing.id, among: implemented)
            throw ContractError(file: file, line: missing.line, message: "operation '\(missing.id)' is not implemented\(hint)")
        }
        if let unknown = implemented.first(where: { byID[$0] == nil }) {
            let hint = NearestWord.hint(for: unknown, among: operations.map(\.id))
            throw ContractError(file: file, message: "'\(unknown)' is implemented but no operation has this operationId\(hint)")
        }
    }
}
