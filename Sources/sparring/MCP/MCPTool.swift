import SparringJSON

/// Something that an assistant can have done.
struct MCPTool: Sendable {
    /// What it changes.
    enum Effect {
        case reads
        case adds
        case removes
    }

    var name: String
    var title: String
    /// For the model: what it does, and when to use it.
    var about: String
    var effect: Effect
    var parameters: [ToolParameter]
    /// Throws what the model can read: ``CommandFailure`` and the like.
    var perform: @Sendable (ToolArguments, Workbench) async throws -> ToolAnswer

    static let all = scenarios + sandboxes + faults + time + evidence

    /// Its entry in `tools/list`.
    var json: JSON {
        [
            "name": .string(name), "title": .string(title), "description": .string(about),
            "inputSchema": .members([
                "type": "object", "properties": .object(JSON.Object(uniqueKeysWithValues: parameters.map { ($0.name, $0.schema) })),
                "required": .array(parameters.filter(\.isRequired).map { .string($0.name) }), "additionalProperties": false,
            ]),
            "annotations": [
                "title": .string(title), "readOnlyHint": .bool(effect == .reads), "destructiveHint": .bool(effect == .removes),
                "openWorldHint": false,
            ],
        ]
    }
}

/// What a tool has to say: words for people and models, and the same for programs.
struct ToolAnswer {
    var text: String
    /// An object.
    var content: JSON
}
