/// What a vendor's interface is, read from `contracts/<vendor>.openapi.yaml` (OpenAPI 3.1 and extensions) and, where it has sockets,
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

    let hosts: [ServerHost]
    private let byID: [String: ContractOperation]

    /// - Parameters:
    ///   - file: what errors call the text.
    ///   - vendor: `[a-z][a-z0-9-]*`.
    ///   - messages: the AsyncAPI document that goes with it.
    /// - Throws: ``ContractError``: the first thing that is not as the contract format has it.
    public init(
        parsing yaml: String, file: String, vendor: String, messages: (yaml: String, file: String)? = nil
    ) throws(ContractError) {
        guard Spelling.vendor.accepts(vendor) else {
            throw ContractError(file: file, message: "vendor '\(vendor)' does not match \(Spelling.vendor.text)")
        }
        let reader = ContractReader(root: try YAMLNode(parsing: yaml, file: file), file: file, vendor: vendor)
        let document = try reader.document()
        let sockets = try Self.sockets(messages, vendor, document.operations, reader)
        self.vendor = vendor
        self.file = file
        title = document.title
        version = document.version
        operations = document.operations + sockets.operations
        channels = sockets.channels
        unknownTenantAnswer = document.unknownTenantAnswer
        malformedAnswer = document.malformedAnswer
        hosts = document.hosts
        byID = Dictionary(uniqueKeysWithValues: operations.map { ($0.id, $0) })
    }

    private static func sockets(
        _ messages: (yaml: String, file: String)?, _ vendor: String, _ calls: [ContractOperation], _ reader: ContractReader
    ) throws(ContractError) -> ContractReader.MessageDocument {
        guard let messages else {
            guard let opener = calls.first(where: \.opensSocket) else {
                return ContractReader.MessageDocument(operations: [], channels: [])
            }
            throw ContractError(
                file: opener.file, line: opener.line,
                message: "operation '\(opener.id)' answers 101, but there is no \(vendor)\(messagesSuffix) with its channel")
        }
        let root = try YAMLNode(parsing: messages.yaml, file: messages.file)
        return try ContractReader(root: root, file: messages.file, vendor: vendor)
            .messageDocument(openedBy: calls, in: reader.file, tags: reader.tags)
    }

    public func operation(_ id: String) -> ContractOperation? { byID[id] }

    /// What goes over the sockets that an operation opens; nil where it opens none.
    public func channel(openedBy operation: ContractOperation) -> ContractChannel? { channels.first { $0.openers.contains(operation) } }

    /// Verifies that contract and code name the same operations, received messages among them.
    ///
    /// - Parameter implemented: the operationIds that the code has.
    /// - Throws: ``ContractError`` at the operation that the code lacks, or about the file for one that only the code has.
    public func requireExactly(_ implemented: [String]) throws(ContractError) {
        let names = Set(implemented)
        if let missing = operations.first(where: { !names.contains($0.id) }) {
            let hint = NearestWord.hint(for: missing.id, among: implemented)
            throw ContractError(file: missing.file, line: missing.line, message: "operation '\(missing.id)' is not implemented\(hint)")
        }
        if let unknown = implemented.first(where: { byID[$0] == nil }) {
            let hint = NearestWord.hint(for: unknown, among: operations.map(\.id))
            throw ContractError(file: file, message: "'\(unknown)' is implemented but no operation has this operationId\(hint)")
        }
    }
}
