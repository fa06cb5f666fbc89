internal import SparringJSON

/// The members of a mapping, all of them known ones.
struct YAMLFields {
    let node: YAMLNode
    /// "an operation".
    let what: String
    let entries: [YAMLEntry]

    subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    func require(_ key: String) throws(ContractError) -> YAMLNode {
        guard let value = self[key] else { throw node.error("\(what) needs '\(key)'") }
        return value
    }
}

/// Reads the values of a YAML file, and says where one is wrong.
protocol YAMLReading {}

extension YAMLReading {
    func error(_ message: String, at node: YAMLNode) -> ContractError { node.place.error(message) }
    func error(_ message: String, at entry: YAMLEntry) -> ContractError { entry.place.error(message) }

    /// - Throws: ``ContractError`` where the node is no mapping or has a key that is not known.
    func fields(_ node: YAMLNode, of what: String, known: [String]) throws(ContractError) -> YAMLFields {
        guard case .mapping(let entries) = node.content else { throw error("\(what) must be a mapping", at: node) }
        for entry in entries where !known.contains(entry.key) { throw unknown(entry, in: what, known: known) }
        return YAMLFields(node: node, what: what, entries: entries)
    }

    func unknown(_ entry: YAMLEntry, in what: String, known: [String]) -> ContractError {
        error("unknown key '\(entry.key)' in \(what)\(Nearest.hint(for: entry.key, in: known))", at: entry)
    }

    /// None where there is no node.
    func entries(_ node: YAMLNode?) throws(ContractError) -> [YAMLEntry] {
        guard let node else { return [] }
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
        switch try node.json() {
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
        try elements(node).map { element throws(ContractError) in try string(element) }
    }

    /// - Parameter what: what the key is, for the error.
    func require(_ entry: YAMLEntry, spelled spelling: Spelling, _ what: String) throws(ContractError) {
        guard spelling.accepts(entry.key) else { throw error("\(what) '\(entry.key)' does not match \(spelling.text)", at: entry) }
    }

    /// False where there is no node.
    func bool(_ node: YAMLNode?) throws(ContractError) -> Bool {
        guard let node else { return false }
        guard case .bool(let value) = try node.json() else { throw error("must be true or false", at: node) }
        return value
    }
}
