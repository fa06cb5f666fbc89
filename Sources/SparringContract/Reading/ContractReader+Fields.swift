internal import SparringJSON

/// The members of an object of the contract, all of them known ones.
struct ContractFields {
    let node: YAMLNode
    /// "an operation".
    let what: String
    let entries: [YAMLEntry]
    let file: String

    subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    func require(_ key: String) throws(ContractError) -> YAMLNode {
        guard let value = self[key] else { throw node.error("\(what) needs '\(key)'", in: file) }
        return value
    }
}

extension ContractReader {
    func error(_ message: String, at node: YAMLNode) -> ContractError { node.error(message, in: file) }

    func error(_ message: String, at entry: YAMLEntry) -> ContractError {
        ContractError(file: file, line: entry.line, column: entry.column, message: message)
    }

    /// - Throws: ``ContractError`` where the node is no mapping or has a key that is not known.
    func fields(_ node: YAMLNode, of what: String, known: [String]) throws(ContractError) -> ContractFields {
        guard case .mapping(let entries) = node.content else { throw error("\(what) must be a mapping", at: node) }
        for entry in entries where !known.contains(entry.key) { throw unknown(entry, in: what, known: known) }
        return ContractFields(node: node, what: what, entries: entries, file: file)
    }

    func unknown(_ entry: YAMLEntry, in what: String, known: [String]) -> ContractError {
        error("unknown key '\(entry.key)' in \(what)\(Nearest.hint(for: entry.key, in: known))", at: entry)
    }

    func entries(_ node: YAMLNode) throws(ContractError) -> [YAMLEntry] {
        guard case .mapping(let entries) = node.content else { throw error("must be a mapping", at: node) }
        return entries
    }

    /// None where there is no node.
    func elements(_ node: YAMLNode?) throws(ContractError) -> [YAMLNode] {
        guard let node else { return [] }
        guard case .sequence(let elements) = node.content else { throw error("must be a list", at: node) }
        return elements
    }

    func string(_ node: YAMLNode) throws(ContractError) -> String {
        switch try node.json(file: file) {
        case .string(let text): return text
        case .object, .array: throw error("must be a string", at: node)
        default: throw error("must be a string: write it in quotes", at: node)
        }
    }

    func string(_ node: YAMLNode, spelled spelling: Spelling, _ what: String) throws(ContractError) -> String {
        let text = try string(node)
        guard spelling.accepts(text) else { throw error("\(what) '\(text)' does not match \(spelling.text)", at: node) }
        return text
    }

    func strings(_ node: YAMLNode) throws(ContractError) -> [String] {
        var strings: [String] = []
        for element in try elements(node) { strings.append(try string(element)) }
        return strings
    }

    /// False where there is no node.
    func bool(_ node: YAMLNode?) throws(ContractError) -> Bool {
        guard let node else { return false }
        guard case .bool(let value) = try node.json(file: file) else { throw error("must be true or false", at: node) }
        return value
    }

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
        return node
    }
}
