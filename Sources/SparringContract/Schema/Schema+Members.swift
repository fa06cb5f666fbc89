public import SparringJSON
internal import SparringPattern

extension Schema {
    /// The pointers of the members that a value may have and need not, with `*` for an item: `/items/*/note`. Those of an alternative count
    /// too; a schema inside itself is not entered again.
    public var optionalMembers: [String] { unique(members.lazy.filter(\.isOptional).map(\.pointer)) }

    /// The pointers of all members, by the names that Sparring's own code has for them.
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

    /// Whether a value may have something there: by a name that is declared, or within a member of which nothing is declared. A token `*` is any item, or the only
    /// one where it stands for the list.
    ///
    /// - Parameter pointer: by the names that Sparring's own code has.
    public func declares(_ pointer: JSONPointer) -> Bool { declares(onWire(pointer).tokens[...], [index], isRoot: true) }

    /// Whether it says nothing of the value's members.
    public var isSilent: Bool { isSilent(library.rules.inPlace([index])) }

    private func declares(_ tokens: ArraySlice<String>, _ schemas: [Int], isRoot: Bool = false) -> Bool {
        guard let token = tokens.first else { return true }
        let rules = library.rules
        let places = rules.inPlace(schemas)
        let items = items(places)
        if token == "*" || Int(token) != nil, !items.isEmpty { return declares(tokens.dropFirst(), items) }
        if token == "*" { return tokens.count == 1 || declares(tokens.dropFirst(), schemas) }
        let objects = places.map { rules[$0].object }
        let named = objects.compactMap { $0.properties[token] }
        let own = named + objects.flatMap { $0.alike(token) }
        if !own.isEmpty { return declares(tokens.dropFirst(), own) }
        if isRoot { return false }
        let others = objects.compactMap(\.additional).filter { !rules[$0].isNever }
        return isSilent(places) || !others.isEmpty && declares(tokens.dropFirst(), others)
    }

    private func items(_ places: [Int]) -> [Int] {
        places.flatMap { library.rules[$0].array.schemas }
    }

    private func isSilent(_ places: [Int]) -> Bool {
        let rules = places.map { library.rules[$0] }
        let isObject = rules.allSatisfy { $0.types?.contains(.object) ?? true }
        return isObject && items(places).isEmpty
            && rules.allSatisfy { $0.object.properties.isEmpty && $0.object.patterns.isEmpty && $0.object.additional == nil }
    }
}

/// Walks over all that schemas declare.
private struct SchemaMembers {
    struct Member {
        var pointer: String
        /// The pointer by the names that Sparring's own code has; nil: it stands for another part of the request.
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
            let standsFor = members.compactMap { rules[$0].standsFor }.first
            let place = pointer + JSONPointer(tokens: [name]).description
            let own = canonical + JSONPointer(tokens: [standsFor?.name ?? name]).description
            let isMoved = standsFor != nil && standsFor?.name == nil
            found.append(Member(pointer: place, canonical: isMoved ? nil : own, isOptional: !required.contains(name)))
            walk(members, place, own, inner)
        }
        let items = places.flatMap { rules[$0].array.schemas }
        if !items.isEmpty { walk(items, pointer + "/*", canonical + "/*", inner) }
    }
}
