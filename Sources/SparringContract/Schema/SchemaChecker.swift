internal import SparringJSON
internal import SparringPattern

/// Checks one value against schemas of a library and gathers what is wrong.
struct SchemaChecker {
    let rules: [SchemaRules]
    let base: JSONPointer
    /// The first ``mostViolations`` of them.
    private(set) var violations: [SchemaViolation] = []
    /// A message may have a hundred thousand errors, and people read the report.
    static let mostViolations = 100
    private var distances = EditDistance()
    /// The way from `base` to the value in hand. Pointers are made of it only where something is wrong.
    private var steps: [Step] = []

    private enum Step {
        case name(String)
        case index(Int)
    }

    init(rules: [SchemaRules], base: JSONPointer) {
        self.rules = rules
        self.base = base
    }

    mutating func check(_ value: JSON, by schema: Int) {
        if rules[schema].isNever { return report(.unexpected, "nothing is allowed here") }
        if let types = rules[schema].types, !types.accept(value) {
            // What else the schema says is about values of the right type.
            return report(.type, "expected \(types.text), found \(value.typeName)")
        }
        if let enumeration = rules[schema].enumeration, !enumeration.contains(value) {
            // Short values, such as versions, are near to each other without meaning each other.
            let word = value.string.flatMap { $0.utf8.count > 4 ? $0 : nil }
            let nearest = word.map { Nearest.hint(for: $0, in: enumeration.compactMap(\.string)) } ?? ""
            report(.value, "\(value.quoted) is not one of \(enumeration.map(\.quoted).joined(separator: ", "))\(nearest)")
        }
        if let constant = rules[schema].constant, constant != value { report(.value, "expected \(constant.quoted), found \(value.quoted)") }
        switch value {
        case .null, .bool: break
        case .integer, .number: check(number: value, by: rules[schema].number)
        case .string(let text): check(string: text, by: rules[schema].string)
        case .array(let elements): check(array: elements, by: rules[schema].array)
        case .object(let members): check(object: members, by: rules[schema].object)
        }
        for applicator in rules[schema].applicators { apply(applicator, to: value) }
    }

    private mutating func check(array: [JSON], by rules: SchemaRules.ArrayRules) {
        if let minimum = rules.minimum, array.count < minimum {
            report(.count, "\(count(array.count, "item")), at least \(minimum) expected")
        }
        if let maximum = rules.maximum, array.count > maximum {
            report(.count, "\(count(array.count, "item")), at most \(maximum) expected")
        }
        if rules.areUnique {
            var first: [JSON: Int] = [:]
            for (index, element) in array.enumerated() {
                if let earlier = first.updateValue(index, forKey: element) { report(.repeated, "items \(earlier) and \(index) are equal") }
            }
        }
        if let schema = rules.contains, !array.contains(where: { fits($0, schema) }) { report(.value, "no item matches 'contains'") }
        guard rules.items != nil || !rules.prefix.isEmpty else { return }
        for (index, element) in array.enumerated() {
            guard let schema = index < rules.prefix.count ? rules.prefix[index] : rules.items else { break }
            at(.index(index)) { $0.check(element, by: schema) }
        }
    }

    private mutating func check(object: JSON.Object, by rules: SchemaRules.ObjectRules) {
        if let minimum = rules.minimum, object.count < minimum {
            report(.count, "\(count(object.count, "member")), at least \(minimum) expected")
        }
        if let maximum = rules.maximum, object.count > maximum {
            report(.count, "\(count(object.count, "member")), at most \(maximum) expected")
        }
        for name in rules.required where object[name] == nil {
            let hint = violations.count < Self.mostViolations ? Self.misspelt(name, in: object, rules, &distances) : ""
            at(.name(name)) { $0.report(.missing, "required member '\(name)' is missing\(hint)", isLikely: !hint.isEmpty) }
        }
        for (name, required) in rules.dependentRequired where object[name] != nil {
            for other in required where object[other] == nil {
                at(.name(other)) { $0.report(.missing, "member '\(other)' is required where '\(name)' is present") }
            }
        }
        for (name, value) in object {
            at(.name(name)) { $0.check(member: name, value, of: object, by: rules) }
        }
    }

    /// ` ('idtoken' was sent)` where `id_token` is missing; empty where no member that the schema does not know is like it.
    private static func misspelt(
        _ name: String, in object: JSON.Object, _ rules: SchemaRules.ObjectRules, _ distances: inout EditDistance
    ) -> String {
        guard name.utf8.count > 2 else { return "" }
        let unknown = object.keys.lazy.filter { rules.properties[$0] == nil }
        return Nearest.word(to: name, in: unknown, &distances).map { " (\($0.quoted) was sent)" } ?? ""
    }

    private mutating func check(member name: String, _ value: JSON, of object: JSON.Object, by rules: SchemaRules.ObjectRules) {
        if let names = rules.names { check(.string(name), by: names) }
        var isKnown = false
        if let schema = rules.properties[name] {
            isKnown = true
            check(value, by: schema)
        }
        for (pattern, schema) in rules.patterns where pattern.isFound(in: name) {
            isKnown = true
            check(value, by: schema)
        }
        guard !isKnown, let additional = rules.additional else { return }
        if self.rules[additional].isNever {
            guard violations.count < Self.mostViolations else { return }
            let missing = rules.properties.keys.filter { object[$0] == nil }.sorted()
            report(.unknown, "unknown member \(name.quoted)\(Nearest.hint(for: name, in: missing, &distances))")
        } else {
            check(value, by: additional)
        }
    }

    private mutating func apply(_ applicator: SchemaRules.Applicator, to value: JSON) {
        switch applicator {
        case .reference(let schema): check(value, by: schema)
        case .all(let schemas):
            for schema in schemas { check(value, by: schema) }
        case .any(let schemas):
            if !schemas.contains(where: { fits(value, $0) }) { report(.alternative, none(of: schemas, for: value)) }
        case .one(let schemas):
            let fitting = schemas.count { fits(value, $0) }
            if fitting == 0 { report(.alternative, none(of: schemas, for: value)) }
            if fitting > 1 { report(.alternative, "fits \(fitting) alternatives of oneOf, where exactly one is allowed") }
        case .not(let schema):
            if fits(value, schema) { report(.alternative, "is what 'not' excludes") }
        case .condition(let condition, let then, let otherwise):
            if let schema = fits(value, condition) ? then : otherwise { check(value, by: schema) }
        }
    }

    /// Explains the alternative most likely meant: one whose members seem to be misspelt, else one that only members or items violate; of several, the one with the
    /// fewest violations.
    private func none(of schemas: [Int], for value: JSON) -> String {
        let attempts = schemas.map { attempt(value, $0) }
        let nearest = attempts.min { a, b in
            let (isA, isB) = (a.contains { $0.pointer == .root }, b.contains { $0.pointer == .root })
            guard isA == isB else { return isB }
            let (likelyA, likelyB) = (a.contains(where: \.isLikely), b.contains(where: \.isLikely))
            return likelyA == likelyB ? a.count < b.count : likelyA
        }.flatMap { violations in violations.first(where: \.isLikely) ?? violations.first }
        let reason = nearest.map { $0.pointer == .root ? $0.message : "\($0.pointer.words): \($0.message)" } ?? ""
        return schemas.count == 1 ? reason : "fits none of \(schemas.count) alternatives; nearest: \(reason)"
    }

    private func fits(_ value: JSON, _ schema: Int) -> Bool { attempt(value, schema).isEmpty }

    private func attempt(_ value: JSON, _ schema: Int) -> [SchemaViolation] {
        var checker = SchemaChecker(rules: rules, base: .root)
        checker.check(value, by: schema)
        return checker.violations
    }

    private mutating func at(_ step: Step, _ body: (inout SchemaChecker) -> Void) {
        steps.append(step)
        body(&self)
        steps.removeLast()
    }

    mutating func report(_ kind: Violation.Kind, _ message: String, isLikely: Bool = false) {
        guard violations.count < Self.mostViolations else { return }
        var pointer = base
        for step in steps {
            switch step {
            case .name(let name): pointer.tokens.append(name.abbreviated(to: 100))
            case .index(let index): pointer.tokens.append(String(index))
            }
        }
        violations.append(SchemaViolation(pointer: pointer, kind: kind, message: message, isLikely: isLikely))
    }

    func count(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
