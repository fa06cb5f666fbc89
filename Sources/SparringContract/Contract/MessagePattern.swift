internal import SparringJSON

/// The features that distinguish a message from others: the constants of its schema, their places, and whether they may be missing.
struct MessagePattern: Sendable {
    struct Member: Sendable {
        let name: String
        let isRequired: Bool
        let pattern: MessagePattern
    }

    private(set) var constant: JSON?
    /// Only those with a constant in them, by name.
    private(set) var members: [Member] = []

    init() {}

    init(_ schema: Schema) { self.init([schema.index], schema.library.rules, within: []) }

    /// - Parameter outer: schemas around this one; one that contains itself has its constants looked for once.
    private init(_ schemas: [Int], _ rules: [SchemaRules], within outer: Set<Int>) {
        let places = rules.demanding(schemas, withAlternatives: false).filter { !outer.contains($0) }
        let inner = outer.union(places)
        constant = places.lazy.compactMap { rules[$0].constant }.first
        let required = Set(places.flatMap { rules[$0].object.required })
        for name in Set(places.flatMap { rules[$0].object.properties.keys }).sorted() {
            let pattern = MessagePattern(places.compactMap { rules[$0].object.properties[name] }, rules, within: inner)
            guard pattern.constant != nil || !pattern.members.isEmpty else { continue }
            members.append(Member(name: name, isRequired: required.contains(name), pattern: pattern))
        }
    }

    /// How many constants the value has; nil where one differs or a required one is missing.
    func score(_ value: JSON) -> Int? { count(in: value) { constant, found in constant == found ? 1 : nil } }

    /// How many constants the value has misspelt; nil where one is another, or a required one is missing.
    func misspellings(_ value: JSON) -> Int? {
        count(in: value) { constant, found in
            if constant == found { return 0 }
            guard let word = found.string, let known = constant.string, Nearest.isMisspelling(word, of: known) else { return nil }
            return 1
        }
    }

    /// The sum of what the constants count for in a value; nil where one cannot be counted, or a required one is missing.
    private func count(in value: JSON, _ number: (_ constant: JSON, _ found: JSON) -> Int?) -> Int? {
        var sum = 0
        if let constant {
            guard let own = number(constant, value) else { return nil }
            sum = own
        }
        for member in members {
            if let inner = value[member.name] {
                guard let counted = member.pattern.count(in: inner, number) else { return nil }
                sum += counted
            } else if member.isRequired {
                return nil
            }
        }
        return sum
    }

    /// Whether some value fits both with as many constants of one as of the other.
    func isAmbiguous(with other: MessagePattern) -> Bool { leads(over: other).contains(0) }

    /// The numbers of constants by which this one may be ahead in a value that fits both; empty where no value does.
    private func leads(over other: MessagePattern) -> Set<Int> {
        if let value = constant ?? other.constant {
            guard let own = score(value), let others = other.score(value) else { return [] }
            return [own - others]
        }
        var leads: Set<Int> = [0]
        for name in Set((members + other.members).map(\.name)) {
            let (a, b) = (member(name), other.member(name))
            var possible = (a?.pattern ?? MessagePattern()).leads(over: b?.pattern ?? MessagePattern())
            if a?.isRequired != true, b?.isRequired != true { possible.insert(0) }
            leads = Set(leads.flatMap { lead in possible.map { lead + $0 } })
        }
        return leads
    }

    private func member(_ name: String) -> Member? { members.first { $0.name == name } }

    /// The places of its constants.
    func places(_ pointer: JSONPointer = .root) -> [JSONPointer] {
        (constant == nil ? [] : [pointer]) + members.flatMap { $0.pattern.places(pointer.appending($0.name)) }
    }

    func requiredText(of name: String) -> String? {
        guard let member = member(name), member.isRequired else { return nil }
        return member.pattern.constant?.string
    }
}

extension MessagePattern {
    /// How much a value that does not fit is like the pattern.
    struct Kinship: Comparable {
        /// Required constants that the value has.
        var shared = 0
        /// Edits that make the other constants of what stands in their places.
        var distance = 0
        /// Length of all constants.
        var length = 0

        var isNear: Bool { shared > 0 || distance <= max(2, length / 3) }

        static func < (a: Kinship, b: Kinship) -> Bool { a.shared == b.shared ? a.distance < b.distance : a.shared > b.shared }
    }

    func kinship(with value: JSON) -> Kinship {
        var kinship = Kinship()
        var distances = EditDistance()
        add(to: &kinship, value, isRequired: true, &distances)
        return kinship
    }

    private func add(to kinship: inout Kinship, _ value: JSON?, isRequired: Bool, _ distances: inout EditDistance) {
        if let constant {
            let text = constant.string ?? constant.text
            kinship.length += text.utf8.count
            if let value, value == constant {
                kinship.shared += isRequired ? 1 : 0
            } else if value != nil || isRequired {
                let found = value?.string ?? ""
                // Beyond the limit the largest possible distance counts.
                kinship.distance +=
                    distances.between(text.utf8, found.utf8, atMost: EditDistance.farthest) ?? max(text.utf8.count, found.utf8.count)
            }
        }
        for member in members {
            member.pattern.add(to: &kinship, value?[member.name], isRequired: isRequired && member.isRequired, &distances)
        }
    }
}
