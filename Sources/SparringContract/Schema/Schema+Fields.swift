public import SparringJSON

extension Schema {
    /// A member that a form can ask for.
    public struct Field: Sendable {
        public let name: String
        /// JSON Schema's words; empty: any.
        public let types: [String]
        /// The only values that it may have; empty: any.
        public let values: [JSON]
        public let isRequired: Bool
    }

    /// The members of an object, by name; those of alternatives included, which are never required.
    public var fields: [Field] {
        let rules = library.rules
        let places = rules.inPlace([index])
        let required = Set(places.filter { place in !isAlternative(place) }.flatMap { rules[$0].object.required })
        let names = Set(places.flatMap { rules[$0].object.properties.keys })
        return names.sorted { (required.contains($0) ? 0 : 1, $0) < (required.contains($1) ? 0 : 1, $1) }.map { name in
            let members = rules.inPlace(places.compactMap { rules[$0].object.properties[name] })
            let types = members.compactMap { rules[$0].types }.reduce(JSONTypes.all) { $0.intersection($1) }
            let values = members.lazy.compactMap { rules[$0].enumeration ?? rules[$0].constant.map { [$0] } }.first ?? []
            return Field(
                name: name, types: types == .all ? [] : JSONTypes.words.filter { types.contains($0.type) }.map(\.word), values: values,
                isRequired: required.contains(name))
        }
    }

    /// Whether the place is in effect only for some values.
    private func isAlternative(_ place: Int) -> Bool {
        let rules = library.rules
        return rules.inPlace([index]).contains { outer in
            rules[outer].applicators.contains { applicator in
                switch applicator {
                case .any(let schemas), .one(let schemas): schemas.contains(place)
                case .condition(_, let then, let otherwise): then == place || otherwise == place
                case .dependent(let schemas): schemas.contains { $0.schema == place }
                case .reference, .all, .not: false
                }
            }
        }
    }
}
