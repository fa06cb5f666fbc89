internal import SparringJSON

extension Schema {
    /// Where the members lie that a value may have and need not, with `*` for an item: `/items/*/note`. What an alternative has counts too; a schema inside itself is
    /// not entered again.
    public var optionalMembers: [String] {
        var found: [String] = []
        var members = SchemaMembers(library.rules)
        members.walk([index], "", [])
        for member in members.optional where !found.contains(member) { found.append(member) }
        return found
    }
}

/// Walks over all that schemas declare.
private struct SchemaMembers {
    let rules: [SchemaRules]
    private(set) var optional: [String] = []

    init(_ rules: [SchemaRules]) { self.rules = rules }

    /// - Parameter outer: the schemas around these.
    mutating func walk(_ schemas: [Int], _ pointer: String, _ outer: Set<Int>) {
        let places = inPlace(schemas).filter { !outer.contains($0) }
        let inner = outer.union(places)
        let required = Set(places.flatMap { rules[$0].object.required })
        for name in Set(places.flatMap { rules[$0].object.properties.keys }).sorted() {
            let place = JSONPointer(tokens: [name]).description
            if !required.contains(name) { optional.append(pointer + place) }
            walk(places.compactMap { rules[$0].object.properties[name] }, pointer + place, inner)
        }
        let items = places.flatMap { rules[$0].array.prefix + [rules[$0].array.items].compactMap(\.self) }
        if !items.isEmpty { walk(items, pointer + "/*", inner) }
    }

    private func inPlace(_ schemas: [Int]) -> [Int] {
        var all: [Int] = [], next = schemas
        while let schema = next.popLast() {
            guard !all.contains(schema) else { continue }
            all.append(schema)
            for applicator in rules[schema].applicators {
                if case .not = applicator { continue }
                next += applicator.schemas
            }
        }
        return all
    }
}
