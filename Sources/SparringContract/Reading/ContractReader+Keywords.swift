internal import SparringJSON
internal import SparringPattern

/// The values of a schema's keywords.
extension ContractReader {
    func types(_ node: YAMLNode) throws(ContractError) -> JSONTypes {
        if case .scalar = node.content { return try type(node) }
        var types: JSONTypes = []
        for element in try elements(node) { types.formUnion(try type(element)) }
        guard !types.isEmpty else { throw error("type must name at least one type", at: node) }
        return types
    }

    private func type(_ node: YAMLNode) throws(ContractError) -> JSONTypes {
        // `type: [string, null]` without quotes is a YAML null, yet its meaning is plain.
        let word = try node.json(file: file).isNull ? "null" : try string(node)
        guard let type = JSONTypes.words.first(where: { $0.word == word })?.type else {
            throw error("unknown type '\(word)'\(Nearest.hint(for: word, in: JSONTypes.words.map(\.word)))", at: node)
        }
        return type
    }

    func number(_ node: YAMLNode) throws(ContractError) -> JSON {
        let value = try node.json(file: file)
        guard value.double != nil else { throw error("must be a number", at: node) }
        return value
    }

    func count(_ node: YAMLNode) throws(ContractError) -> Int {
        guard let value = try node.json(file: file).integer, value >= 0, let count = Int(exactly: value) else {
            throw error("must be a whole number, 0 or more", at: node)
        }
        return count
    }

    func pattern(_ text: String, at node: YAMLNode) throws(ContractError) -> Pattern {
        if let pattern = patterns[text] { return pattern }
        do throws(PatternError) {
            let pattern = try Pattern(text, dialect: .ecma)
            patterns[text] = pattern
            return pattern
        } catch {
            throw self.error("'\(text)' is not a supported regular expression: \(error)", at: node)
        }
    }

    func format(_ node: YAMLNode) throws(ContractError) -> SchemaFormat {
        let word = try string(node)
        guard let format = SchemaFormat(rawValue: word) else {
            throw error("unknown format '\(word)'\(Nearest.hint(for: word, in: SchemaFormat.allCases.map(\.rawValue)))", at: node)
        }
        return format
    }

    /// - Throws: ``ContractError`` at the part of the example that its schema does not accept.
    func verify(_ value: JSON, at node: YAMLNode, by schema: Schema?, _ what: String) throws(ContractError) {
        guard let violation = schema?.violations(in: value).first else { return }
        let place = violation.pointer == .root ? "" : " at \(violation.pointer.words)"
        throw error("\(what)\(place): \(violation.message)", at: node.nearest(to: violation.pointer))
    }
}
