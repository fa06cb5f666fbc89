internal import SparringJSON

extension Schema {
    /// A member that a value must have.
    public struct RequiredMember: Sendable, Equatable {
        public enum Need: Sendable {
            case always
            /// It is missed only where the object that it is a member of is sent, which need not be.
            case insideOptional
            /// Only some of the forms that the object may have need it.
            case inSomeForms
        }

        /// With `*` for an item of a list: `/items/*/id`.
        public let pointer: String
        public let need: Need
    }

    /// The members that a value must have, an object before its own members. A schema inside itself is not entered again.
    public var requiredMembers: [RequiredMember] {
        var members = RequiredMembers(rules: library.rules)
        members.walk([index], firm: [index], "", isSent: true, [])
        return members.found
    }
}

/// Walks over all that schemas require.
private struct RequiredMembers {
    let rules: [SchemaRules]
    private(set) var found: [Schema.RequiredMember] = []

    init(rules: [SchemaRules]) { self.rules = rules }

    /// - Parameters:
    ///   - firm: those of the schemas that apply whatever form the value has.
    ///   - isSent: the value itself is always there.
    ///   - outer: the schemas around these.
    mutating func walk(_ schemas: [Int], firm: [Int], _ pointer: String, isSent: Bool, _ outer: Set<Int>) {
        let places = rules.demanding(schemas, withAlternatives: true).filter { !outer.contains($0) }
        let firmPlaces = rules.demanding(firm, withAlternatives: false).filter { !outer.contains($0) }
        let inner = outer.union(places)
        let required = Set(places.flatMap { rules[$0].object.required })
        let firmlyRequired = Set(firmPlaces.flatMap { rules[$0].object.required })
        for name in required.union(places.flatMap { rules[$0].object.properties.keys }).sorted() {
            let place = pointer + JSONPointer(tokens: [name]).description
            let isFirm = firmlyRequired.contains(name)
            if required.contains(name) {
                found.append(.init(pointer: place, need: !isFirm ? .inSomeForms : isSent ? .always : .insideOptional))
            }
            let members = places.compactMap { rules[$0].object.properties[name] }
            let firmMembers = firmPlaces.compactMap { rules[$0].object.properties[name] }
            if !members.isEmpty { walk(members, firm: firmMembers, place, isSent: isSent && isFirm, inner) }
        }
        let items = places.flatMap { rules[$0].array.schemas }
        let firmItems = firmPlaces.flatMap { rules[$0].array.schemas }
        if !items.isEmpty { walk(items, firm: firmItems, pointer + "/*", isSent: false, inner) }
    }
}
