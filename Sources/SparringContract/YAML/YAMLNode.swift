internal import SparringJSON
internal import Yams

/// A YAML document's tree with the place of each value, stripped to what reading a contract needs. Yams' own nodes carry tags and weak
/// anchors that make walking them several times slower than this one conversion.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        /// `isPlain`: written without quotes, so that `true` and `1` are no strings.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
    }

    var content: Content
    var place: YAMLPlace

    func error(_ message: String) -> ContractError { place.error(message) }
}

/// A key of a mapping with its value. The key's place is where an error about the key points.
struct YAMLEntry: Sendable {
    var key: String
    var place: YAMLPlace
    var value: YAMLNode
}

extension YAMLNode {
    /// Reads a text of exactly one document.
    ///
    /// - Throws: ``ContractError``: a syntax error, a key written twice, a key that is no scalar, an explicit tag, an empty text, more than
    ///   ``YAMLSize`` allows.
    init(parsing text: String, file: String) throws(ContractError) {
        var size = YAMLSize()
        try self.init(parsing: text, file: file, &size)
    }

    init(parsing text: String, file: String, _ size: inout YAMLSize) throws(ContractError) {
        // A byte order mark is no content (YAML 1.2.2 §5.2); the parser counts it as a column.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        if text.utf8.contains(UInt8(ascii: "*")) { try YAMLKeys.check(text, file: file) }
        let root: Node?
        do {
            // The basic resolver does not try its regular expressions on every scalar: scalars are resolved in `json(file:)`.
            root = try Yams.compose(yaml: text, .basic, .default, .utf8)
        } catch let error as YamlError {
            throw ContractError(error, file: file, text: text)
        } catch {
            throw ContractError(file: file, message: "\(error)")
        }
        guard let root else { throw ContractError(file: file, message: "the file is empty") }
        try self.init(root, file: file, &size)
    }

    private init(_ node: Node, file: String, _ size: inout YAMLSize) throws(ContractError) {
        place = YAMLPlace(file: file, line: node.mark?.line ?? 0, column: node.mark?.column ?? 0)
        let tag: String
        switch node {
        case .scalar(let scalar):
            content = .scalar(scalar.string, isPlain: scalar.style == .plain)
            // Yams marks a quoted scalar with this tag by itself.
            tag = scalar.style == .plain ? scalar.tag.description : ""
        case .sequence(let sequence):
            var elements: [YAMLNode] = []
            elements.reserveCapacity(sequence.count)
            for element in sequence { elements.append(try YAMLNode(element, file: file, &size)) }
            content = .sequence(elements)
            tag = sequence.tag.description
        case .mapping(let mapping):
            var entries: [YAMLEntry] = []
            entries.reserveCapacity(mapping.count)
            for (key, value) in mapping {
                let keyPlace = key.mark.map { YAMLPlace(file: file, line: $0.line, column: $0.column) } ?? place
                guard case .scalar(let scalar) = key else { throw keyPlace.error("a key must be a plain word") }
                let value = try YAMLNode(value, file: file, &size)
                entries.append(YAMLEntry(key: scalar.string, place: keyPlace, value: value))
            }
            content = .mapping(entries)
            tag = mapping.tag.description
        case .alias: preconditionFailure("Yams puts the anchored node in an alias's place while composing")
        }
        guard tag.isEmpty else { throw error("tag \(tag.quoted) is not supported") }
        try size.count(self)
    }
}

extension ContractError {
    fileprivate init(_ error: YamlError, file: String, text: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            if Self.hasTab(inIndentationOf: mark.line, text) {
                // The parser says only that some character is wrong, and a tab is not visible.
                self.init(file: file, line: mark.line, message: "not YAML: a tab in the indentation, where only spaces are allowed")
                return
            }
            let context = context.map { " (\($0.text) at line \($0.mark.line))" } ?? ""
            self.init(file: file, line: mark.line, column: mark.column, message: "not YAML: \(problem)\(context)")
        case .reader(let problem, let offset, _, _):
            let before = text.prefix(offset ?? 0)
            let column = before.reversed().prefix { !$0.isNewline }.count + 1
            self.init(file: file, line: before.count(where: \.isNewline) + 1, column: column, message: "not YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            // Yams tells only where the first of the two stands.
            self.init(
                file: file, line: context.mark.line, column: context.mark.column,
                message: "key \((keys.first ?? "").quoted) is written again below")
        default: self.init(file: file, message: "not YAML: \(error)")
        }
    }

    /// YAML 1.2.2 §6.1
    private static func hasTab(inIndentationOf line: Int, _ text: String) -> Bool {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.indices.contains(line - 1) && lines[line - 1].prefix { $0 == " " || $0 == "\t" }.contains("\t")
    }
}
