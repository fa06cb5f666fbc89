internal import HTTPTypes
package import SparringJSON

extension EditorSchema {
    /// The arguments of an operation of the admin API that is called by name, as in a scenario's timeline: its parameters but for the sandbox, and the
    /// members of its body. The schemas that it refers to are brought here.
    ///
    /// - Throws: ``ContractError`` for a file that cannot be read or does not declare the operation, a reference that leads nowhere.
    package mutating func arguments(of operation: ContractOperation) throws -> JSON {
        nullLeavesOut = false
        let file = (operation.vendor == "admin" ? "" : operation.vendor + ".") + "admin.openapi.yaml"
        let contract = try document(file)
        let path = contract["paths"]?[operation.pathTemplate]
        guard let declared = path?[operation.method.rawValue.lowercased()] else {
            throw ContractError(file: "\(folder)/\(file)", message: "does not declare the operation '\(operation.id)'")
        }
        let body = declared["requestBody"]?["content"]?["application/json"]?["schema"]
        var arguments = try gathered(body ?? ["type": "object", "additionalProperties": false], of: file)
        var properties = arguments["properties"]?.object ?? [:]
        var required = arguments["required"]?.array ?? []
        for placed in [path, declared].flatMap({ $0?["parameters"]?.array ?? [] }) {
            let parameter = placed["$ref"]?.string.flatMap { JSONPointer(String($0.dropFirst())) }.flatMap { contract[$0] } ?? placed
            guard let name = parameter["name"], let key = name.string, key != "sandbox", parameter["in"] != "header" else { continue }
            var schema = try gathered(parameter["schema"] ?? [:], of: file)
            // A path is text, whatever a file has there.
            if schema["type"] == "string" { schema["type"] = ["string", "integer"] }
            schema["description"] = parameter["description"]
            schema["examples"] = parameter["example"].map { [$0] }
            properties[key] = schema
            if parameter["required"] == true { required.append(name) }
        }
        if !properties.isEmpty { arguments["properties"] = .object(properties) }
        if !required.isEmpty { arguments["required"] = .array(required) }
        let words = [operation.summary.map { $0 + "." }, declared["description"]?.string].compactMap(\.self)
        arguments["description"] = .string(words.joined(separator: " "))
        return arguments
    }
}
