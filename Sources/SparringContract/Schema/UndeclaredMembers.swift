internal import SparringJSON
internal import SparringPattern

/// Finds the members of a value that none of its schemas declares. JSON Schema lets them through, and so does Sparring, which reports them all the same: a
/// misspelt name looks no different. A schema that declares no members, or has `additionalProperties: true`, is open, and its objects are not looked at.
struct UndeclaredMembers {
    let library: SchemaLibrary
    /// The first ``most`` of them.
    private(set) var found: [SchemaViolation] = []
    private static let most = 20
    private var pointer = JSONPointer.root
    /// ``SchemaViolation/member`` of the value in hand.
    private var member = JSONPointer.root
    private var distances = EditDistance()

    init(_ library: SchemaLibrary) { self.library = library }

    mutating func look(in value: JSON, _ schemas: [Int]) {
        guard found.count < Self.most else { return }
        switch value {
        case .object(let object): look(in: object, library.rules.applied(schemas, to: value))
        case .array(let elements): look(in: elements, library.rules.applied(schemas, to: value))
        default: break
        }
    }

    private mutating func look(in object: JSON.Object, _ schemas: [Int]) {
        let rules = schemas.map { library.rules[$0].object }
        let isOpen =
            rules.contains { $0.additional != nil || $0.unevaluated != nil }
            || rules.allSatisfy { $0.properties.isEmpty && $0.patterns.isEmpty }
        for (name, value) in object {
            switch value {
            case .object, .array: break
            // There is nothing to look for in it.
            default: if isOpen || rules.contains(where: { $0.properties[name] != nil || !$0.alike(name).isEmpty }) { continue }
            }
            let named = rules.compactMap { $0.properties[name] }
            let own = named + rules.flatMap { $0.alike(name) }
            let short = name.abbreviated(to: 100)
            at(short, named.isEmpty && !own.isEmpty ? "*" : short) { members in
                if !own.isEmpty {
                    members.look(in: value, own)
                } else if !isOpen {
                    members.report(name, value, of: object, schemas)
                }
            }
        }
    }

    private mutating func look(in elements: [JSON], _ schemas: [Int]) {
        let rules = schemas.map { library.rules[$0].array }
        for (index, element) in elements.enumerated() {
            let own = rules.compactMap { $0.item(index) }
            if !own.isEmpty { at(String(index), "*") { $0.look(in: element, own) } }
        }
    }

    private mutating func at(_ token: String, _ member: String, _ body: (inout UndeclaredMembers) -> Void) {
        pointer.tokens.append(token)
        self.member.tokens.append(member)
        body(&self)
        pointer.tokens.removeLast()
        self.member.tokens.removeLast()
    }

    private mutating func report(_ name: String, _ value: JSON, of object: JSON.Object, _ schemas: [Int]) {
        guard found.count < Self.most else { return }
        let rules = schemas.map { library.rules[$0].object }
        let missing = Set(rules.flatMap(\.properties.keys)).filter { object[$0] == nil }.sorted()
        found.append(
            SchemaViolation(
                pointer: pointer, member: member, kind: .undeclared,
                message: "the contract has no member \(name.quoted)\(Nearest.hint(for: name, in: missing, &distances))",
                // Any of those that have members can have one more.
                schema: schemas.first { !library.rules[$0].object.properties.isEmpty } ?? schemas[0],
                remedy: .declare(name, type: value.typeName)))
    }
}
