internal import SparringJSON
internal import SparringPattern

/// Gives the members of a value the names that Sparring's own code has for them, and the other way round (`x-stands-for`). What one alternative says counts
/// whichever of them the value fits: nothing is checked here.
struct StandIns {
    let rules: [SchemaRules]
    /// The values that stand for other parts of the request, in the order found.
    private(set) var moved: [(place: RequestPlace, value: JSON)] = []

    init(_ rules: [SchemaRules]) { self.rules = rules }

    mutating func canonical(_ value: JSON, _ schemas: [Int]) -> JSON {
        if schemas.isEmpty { return value }
        let places = rules.inPlace(schemas)
        switch value {
        case .object(let object):
            let standIns = standIns(places)
            let replaced = Set(standIns.values.compactMap(\.name))
            var result = JSON.Object(minimumCapacity: object.count)
            for (name, value) in object {
                let inner = canonical(value, members(name, places))
                switch standIns[name] {
                case .name(let canonical)?: result[canonical] = inner
                case .place(let place)?: moved.append((place, inner))
                // The name is no longer the contract's: what has it must not be taken for what it once meant.
                case nil: if !replaced.contains(name) { result[name] = inner }
                }
            }
            return .object(result)
        case .array(let elements):
            return .array(elements.enumerated().map { canonical($1, rules.items($0, of: places)) })
        default: return value
        }
    }

    func onWire(_ value: JSON, _ schemas: [Int]) -> JSON {
        if schemas.isEmpty { return value }
        let places = rules.inPlace(schemas)
        switch value {
        case .object(let object):
            let names = wireNames(places)
            let own = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
            var result = JSON.Object(minimumCapacity: object.count)
            for (name, value) in object {
                // An example has the wire's names; what the code has set counts more.
                if names[name] == nil, let canonical = own[name], object[canonical] != nil { continue }
                let name = names[name] ?? name
                result[name] = onWire(value, members(name, places))
            }
            return .object(result)
        case .array(let elements):
            return .array(elements.enumerated().map { onWire($1, rules.items($0, of: places)) })
        default: return value
        }
    }

    func onWire(_ tokens: ArraySlice<String>, _ schemas: [Int]) -> [String] {
        guard let token = tokens.first, !schemas.isEmpty else { return Array(tokens) }
        let places = rules.inPlace(schemas)
        let items = rules.items(Int(token) ?? 0, of: places)
        if token == "*" || Int(token) != nil, !items.isEmpty { return [token] + onWire(tokens.dropFirst(), items) }
        let name = wireNames(places)[token] ?? token
        return [name] + onWire(tokens.dropFirst(), members(name, places))
    }

    /// The place of the member that stands for another part of the request; nil where none does. Items of arrays stand for none.
    func pointer(standingFor place: RequestPlace, _ schemas: [Int], _ outer: Set<Int> = []) -> [String]? {
        let places = rules.inPlace(schemas).filter { !outer.contains($0) }
        let inner = outer.union(places)
        for name in names(places) {
            let members = members(name, places)
            for member in members { if case .place(let other)? = rules[member].standsFor, other.isSame(as: place) { return [name] } }
            if let tokens = pointer(standingFor: place, members, inner) { return [name] + tokens }
        }
        return nil
    }

    /// All members, however deep in what the schemas describe, that have another name on the wire.
    func found(in schemas: [Int]) -> [Int] {
        var seen: Set<Int> = [], next = schemas
        while let schema = next.popLast() {
            guard seen.insert(schema).inserted else { continue }
            next += rules[schema].object.schemas + rules[schema].array.schemas + rules[schema].applicators.flatMap(\.schemas)
        }
        return seen.filter { rules[$0].standsFor != nil }.sorted()
    }

    private func names(_ places: [Int]) -> [String] { Set(places.flatMap { rules[$0].object.properties.keys }).sorted() }

    private func members(_ name: String, _ places: [Int]) -> [Int] {
        let named = places.compactMap { rules[$0].object.properties[name] }
        if !named.isEmpty { return named }
        return places.flatMap { rules[$0].object.alike(name) }
            + places.compactMap { rules[$0].object.additional }
    }

    private func standIns(_ places: [Int]) -> [String: StandsFor] {
        var found: [String: StandsFor] = [:]
        for place in places {
            for (name, member) in rules[place].object.properties { if let standsFor = rules[member].standsFor { found[name] = standsFor } }
        }
        return found
    }

    /// The names on the wire, by the names that the code has.
    private func wireNames(_ places: [Int]) -> [String: String] {
        var found: [String: String] = [:]
        for (name, standsFor) in standIns(places) { if let canonical = standsFor.name { found[canonical] = name } }
        return found
    }
}
