public import SparringJSON
internal import SparringPattern

/// Taking what somebody has configured: checked and completed by its schema.
extension Schema {
    /// The value with the defaults of its schema for the members that it leaves out, at any depth.
    ///
    /// - Throws: as ``checked(_:)`` does.
    public func completed(_ given: JSON) throws(ConfigurationError) -> JSON { filled(try checked(given)) }

    /// A value that is as the schema says, with the defaults for the members that it leaves out.
    public func filled(_ value: JSON) -> JSON { filled(value, [index]) }

    /// The value without the members that are null, unless their schemas have null.
    ///
    /// - Throws: the first thing in which the value is not as the schema says.
    public func checked(_ given: JSON) throws(ConfigurationError) -> JSON {
        let value = given.hasNulls ? withoutNulls(given, [index]) : given
        var checker = SchemaChecker(rules: library.rules, base: .root)
        checker.check(value, by: index)
        // What was given is looked at before what was not: a member that is missing may only be misspelt.
        if let violation = checker.violations.first(where: { $0.kind != .missing }) ?? checker.violations.first {
            throw ConfigurationError(violation.pointer, words(for: violation, in: value))
        }
        return value
    }

    /// The message for somebody who has configured a value; where the type is wrong, it quotes the value.
    private func words(for violation: SchemaViolation, in value: JSON) -> String {
        guard case .type(_, let types)? = violation.remedy, let found = value[violation.pointer] else {
            return violation.message + (violation.message.contains("did you mean") ? "" : hint(for: violation))
        }
        let nouns = JSONTypes.words.filter { types.contains($0.type) && $0.type != .null }.map { Self.noun[$0.word] ?? $0.word }
        if nouns.isEmpty { return "\(found.text.abbreviated(to: 100)) is given, where nothing may be" }
        let isSpan = library.rules[violation.schema].string.format == .timeSpan
        return "\(found.text.abbreviated(to: 100)) is not \(isSpan ? SchemaFormat.span : nouns.joined(separator: " or "))"
    }

    /// The nearest known name. In what people write, a short word, or one next to the word it resembles, is more often misspelt than meant.
    private func hint(for violation: SchemaViolation) -> String {
        let rules = library.rules[violation.schema]
        switch violation.remedy {
        case .declare(let name, _)?: return Nearest.hint(for: name, in: rules.object.properties.keys.sorted())
        case .allow(let value)?: return Nearest.hint(for: value.string ?? "", in: rules.enumeration?.compactMap(\.string) ?? [])
        default: return ""
        }
    }

    private static let noun = [
        "boolean": "true or false", "integer": "a whole number", "number": "a number", "string": "a string", "array": "a list",
        "object": "an object",
    ]

    private func withoutNulls(_ value: JSON, _ schemas: [Int]) -> JSON {
        switch value {
        case .object(let object):
            let places = library.rules.inPlace(schemas)
            var members = JSON.Object()
            for (name, member) in object {
                let own = library.rules.members(name, of: places)
                if member.isNull, !own.isEmpty, !own.contains(where: { SchemaChecker.accepts(.null, $0, library.rules) }) { continue }
                members[name] = withoutNulls(member, own)
            }
            return .object(members)
        case .array(let elements):
            let places = library.rules.inPlace(schemas)
            return .array(elements.enumerated().map { withoutNulls($1, library.rules.items($0, of: places)) })
        default: return value
        }
    }

    private func filled(_ value: JSON, _ schemas: [Int]) -> JSON {
        switch value {
        case .object(var object):
            let applied = library.rules.applied(schemas, to: value)
            for schema in applied {
                for (name, standard) in library.rules[schema].object.defaults where object[name] == nil { object[name] = standard }
            }
            for (name, member) in object {
                let own = library.rules.members(name, of: applied)
                if !own.isEmpty { object[name] = filled(member, own) }
            }
            return .object(object)
        case .array(let elements):
            let applied = library.rules.applied(schemas, to: value)
            return .array(elements.enumerated().map { filled($1, library.rules.items($0, of: applied)) })
        default: return value
        }
    }
}

extension [SchemaRules] {
    /// The schemas of an object's member.
    fileprivate func members(_ name: String, of places: [Int]) -> [Int] {
        places.flatMap { place -> [Int] in
            let own = self[place].object.declared(name)
            return own.isEmpty ? [self[place].object.additional].compactMap(\.self) : own
        }
    }

    /// The schemas of an array's item.
    func items(_ index: Int, of places: [Int]) -> [Int] { places.compactMap { self[$0].array.item(index) } }
}

extension JSON {
    /// It is null, or something in it is.
    fileprivate var hasNulls: Bool {
        switch self {
        case .null: true
        case .object(let members): members.values.contains(where: \.hasNulls)
        case .array(let elements): elements.contains(where: \.hasNulls)
        default: false
        }
    }
}
