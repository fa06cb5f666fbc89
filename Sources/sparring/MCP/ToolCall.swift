import SparringContract
import SparringJSON

/// A call of a tool, with arguments that its schema accepts.
struct ToolCall {
    let tool: MCPTool
    let bench: Workbench
    private let arguments: JSON

    /// - Parameter given: an object. Some clients send null for what they leave out.
    /// - Throws: ``CommandFailure`` that names everything that is wrong.
    init(_ tool: MCPTool, _ given: JSON, _ bench: Workbench) throws(CommandFailure) {
        let arguments = JSON.object((given.object ?? [:]).filter { !$0.value.isNull })
        let complaints = tool.complaints(about: arguments)
        guard complaints.isEmpty else { throw CommandFailure(text: complaints.joined(separator: "\n"), status: 1) }
        (self.tool, self.bench, self.arguments) = (tool, bench, arguments)
    }

    subscript(_ name: String) -> JSON? { arguments[name] }

    func text(_ name: String) -> String? { arguments[name]?.string }
    func texts(_ name: String) -> [String] { arguments.texts(name) }
    func flag(_ name: String) -> Bool { arguments[name]?.bool ?? false }

    /// The one that is named, else the one that the session made last.
    var sandbox: String { get async throws { try await bench.sandbox(text("sandbox")) } }

    /// The arguments that make up the body of the operation.
    var body: JSON {
        .object((arguments.object ?? [:]).filter { !tool.parameters.contains($0.key) && !tool.declared.own.contains($0.key) })
    }

    /// Throws what the model can read: ``CommandFailure`` and the like.
    func answer() async throws -> ToolAnswer {
        switch tool.operation {
        case .act: try await act()
        case .clearFaults: try await removeFaults()
        case .createSandbox: try await createSandbox()
        case .deleteSandbox: try await deleteSandbox()
        case .judge: try await judge()
        case .listEffects: try await listEffects()
        case .listScenarios: try await listScenarios()
        case .planFaults: try await planFaults()
        case .readJournal: try await readJournal()
        case .readSandbox: try await readSandbox()
        default: try await call()
        }
    }

    /// The answer of a tool that is just a call of its operation.
    private func call() async throws -> ToolAnswer {
        let sandbox = tool.parameters.contains("sandbox") ? try await sandbox : nil
        var values: [String: (any CustomStringConvertible)?] = [:]
        for name in tool.parameters where name != "sandbox" { values[name] = arguments[name]?.plain }
        let json = try await bench.client.call(tool.operation, in: sandbox, values, body: tool.hasBody ? body : nil).json
        let text =
            switch tool.operation {
            case .advanceClock: ClockText.advanced(json)
            case .armFault: FaultCommand.Add.text(json, in: sandbox ?? "")
            case .mintCredential: json["credential"]?.string ?? json.text
            case .setClock: ClockText.whole(json)
            default: json.prettyText
            }
        return ToolAnswer(text: text, content: json)
    }
}
