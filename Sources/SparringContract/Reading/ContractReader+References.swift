internal import SparringJSON

extension ContractReader {
    /// Follows `$ref`s to a component (OpenAPI 3.1 §4.8.23).
    ///
    /// - Returns: what they lead to, and the last `$ref`; the node itself and nil where it has none.
    /// - Throws: ``ContractError`` where there is no such component, or it leads back to itself.
    func resolved(_ node: YAMLNode, section: String) throws(ContractError) -> (node: YAMLNode, reference: String?) {
        var node = node
        var seen: [String] = []
        while case .mapping(let entries) = node.content, let reference = entries.first(where: { $0.key == "$ref" }) {
            _ = try fields(node, of: "a $ref", known: ["$ref", "description", "summary"])
            let text = try string(reference.value)
            if seen.contains(text) { throw error("$ref '\(text)' leads back to itself", at: reference) }
            seen.append(text)
            node = try component(text, section: section, at: reference.value)
        }
        return (node, seen.last)
    }

    func component(_ reference: String, section: String, at place: YAMLNode) throws(ContractError) -> YAMLNode {
        let prefix = "#/components/\(section)/"
        if let known = found[reference], reference.hasPrefix(prefix) { return known }
        // A pointer in a URI's fragment is percent-encoded (RFC 6901 §6).
        let fragment = PercentCoding.decoded(reference.utf8.dropFirst()).map { String(decoding: $0, as: UTF8.self) }
        guard reference.hasPrefix(prefix), let pointer = fragment.flatMap(JSONPointer.init), pointer.tokens.count >= 3 else {
            throw error("$ref '\(reference)' must begin with \(prefix)", at: place)
        }
        let names = components[section, default: [:]]
        guard let component = names[pointer.tokens[2]] else {
            let hint = Nearest.hint(for: pointer.tokens[2], in: names.keys.sorted())
            throw error("$ref '\(reference)' leads nowhere\(hint)", at: place)
        }
        guard let node = component[JSONPointer(tokens: Array(pointer.tokens.dropFirst(3)))] else {
            throw error("$ref '\(reference)' leads nowhere", at: place)
        }
        found[reference] = node
        return node
    }
}
