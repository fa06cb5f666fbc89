public import SparringJSON

extension Schema {
    /// Where the members lie that a value may have and need not, with `*` for an item: `/items/*/note`. What an alternative has counts too; a schema inside itself is
    /// not entered again.
    public var optionalMembers: [String] { unique(members.lazy.filter(\.isOptional).map(\.pointer)) }

    /// Where all members lie, by the names that Sparring's own code has for them.
    public var canonicalMembers: [String] { unique(members.lazy.compactMap(\.canonical)) }

    private var members: [SchemaMembers.Member] {
        var members = SchemaMembers(library.rules)
        members.walk([index], "", "", [])
        return members.found
    }

    private func unique(_ pointers: some Sequence<String>) -> [String] {
        var seen: Set<String> = []
        return pointers.filter { seen.insert($0).inserted }
    }

    /// Whether a value may have something there; a token `*` is any item, or the only one where it stands for the list. Of what leaves its members
    /// open, nothing can be said: true.
    ///
    /// - Parameter pointer: by the names that Sparring's own code has.
    public func mayHave(_ pointer: JSONPointer) -> Bool { mayHave(onWire(pointer).tokens[...], [index]) }

    private func mayHave(_ tokens: ArraySlice<String>, _ schemas: [Int]) -> Bool {
        guard let token = tokens.first else { return true }
        let rules = library.rules
        let places = rules.inPlace(schemas)
        let objects = places.map { rules[$0].object }
        let items = places.flatMap { rules[$0].array.prefix + [rules[$0].array.items].compactMap(\.self) }
        if token == "*" || Int(token) != nil, !items.isEmpty { return mayHave(tokens.dropFirst(), items) }
        if token == "*" { return mayHave(tokens.dropFirst(), schemas) }
        let named = objects.compactMap { $0.properties[token] } + objects.flatMap { $0.patterns.filter { $0.pattern.isFound(in: token) }.map(\.schema) }
        if !named.isEmpty { return mayHave(tokens.dropFirst(), named) }
        let open = objects.compactMap { $0.additional ?? $0.unevaluated }.filter { !rules[$0].isNever }
        if !open.isEmpty { return mayHave(tokens.dropFirst(), open) }
        return objects.allSatisfy { $0.properties.isEmpty && $0.patterns.isEmpty && $0.additional == nil } && items.isEmpty
    }
}

/// Walks over all that schemas declare.
private struct SchemaMembers {
    struct Member {
        var pointer: String
        /// By the names that Sparring's own code has; nil: it stands for another part of the request.
        var canonical: String?
        var isOptional: Bool
    }

    let rules: [SchemaRules]
    private(set) var found: [Member] = []

    init(_ rules: [SchemaRules]) { self.rules = rules }

    /// - Parameter outer: the schemas around these.
    mutating func walk(_ schemas: [Int], _ pointer: String, _ canonical: String, _ outer: Set<Int>) {
        let places = rules.inPlace(schemas).filter { !outer.contains($0) }
        let inner = outer.union(places)
        let required = Set(places.flatMap { rules[$0].object.required })
        for name in Set(places.flatMap { rules[$0].object.properties.keys }).sorted() {
            let members = places.compactMap { rules[$0].object.properties[name] }
            let standsFor = members.lazy.compactMap { rules[$0].standsFor }.first
            let place = pointer + JSONPointer(tokens: [name]).description
            let own = canonical + JSONPointer(tokens: [standsFor?.name ?? name]).description
            let isMoved = standsFor != nil && standsFor?.name == nil
            found.append(Member(pointer: place, canonical: isMoved ? nil : own, isOptional: !required.contains(name)))
            walk(members, place, own, inner)
        }
        let items = places.flatMap { rules[$0].array.prefix + [rules[$0].array.items].compactMap(\.self) }
        if !items.isEmpty { walk(items, pointer + "/*", canonical + "/*", inner) }
    }
}
