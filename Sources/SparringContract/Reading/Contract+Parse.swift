extension Contract {
    /// - Parameters:
    ///   - file: what errors call the text.
    ///   - vendor: `[a-z][a-z0-9-]*`.
    ///   - messages: the AsyncAPI document that goes with it.
    ///   - admin: the contract of the vendor's admin operations.
    /// - Throws: ``ContractError``: the first thing that does not conform to the contract format.
    public convenience init(
        parsing yaml: String, file: String, vendor: String, messages: (yaml: String, file: String)? = nil, admin: Contract? = nil
    ) throws(ContractError) {
        var spoken: ContractDocument?
        if let messages { spoken = ContractDocument(file: messages.file, root: try YAMLNode(parsing: messages.yaml, file: messages.file)) }
        try self.init(
            ContractDocument(file: file, root: try YAMLNode(parsing: yaml, file: file)), vendor: vendor, messages: spoken, admin: admin)
    }

    /// Reads a contract from documents that are already parsed.
    convenience init(
        _ source: ContractDocument, vendor: String, messages: ContractDocument? = nil, admin: Contract? = nil, tenant: Schema? = nil
    ) throws(ContractError) {
        guard Spelling.vendor.accepts(vendor) else {
            throw ContractError(file: source.file, message: "vendor '\(vendor)' does not match \(Spelling.vendor.text)")
        }
        let reader = ContractReader(source, vendor: vendor)
        var document = try reader.document()
        let sockets = try Self.sockets(messages, vendor, document.operations, reader)
        document.operations += sockets.operations
        document.channels = sockets.channels
        self.init(document, vendor: vendor, file: source.file, admin: admin, tenant: tenant)
        if let admin { try requireApart(admin) }
    }

    private static func sockets(
        _ messages: ContractDocument?, _ vendor: String, _ calls: [ContractOperation], _ reader: ContractReader
    ) throws(ContractError) -> ContractReader.MessageDocument {
        guard let messages else {
            guard let opener = calls.first(where: \.opensSocket) else {
                return ContractReader.MessageDocument(operations: [], channels: [])
            }
            throw ContractError(
                file: opener.file, line: opener.line,
                message: "operation '\(opener.id)' answers 101, but there is no \(vendor)\(messagesSuffix) with its channel")
        }
        return try ContractReader(messages, vendor: vendor)
            .messageDocument(openedBy: calls, in: reader.file, tags: reader.tags)
    }

    /// - Throws: ``ContractError`` where an admin operation has an id of the vendor's own operations or messages, or lies elsewhere than below
    ///   the vendor's part of the admin API.
    private func requireApart(_ admin: Contract) throws(ContractError) {
        let messages = channels.flatMap(\.sent).map(\.id)
        for operation in admin.operations {
            if self.operation(operation.id) != nil || messages.contains(operation.id) {
                throw ContractError(
                    file: admin.file, line: operation.line, message: "\(file) already has an operation '\(operation.id)'")
            }
            let prefix = Self.adminPrefix(of: vendor)
            guard operation.pathTemplate.hasPrefix(prefix) else {
                throw ContractError(
                    file: admin.file, line: operation.line,
                    message: "the path \(operation.pathTemplate) of '\(operation.id)' does not begin with \(prefix)")
            }
        }
    }

    /// The prefix of the paths of a vendor's admin operations.
    static func adminPrefix(of vendor: String) -> String { "\(ContractOperation.adminPrefix)/sandboxes/{sandbox}/\(vendor)/" }
}
