internal import SparringJSON
internal import SparringPattern

/// Reads the schemas of one document into a library (JSON Schema 2020-12). A `$ref` leads to any place in the document, or in one of its neighbours.
/// Keywords that are not asserted are refused, but for those that assert nothing: no schema asks for less than its author thinks.
final class SchemaReader: YAMLReading {
    let library = SchemaLibrary()
    /// Values are completed by the schemas: their defaults are kept.
    let completes: Bool
    private let places: PlaceIndex
    private let documents: [String: YAMLNode]
    /// The name of the document that is being read; empty: the first one.
    private var document = ""
    private(set) var nodes: [YAMLNode] = []
    /// The members that stand for something.
    var standing: Set<Int> = []
    /// How many of the library's schemas are known not to refer to themselves in place.
    private var soundSchemas = 0
    /// The schemas that `$ref`s lead to, so that each is read once however often it is used.
    private var referenced: [Target: Int] = [:]
    /// The same by the `$ref`'s text, document by document: most are used often.
    private var texts: [String: [String: Int]] = [:]
    private var patterns: [String: Pattern] = [:]

    private struct Target: Hashable {
        var document: String
        var pointer: JSONPointer
    }

    /// - Parameters:
    ///   - root: the document that a `$ref` is about.
    ///   - neighbours: documents that a `$ref` may name, as in `shared.schema.yaml#/$defs/lifetime`, by their names.
    ///   - completes: ``completes``.
    init(root: YAMLNode, _ places: PlaceIndex, neighbours: [String: YAMLNode] = [:], completes: Bool = false) {
        documents = neighbours.merging(["": root]) { $1 }
        self.places = places
        self.completes = completes
    }

    /// Reads a schema and all that it refers to.
    func schema(_ node: YAMLNode) throws(ContractError) -> Schema {
        let index = try compiled(node)
        try refuseLoops()
        return Schema(library: library, index: index)
    }

    /// Reads the schema at a place of the document, even if nothing refers to it.
    func verify(_ node: YAMLNode, at pointer: JSONPointer) throws(ContractError) {
        _ = try compiled(node, at: pointer)
        try refuseLoops()
    }

    func compiled(_ node: YAMLNode) throws(ContractError) -> Int {
        // A bare reference needs no schema of its own.
        if case .mapping(let entries) = node.content, entries.count == 1, entries[0].key == "$ref" {
            return try compiled(reference: entries[0].value)
        }
        let index = reserve(node)
        library.rules[index] = try rules(node)
        return index
    }

    /// The schema that a `$ref` names.
    func compiled(reference: YAMLNode) throws(ContractError) -> Int {
        let text = try string(reference)
        let outer = document
        if let known = texts[outer]?[text] { return known }
        let name = String(text.prefix { $0 != "#" })
        if !name.isEmpty { document = name }
        defer { document = outer }
        guard text.contains("#"), var node = documents[document] else {
            throw error(
                "$ref '\(text)' leads out of this file\(Nearest.hint(for: name, in: documents.keys.filter { !$0.isEmpty }))", at: reference)
        }
        // A pointer in a URI's fragment is percent-encoded (RFC 6901 §6).
        let fragment = PercentCoding.decoded(text.utf8.dropFirst(name.utf8.count + 1)).map { String(decoding: $0, as: UTF8.self) }
        guard let pointer = fragment.flatMap(JSONPointer.init) else {
            throw error("$ref '\(text)' is not a JSON Pointer, such as #/components/schemas/NAME", at: reference)
        }
        for token in pointer.tokens {
            guard let next = node.child(token) else {
                throw error("$ref '\(text)' leads nowhere\(Nearest.hint(for: token, in: node.keys))", at: reference)
            }
            node = next
        }
        let index = try compiled(node, at: pointer)
        texts[outer, default: [:]][text] = index
        return index
    }

    /// Its number is known before it is read, so that it may contain itself.
    private func compiled(_ node: YAMLNode, at pointer: JSONPointer) throws(ContractError) -> Int {
        let target = Target(document: document, pointer: pointer)
        if let index = referenced[target] { return index }
        let index = reserve(node)
        referenced[target] = index
        library.rules[index] = try rules(node)
        return index
    }

    private func reserve(_ node: YAMLNode) -> Int {
        library.rules.append(SchemaRules())
        library.places.append(places.place(of: node))
        nodes.append(node)
        return library.rules.count - 1
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

    /// A default must be a value that somebody could have written.
    func refuseUnfitDefaults() throws(ContractError) {
        for rules in library.rules {
            for (name, standard) in rules.object.defaults {
                guard let property = rules.object.properties[name] else { continue }
                var checker = SchemaChecker(rules: library.rules, base: JSONPointer(tokens: [name]))
                checker.check(standard, by: property)
                guard let violation = checker.violations.first else { continue }
                throw error(
                    "the default of '\(name)' is not as its schema says: \(violation.pointer.words): \(violation.message)",
                    at: nodes[property])
            }
        }
    }

    /// A schema that refers to itself without going into the value's members or items would be checked without end (core §9.4.1).
    private func refuseLoops() throws(ContractError) {
        enum State { case unseen, open, done }
        var states = [State](repeating: .done, count: soundSchemas) + Array(repeating: .unseen, count: library.rules.count - soundSchemas)
        func visit(_ index: Int) throws(ContractError) {
            switch states[index] {
            case .done: return
            case .open: throw error("the schema refers to itself without end", at: nodes[index])
            case .unseen: break
            }
            states[index] = .open
            for applicator in library.rules[index].applicators {
                for next in applicator.schemas { try visit(next) }
            }
            states[index] = .done
        }
        for index in soundSchemas..<library.rules.count { try visit(index) }
        soundSchemas = library.rules.count
    }
}
