import SparringJSON

/// A member of a tool's arguments.
struct ToolParameter: Sendable {
    enum Form {
        case text
        case choice([String])
        case texts
        case integer(ClosedRange<Int64>)
        /// Above 0, at most a million.
        case rate
        case flag
        case object
    }

    var name: String
    var form: Form
    var about: String
    var isRequired = false

    static let sandbox = ToolParameter(name: "sandbox", form: .text, about: "The sandbox's id. Default: the sandbox made last.")

    var schema: JSON {
        var schema: JSON =
            switch form {
            case .text: ["type": "string", "minLength": 1]
            case .choice(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
            case .texts: ["type": "array", "items": ["type": "string", "minLength": 1]]
            case .integer(let range): ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
            case .rate: ["type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000]
            case .flag: ["type": "boolean"]
            case .object: ["type": "object"]
            }
        schema["description"] = .string(about)
        return schema
    }

    /// The complaint about a value, in words that follow the parameter's name; nil: nothing.
    func complaint(_ value: JSON) -> String? {
        switch form {
        case .text: return Self.isText(value) ? nil : "a string that is not empty is needed, not \(Self.shown(value))"
        case .choice(let words):
            if let word = value.string, words.contains(word) { return nil }
            return "it must be \(words.joined(separator: ", ")), not \(Self.shown(value))"
        case .texts:
            guard let items = value.array else { return "an array of strings is needed, not \(Self.shown(value))" }
            return items.first { !Self.isText($0) }.map { "each item must be a string that is not empty, not \(Self.shown($0))" }
        case .integer(let range):
            if let number = value.integer, range.contains(number) { return nil }
            return "a whole number from \(range.lowerBound) to \(range.upperBound) is needed, not \(Self.shown(value))"
        case .rate:
            if let number = value.double, number > 0, number <= 1_000_000 { return nil }
            return "a number above 0, at most 1000000, is needed, not \(Self.shown(value))"
        case .flag: return value.bool == nil ? "true or false is needed, not \(Self.shown(value))" : nil
        case .object: return value.object == nil ? "an object is needed, not \(Self.shown(value))" : nil
        }
    }

    private static func isText(_ value: JSON) -> Bool { value.string?.isEmpty == false }

    private static func shown(_ value: JSON) -> String { value.text.count > 60 ? value.text.prefix(59) + "…" : value.text }
}

/// The arguments of a call, each of its parameter's form.
struct ToolArguments: Sendable {
    private let members: JSON

    /// - Parameters:
    ///   - given: an object. Some clients send null for what they leave out.
    ///   - tool: whose parameters they are.
    /// - Throws: ``CommandFailure`` that names everything that is wrong.
    init(_ given: JSON, of tool: MCPTool) throws {
        let arguments = JSON.object((given.object ?? [:]).filter { !$0.value.isNull })
        var wrong: [String] = []
        let names = tool.parameters.map(\.name)
        for (name, value) in arguments.object ?? [:] {
            guard let parameter = tool.parameters.first(where: { $0.name == name }) else {
                let known = names.isEmpty ? "it takes none" : "it takes \(names.joined(separator: ", "))"
                wrong.append(
                    "\(tool.name) has no argument '\(name)'"
                        + (Nearest.words(to: name, in: names).isEmpty ? "; \(known)" : Nearest.hint(for: name, in: names)))
                continue
            }
            if let complaint = parameter.complaint(value) { wrong.append("\(name): \(complaint)") }
        }
        for parameter in tool.parameters where parameter.isRequired && arguments[parameter.name] == nil {
            wrong.append("\(parameter.name) is missing: \(parameter.about)")
        }
        guard wrong.isEmpty else { throw CommandFailure(text: wrong.joined(separator: "\n"), status: 1) }
        members = arguments
    }

    subscript(_ name: String) -> JSON? { members[name] }

    func text(_ name: String) -> String? { members[name]?.string }
    func texts(_ name: String) -> [String] { members[name]?.array?.compactMap(\.string) ?? [] }
    func integer(_ name: String) -> Int64? { members[name]?.integer }
    func flag(_ name: String) -> Bool { members[name]?.bool ?? false }

    /// Those that are given, for a request of the admin API that has the same names for them.
    func form(_ names: String...) -> JSON {
        .object((members.object ?? [:]).filter { names.contains($0.key) })
    }
}
