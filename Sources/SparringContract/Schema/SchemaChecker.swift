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

    /// The schema by which the value in hand is checked.
    private var schema = 0

    private enum Step {
        /// A member of an object that the schema `of` is about.
        case member(String, of: Int)
        case index(Int)
    }

    init(rules: [SchemaRules], base: JSONPointer) {
        self.rules = rules
        self.base = base
    }

    mutating func check(_ value: JSON, by schema: Int) {
        let outer = self.schema
        self.schema = schema
        defer { self.schema = outer }
        if rules[schema].isNever { return report(.unexpected, "nothing is allowed here") }
        if let types = rules[schema].types, !types.accept(value) {
            // What else the schema says is about values of the right type.
            return report(.type, "expected \(types.text), found \(value.typeName)", .type(value.typeName, besides: types))
        }
        if let enumeration = rules[schema].enumeration, !enumeration.contains(value) {
            // Short values, such as versions, are near to each other without meaning each other.
            let word = value.string.flatMap { $0.utf8.count > 4 ? $0 : nil }
            let nearest = word.map { Nearest.hint(for: $0, in: enumeration.compactMap(\.string)) } ?? ""
            report(.value, "\(value.quoted) is not one of \(enumeration.map(\.quoted).joined(separator: ", "))\(nearest)", .allow(value))
        }
        if let constant = rules[schema].constant, constant != value {
            report(.value, "expected \(constant.quoted), found \(value.quoted)", .drop(.const))
        }
        switch value {
        case _ where rules[schema].string.format == .timeSpan: check(span: value, by: rules[schema].number)
        case .null, .bool: break
        case .integer, .number: check(number: value, by: rules[schema].number)
        case .string(let text): check(string: text, by: schema)
        case .array(let elements): check(array: elements, by: rules[schema].array)
        case .object(let members): check(object: members, by: rules[schema].object)
        }
        for applicator in rules[schema].applicators { apply(applicator, to: value) }
        switch value {
        case .array(let elements): checkUnevaluated(elements, schema)
        case .object(let members): checkUnevaluated(members, schema)
        default: break
        }
    }

    /// Whether a value is as a schema says.
    static func accepts(_ value: JSON, _ schema: Int, _ rules: [SchemaRules]) -> Bool {
        var checker = SchemaChecker(rules: rules, base: .root)
        checker.check(value, by: schema)
        return checker.violations.isEmpty
    }

    private mutating func check(array: [JSON], by rules: SchemaRules.ArrayRules) {
        if let minimum = rules.minimum, array.count < minimum {
            report(.count, "\(count(array.count, "item")), at least \(minimum) expected", .drop(.minItems))
        }
        if let maximum = rules.maximum, array.count > maximum {
            report(.count, "\(count(array.count, "item")), at most \(maximum) expected", .drop(.maxItems))
        }
        if rules.areUnique {
            var first: [JSON: Int] = [:]
            for (index, element) in array.enumerated() {
                if let earlier = first.updateValue(index, forKey: element) {
                    report(.repeated, "items \(earlier) and \(index) are equal", .drop(.uniqueItems))
                }
            }
        }
        if let key = rules.key { check(array, key: key) }
        if let contained = rules.contains { check(array, contains: contained) }
        guard rules.items != nil || !rules.prefix.isEmpty else { return }
        for (index, element) in array.enumerated() {
            guard let schema = rules.item(index) else { break }
            at(.index(index)) { $0.check(element, by: schema) }
        }
    }

    private mutating func check(_ array: [JSON], key: String) {
        var first: [JSON: Int] = [:]
        for (index, element) in array.enumerated() {
            guard let value = element[key], let earlier = first.updateValue(index, forKey: value) else { continue }
            at(.index(index)) {
                $0.at(.member(key, of: $0.schema)) { $0.report(.repeated, "\(value.quoted) is that of item \(earlier) already") }
            }
        }
    }

    private mutating func check(_ array: [JSON], contains contained: SchemaRules.Contained) {
        let found = array.count { fits($0, contained.schema) }
        if found < contained.minimum {
            let least = contained.minimum == 1 ? "" : ", at least \(contained.minimum) expected"
            report(
                .value,
                (found == 0 ? "no item matches 'contains'" : "only \(count(found, "item")) of those that 'contains' asks for") + least,
                .drop(.contains))
        }
        if let maximum = contained.maximum, found > maximum {
            report(.value, "\(count(found, "item")) of those that 'contains' limits, at most \(maximum) expected", .drop(.maxContains))
        }
    }

    private mutating func checkUnevaluated(_ elements: [JSON], _ schema: Int) {
        guard let unevaluated = rules[schema].array.unevaluated else { return }
        for index in rules.unevaluatedItems(of: elements, schema) { at(.index(index)) { $0.check(elements[index], by: unevaluated) } }
    }

    private mutating func checkUnevaluated(_ object: JSON.Object, _ schema: Int) {
        guard let unevaluated = rules[schema].object.unevaluated else { return }
        let isNever = rules[unevaluated].isNever
        let unknown = rules.unevaluatedMembers(of: object, schema)
        guard !unknown.isEmpty else { return }
        let declared = Set(rules.applied([schema], to: .object(object)).flatMap { rules[$0].object.properties.keys })
        let missing = declared.filter { object[$0] == nil }.sorted()
        for name in unknown where violations.count < Self.mostViolations {
            guard let value = object[name] else { continue }
            at(.member(name, of: schema)) { checker in
                if isNever {
                    let hint = Nearest.hint(for: name, in: missing, &checker.distances)
                    checker.report(.unknown, "unknown member \(name.quoted)\(hint)", .declare(name, type: value.typeName))
                } else {
                    checker.check(value, by: unevaluated)
                }
            }
        }
    }

    private mutating func check(object: JSON.Object, by rules: SchemaRules.ObjectRules) {
        if let minimum = rules.minimum, object.count < minimum {
            report(.count, "\(count(object.count, "member")), at least \(minimum) expected", .drop(.minProperties))
        }
        if let maximum = rules.maximum, object.count > maximum {
            report(.count, "\(count(object.count, "member")), at most \(maximum) expected", .drop(.maxProperties))
        }
        for name in rules.required where object[name] == nil {
            let hint = violations.count < Self.mostViolations ? Self.misspelt(name, in: object, rules, &distances) : ""
            at(.member(name, of: schema)) {
                $0.report(.missing, "required member '\(name)' is missing\(hint)", .optional(name), isLikely: !hint.isEmpty)
            }
        }
        for (name, required) in rules.dependentRequired where object[name] != nil {
            for other in required where object[other] == nil {
                at(.member(other, of: schema)) {
                    $0.report(.missing, "member '\(other)' is required where '\(name)' is present", .drop(.dependentRequired))
                }
            }
        }
        for (name, value) in object {
            at(.member(name, of: schema)) { $0.check(member: name, value, of: object, by: rules) }
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
            report(
                .unknown, "unknown member \(name.quoted)\(Nearest.hint(for: name, in: missing, &distances))",
                .declare(name, type: value.typeName))
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
            if !schemas.contains(where: { fits(value, $0) }) { reportNone(of: schemas, for: value) }
        case .one(let schemas):
            let fitting = schemas.count { fits(value, $0) }
            if fitting == 0 { reportNone(of: schemas, for: value) }
            if fitting > 1 { report(.alternative, "fits \(fitting) alternatives of oneOf, where exactly one is allowed") }
        case .not(let schema):
            if fits(value, schema) { report(.alternative, "is what 'not' excludes", .drop(.not)) }
        case .condition(let condition, let then, let otherwise):
            if let schema = fits(value, condition) ? then : otherwise { check(value, by: schema) }
        case .dependent(let schemas):
            for (name, schema) in schemas where value[name] != nil { check(value, by: schema) }
        }
    }

    /// Explains the alternative most likely meant: one whose members seem to be misspelt, else one that only members or items violate; of several, the one with the
    /// fewest violations. What is wrong with its members and items is reported where each of them stands.
    private mutating func reportNone(of schemas: [Int], for value: JSON) {
        let attempts = schemas.map { attempt(value, $0) }
        let nearest = attempts.min { a, b in
            let (isA, isB) = (a.contains { $0.pointer == .root }, b.contains { $0.pointer == .root })
            guard isA == isB else { return isB }
            let (likelyA, likelyB) = (a.contains(where: \.isLikely), b.contains(where: \.isLikely))
            return likelyA == likelyB ? a.count < b.count : likelyA
        }
        let words = schemas.count == 1 ? "" : "matches none of \(schemas.count) alternatives; nearest: "
        guard let nearest, !nearest.contains(where: { $0.pointer == .root }) else {
            let first = nearest?.first(where: \.isLikely) ?? nearest?.first
            let reason = first.map { $0.pointer == .root ? $0.message : "\($0.pointer.words): \($0.message)" } ?? ""
            return report(.alternative, words + reason)
        }
        let (pointer, member) = place()
        for var violation in nearest where violations.count < Self.mostViolations {
            violation.pointer.tokens = pointer.tokens + violation.pointer.tokens
            violation.member.tokens = member.tokens + violation.member.tokens
            violation.kind = .alternative
            violation.message = words + violation.message
            violations.append(violation)
        }
    }

    private func fits(_ value: JSON, _ schema: Int) -> Bool { Self.accepts(value, schema, rules) }

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

    mutating func report(_ kind: Violation.Kind, _ message: String, _ remedy: Remedy? = nil, isLikely: Bool = false) {
        guard violations.count < Self.mostViolations else { return }
        let (pointer, member) = place()
        violations.append(
            SchemaViolation(
                pointer: pointer, member: member, kind: kind, message: message, isLikely: isLikely, schema: schema, remedy: remedy))
    }

    /// The place of the value that is being checked, and that of all values of its kind.
    private func place() -> (pointer: JSONPointer, member: JSONPointer) {
        var (pointer, member) = (base, base)
        for step in steps {
            switch step {
            case .member(let name, let schema):
                let name = name.abbreviated(to: 100)
                pointer.tokens.append(name)
                member.tokens.append(isNamed(name, in: schema) ? name : "*")
            case .index(let index):
                pointer.tokens.append(String(index))
                member.tokens.append("*")
            }
        }
        return (pointer, member)
    }

    /// Whether a schema knows a member by its name, or no member of such a name; otherwise names are the sender's.
    private func isNamed(_ name: String, in schema: Int) -> Bool {
        let object = rules[schema].object
        if object.properties[name] != nil || object.required.contains(name) { return true }
        if object.patterns.contains(where: { $0.pattern.isFound(in: name) }) { return false }
        return (object.additional ?? object.unevaluated).map { rules[$0].isNever } ?? true
    }

    func count(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
