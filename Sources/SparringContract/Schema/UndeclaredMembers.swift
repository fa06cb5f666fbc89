internal import SparringJSON
internal import SparringPattern

/// Finds the members of a value that none of its schemas declares. JSON Schema lets them through, and so does Sparring, which reports them all the same: a
/// misspelt name looks no different. A schema that declares no members, or has `additionalProperties: true`, is open, and its objects are not looked at.
struct UndeclaredMembers {
    let library: SchemaLibrary
    /// The first ``most`` of them.
    private(set) var found: [(pointer: JSONPointer, message: String)] = []
    private static let most = 20
    private var pointer = JSONPointer.root
    private var distances = EditDistance()

    init(_ library: SchemaLibrary) { self.library = library }

    mutating func look(in value: JSON, _ schemas: [Int]) {
        guard found.count < Self.most else { return }
        switch value {
        case .object(let object): look(in: object, applied(schemas, to: value))
        case .array(let elements): look(in: elements, applied(schemas, to: value))
        default: break
        }
    }

    private mutating func look(in object: JSON.Object, _ schemas: [Int]) {
        let rules = schemas.map { library.rules[$0].object }
        let isOpen = rules.contains { $0.additional != nil } || rules.allSatisfy { $0.properties.isEmpty && $0.patterns.isEmpty }
        for (name, value) in object {
            let own = rules.flatMap { rule in
                [rule.properties[name]].compactMap(\.self) + rule.patterns.filter { $0.pattern.isFound(in: name) }.map(\.schema)
            }
            pointer.tokens.append(name.abbreviated(to: 100))
            if !own.isEmpty {
                look(in: value, own)
            } else if !isOpen, found.count < Self.most {
                let missing = Set(rules.flatMap(\.properties.keys)).filter { object[$0] == nil }.sorted()
                found.append((pointer, "the contract has no member \(name.quoted)\(Nearest.hint(for: name, in: missing, &distances))"))
            }
            pointer.tokens.removeLast()
        }
    }

    private mutating func look(in elements: [JSON], _ schemas: [Int]) {
        let rules = schemas.map { library.rules[$0].array }
        for (index, element) in elements.enumerated() {
            let own = rules.compactMap { index < $0.prefix.count ? $0.prefix[index] : $0.items }
            guard !own.isEmpty else { continue }
            pointer.tokens.append(String(index))
            look(in: element, own)
            pointer.tokens.removeLast()
        }
    }

    /// The schemas, and those that they apply to the same value.
    private func applied(_ schemas: [Int], to value: JSON) -> [Int] {
        func fits(_ schema: Int) -> Bool { Schema(library: library, index: schema).accepts(value) }
        var all: [Int] = [], next = schemas
        while let schema = next.popLast() {
            guard !all.contains(schema) else { continue }
            all.append(schema)
            for applicator in library.rules[schema].applicators {
                switch applicator {
                case .reference(let schema): next.append(schema)
                case .all(let schemas): next += schemas
                case .any(let schemas), .one(let schemas): next += schemas.filter(fits)
                case .not: break
                case .condition(let condition, let then, let otherwise):
                    let isMet = fits(condition)
                    next += [isMet ? condition : nil, isMet ? then : otherwise].compactMap(\.self)
                }
            }
        }
        return all
    }
}
