internal import SparringJSON

/// `x-tool: { name, title, description, readOnly: true, takes: [NAME, …], required: [NAME, …], arguments: { NAME: SCHEMA } }`
extension ContractReader {
    /// - Parameters:
    ///   - operation: its fields; the tool's are the same where it has none of its own.
    ///   - parameters: the operation's, those of its path included.
    func tool(_ node: YAMLNode, of operation: YAMLFields, _ parameters: [PlacedParameter], reads: Bool) throws(ContractError)
        -> DeclaredTool
    {
        guard vendor == "admin" else { throw error("x-tool is for operations of admin.openapi.yaml", at: node) }
        let fields = try fields(
            node, of: "a tool", known: ["name", "title", "description", "readOnly", "takes", "required", "arguments"])
        let name = try string(try fields.require("name"), spelled: .tool, "tool")
        let (all, needed) = try arguments(parameters, operation["requestBody"])
        var (properties, required) = (all, needed)
        if let takes = fields["takes"] {
            let names = try names(takes, among: all, name) + ["sandbox"]
            properties = all.filter { names.contains($0.key) }
        }
        for entry in try entries(fields["arguments"]) {
            _ = try schema(entry.value)
            properties[entry.key] = try inlined(try entry.value.json(), at: entry.value)
        }
        if let node = fields["required"] { required = try names(node, among: properties, name) }
        if let missing = required.first(where: { properties[$0] == nil }) {
            throw error("the tool '\(name)' does not take '\(missing)', which its operation needs", at: node)
        }
        // An assistant works in one sandbox.
        if var sandbox = properties.removeValue(forKey: "sandbox") {
            if !required.contains("sandbox") { sandbox["description"] = "The sandbox's id. Default: the sandbox made last." }
            properties["sandbox"] = sandbox
        }
        let input: JSON = [
            "type": "object", "properties": .object(properties), "required": .array(required.map(JSON.string)),
            "additionalProperties": false,
        ]
        let title = if let title = fields["title"] { title } else { try operation.require("summary") }
        let description = if let description = fields["description"] { description } else { try operation.require("description") }
        let isReadOnly = try bool(fields["readOnly"])
        return DeclaredTool(
            name: name, title: try string(title), description: try string(description), isReadOnly: reads || isReadOnly,
            input: Self.standard(input), schema: try schema(YAMLNode(input, at: node.place)),
            own: Set(properties.keys.filter { all[$0] == nil }))
    }

    private func names(_ node: YAMLNode, among arguments: JSON.Object, _ tool: String) throws(ContractError) -> [String] {
        let names = try strings(node)
        guard let unknown = names.first(where: { arguments[$0] == nil }) else { return names }
        throw error("the tool '\(tool)' cannot take '\(unknown)'\(Nearest.hint(for: unknown, in: arguments.keys))", at: node)
    }

    /// The schemas of all that an operation takes but headers: parameters, and members of its body, those of alternatives included; and the names of those that it
    /// needs, but for its sandbox.
    private func arguments(_ parameters: [PlacedParameter], _ body: YAMLNode?) throws(ContractError) -> (JSON.Object, required: [String]) {
        var (arguments, required): (JSON.Object, [String]) = ([:], [])
        for placed in parameters where placed.parameter.location != .header {
            let name = placed.parameter.name
            let node = try resolved(placed.place, section: "parameters").node
            let (schema, description) = (try node.child("schema")?.json(), try node.child("description")?.json())
            var argument = try inlined(schema ?? [:], at: node)
            if let description { argument["description"] = description }
            arguments[name] = argument
            if placed.parameter.required, name != "sandbox" { required.append(name) }
        }
        guard let body else { return (arguments, required) }
        let content = try resolved(body, section: "requestBodies").node.child("content")
        let object = try inlined(try content?.child("application/json")?.child("schema")?.json() ?? [:], at: body)
        for part in [object] + ["allOf", "oneOf", "anyOf"].flatMap({ object[$0]?.array ?? [] }) {
            arguments.merge(part["properties"]?.object ?? [:]) { first, _ in first }
        }
        return (arguments, required + (object["required"]?.array?.compactMap(\.string) ?? []))
    }

    /// The schema with all that it refers to in its place.
    ///
    /// - Parameters:
    ///   - node: where it stands, for errors.
    ///   - outer: the references that have led to it.
    private func inlined(_ schema: JSON, at node: YAMLNode, _ outer: Set<String> = []) throws(ContractError) -> JSON {
        switch schema {
        case .array(var elements):
            for index in elements.indices { elements[index] = try inlined(elements[index], at: node, outer) }
            return .array(elements)
        case .object(var members):
            let reference = members.removeValue(forKey: "$ref")?.string
            for (name, value) in members { members[name] = try inlined(value, at: node, outer) }
            guard let reference else { return .object(members) }
            guard !outer.contains(reference) else { throw error("a tool cannot take what contains itself: \(reference)", at: node) }
            let target = try inlined(
                try component(reference, section: "schemas", at: node).json(), at: node, outer.union([reference]))
            if let both = members.keys.first(where: { $0 != "description" && target[$0] != nil }) {
                throw error("a tool cannot take what has '\(both)' beside a $ref that has it too: \(reference)", at: node)
            }
            return .object((target.object ?? [:]).merging(members) { $1 })
        default: return schema
        }
    }

    /// Without Sparring's own keywords.
    private static func standard(_ schema: JSON) -> JSON {
        switch schema {
        case .array(let elements): .array(elements.map(standard))
        case .object(let members): .object(members.filter { !$0.key.hasPrefix("x-") }.mapValues(standard))
        default: schema
        }
    }
}

extension YAMLNode {
    /// Turns a composed value into a node, all of it at one place.
    fileprivate init(_ json: JSON, at place: YAMLPlace) {
        content =
            switch json {
            case .object(let members):
                .mapping(members.map { YAMLEntry(key: $0.key, place: place, value: YAMLNode($0.value, at: place)) })
            case .array(let elements): .sequence(elements.map { YAMLNode($0, at: place) })
            case .string(let text): .scalar(text, isPlain: false)
            default: .scalar(json.text, isPlain: true)
            }
        self.place = place
    }
}
