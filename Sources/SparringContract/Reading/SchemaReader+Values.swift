internal import SparringJSON

/// The values of a schema's keywords.
extension SchemaReader {
    func types(_ node: YAMLNode) throws(ContractError) -> JSONTypes {
        if case .scalar = node.content { return try type(node) }
        var types: JSONTypes = []
        for element in try elements(node) { types.formUnion(try type(element)) }
        guard !types.isEmpty else { throw error("type must name at least one type", at: node) }
        return types
    }

    private func type(_ node: YAMLNode) throws(ContractError) -> JSONTypes {
        // `type: [string, null]` without quotes is a YAML null, yet its meaning is plain.
        let word = try node.json().isNull ? "null" : try string(node)
        guard let type = JSONTypes.words.first(where: { $0.word == word })?.type else {
            throw error("unknown type '\(word)'\(Nearest.hint(for: word, in: JSONTypes.words.map(\.word)))", at: node)
        }
        return type
    }

    func number(_ node: YAMLNode) throws(ContractError) -> JSON {
        let value = try node.json()
        guard value.double != nil else { throw error("must be a number", at: node) }
        return value
    }

    func count(_ node: YAMLNode) throws(ContractError) -> Int {
        guard let value = try node.json().integer, value >= 0, let count = Int(exactly: value) else {
            throw error("must be a whole number, 0 or more", at: node)
        }
        return count
    }

    func use(_ node: YAMLNode) throws(ContractError) -> ValueUse {
        let word = try string(node)
        guard let use = ValueUse(rawValue: word) else {
            throw error("unknown use '\(word)'\(Nearest.hint(for: word, in: ValueUse.allCases.map(\.rawValue)))", at: node)
        }
        return use
    }

    enum Format {
        case text(SchemaFormat)
        case number(NumberFormat)
        /// Asserts nothing.
        case annotation
    }

    func format(_ node: YAMLNode) throws(ContractError) -> Format {
        let word = try string(node)
        if let format = SchemaFormat(rawValue: word) { return .text(format) }
        if let format = NumberFormat(rawValue: word) { return .number(format) }
        if SchemaKeyword.annotationFormats.contains(word) { return .annotation }
        throw error("unknown format '\(word)'\(Nearest.hint(for: word, in: SchemaKeyword.formats))", at: node)
    }
}
