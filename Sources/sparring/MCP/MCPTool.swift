import SparringContract
import SparringJSON

/// Something that an assistant can have done: an operation of the admin API that its contract declares as a tool (`x-tool`).
struct MCPTool: Sendable {
    let declared: DeclaredTool
    let operation: AdminCall
    /// The names of the operation's parameters.
    let parameters: Set<String>
    let hasBody: Bool

    var name: String { declared.name }

    /// In the contract's order.
    ///
    /// - Parameter folder: of the contracts.
    static func all(in folder: String) throws(ContractError) -> [MCPTool] {
        try ContractFolder(path: folder, vendors: ["admin"]).contracts.flatMap(\.operations).compactMap(MCPTool.init)
    }

    /// Nil for an operation that is no tool.
    private init?(_ operation: ContractOperation) {
        guard let declared = operation.tool, let call = AdminCall.allCases.first(where: { "\($0)" == operation.id }) else { return nil }
        self.declared = declared
        self.operation = call
        parameters = Set(operation.parameters.map(\.name))
        hasBody = operation.requestBody != nil
    }

    /// Its entry in `tools/list`.
    var json: JSON {
        [
            "name": .string(name), "title": .string(declared.title), "description": .string(declared.description),
            "inputSchema": declared.input,
            "annotations": [
                "title": .string(declared.title), "readOnlyHint": .bool(declared.isReadOnly),
                "destructiveHint": .bool(operation.method == "DELETE"), "openWorldHint": false,
            ],
        ]
    }

    /// The faults of arguments, in words for the model; empty: there are none.
    func complaints(about arguments: JSON) -> [String] {
        let properties = declared.input["properties"]?.object ?? [:]
        return declared.schema.violations(in: arguments).map { violation in
            let tokens = violation.pointer.tokens
            switch violation.kind {
            case .missing where tokens.count == 1: return "\(tokens[0]) is missing: \(properties[tokens[0]]?["description"]?.string ?? "")"
            case .unknown where tokens.count == 1:
                let hint = Nearest.hint(for: tokens[0], in: properties.keys)
                let known = properties.isEmpty ? "; it takes none" : "; it takes \(properties.keys.joined(separator: ", "))"
                return "\(name) has no argument '\(tokens[0])'" + (hint.isEmpty ? known : hint)
            default: return "\(violation.pointer.words): \(violation.message)"
            }
        }
    }
}

/// The answer of a tool: words for people and models, and the same for programs.
struct ToolAnswer {
    var text: String
    /// An object.
    var content: JSON
}
