package import SparringContract
package import SparringJSON

/// The part of the configurations' JSON Schema about effects and their parameters, made from the list of effects.
package struct FaultSchema {
    private typealias Use = (effect: FaultEffect, parameter: FaultParameter)

    /// The parameters of each name, with the effects that have them.
    private let parameters: OrderedDictionary<String, [Use]>

    /// - Parameter contracts: those that declare effects of vendors' own.
    package init(_ contracts: [Contract]) {
        let effects = FaultEffect.all + contracts.flatMap(\.operations).flatMap(\.effects).map { .declared($0) }
        let uses: [Use] = effects.flatMap { effect in effect.parameters.map { (effect, $0) } }
        parameters = OrderedDictionary(grouping: uses, by: \.parameter.name)
    }

    /// Completes a schema's definitions of faults, where it has them.
    package func complete(_ schema: inout JSON) {
        guard var definitions = schema["$defs"] else { return }
        definitions["effect"]?["anyOf"] = [["enum": .texts(FaultVocabulary.words)], ["type": "string", "pattern": "^[a-z][a-z0-9-]*$"]]
        definitions["faultText"]?["pattern"] = .string(textPattern)
        let all = FaultReader.conditions.map { [$0] } + parameters.values.map { $0.map(\.parameter) }
        var (properties, patterns, dependent): (JSON, JSON, JSON) = ([:], [:], [:])
        for name in ["where", "effect"] { properties[name] = definitions["faultParts"]?["properties"]?[name] }
        for same in all {
            if same[0].isPrefix {
                patterns["^\(same[0].namePattern("[^~/]"))$"] = property(same)
            } else {
                properties[same[0].name] = property(same)
            }
        }
        for (name, uses) in parameters where !uses[0].parameter.isPrefix { dependent[name] = dependency(uses) }
        definitions["faultParts"]?["properties"] = properties
        definitions["faultParts"]?["patternProperties"] = patterns
        definitions["faultParts"]?["dependentSchemas"] = dependent
        definitions["faultParts"]?["allOf"] = .array(FaultEffect.all.compactMap(requirements))
        schema["$defs"] = definitions
    }

    /// A member; where several effects have it, each in its own way, ``requirements(_:)`` says the rest.
    private func property(_ all: [FaultParameter]) -> JSON {
        let (schemas, examples) = (OrderedSet(all.map(\.schema)).elements, OrderedSet(all.flatMap(\.examples)).elements)
        let about = JSON.members([
            "description": .string(OrderedSet(all.map(\.about)).joined(separator: " ")),
            "examples": examples.isEmpty ? nil : .array(examples),
        ])
        return schemas.count == 1 ? about.merging(schemas[0]) : about
    }

    /// A member's requirements of others: above all, one of the effects with this parameter. Contracts may declare any word but Sparring's.
    private func dependency(_ uses: [Use]) -> JSON {
        let own = uses.map(\.effect.word).filter { FaultEffect.of($0) != nil }
        var members: JSON = ["effect": own.isEmpty ? ["not": ["$ref": "#/$defs/effect/anyOf/0"]] : ["enum": .texts(own)]]
        if let other = uses[0].parameter.excludes { members[other] = false }
        return .members(["properties": members, "required": uses[0].parameter.needs.map { [.string($0.name)] }])
    }

    /// The requirements of an effect on its members, beyond what each says by itself.
    private func requirements(_ effect: FaultEffect) -> JSON? {
        let shared = effect.parameters.filter { Set(parameters[$0.name]?.map(\.parameter.schema) ?? []).count > 1 }
        let required = effect.parameters.filter(\.isRequired).map(\.name)
        let choices = effect.choices.map { row -> JSON in
            let others = effect.parameters.map(\.name).filter { !row.contains($0) }
            return ["required": .texts(row), "properties": .object(JSON.Object(uniqueKeysWithValues: others.map { ($0, false) }))]
        }
        let then = JSON.members([
            "required": required.isEmpty ? nil : .texts(required), "oneOf": choices.isEmpty ? nil : .array(choices),
            "properties": shared.isEmpty ? nil : .object(JSON.Object(uniqueKeysWithValues: shared.map { ($0.name, $0.schema) })),
        ])
        return then == [:]
            ? nil : ["if": ["required": ["effect"], "properties": ["effect": ["const": .string(effect.word)]]], "then": then]
    }

    private var textPattern: String {
        let place = #"(?:\*|[a-z][a-z0-9-]*\.\*|(?:\*|[a-z][a-z0-9-]*)\.(?:[a-z][A-Za-z0-9]*|(?:\*|[A-Z][A-Za-z0-9]*)\.\*))"#
        // A word with something in quotation marks.
        let quoted = #"[^\s"]*"(?:[^"\\]|\\[\s\S])*"(?:[^\s"]|"(?:[^"\\]|\\[\s\S])*")*"#
        let capitals = FaultVocabulary.words.filter { $0 != $0.lowercased() }.joined(separator: "|")
        let all = FaultReader.conditions + parameters.values.flatMap { $0.map(\.parameter) }
        let given = OrderedDictionary(grouping: all, by: \.valuePattern).map { value, all in
            "(?:\(OrderedSet(all.map { $0.namePattern(#"[^\s"~/=]"#) }).joined(separator: "|")))=\(value)"
        }
        return #"^\s*(?:\#(place)|\#(quoted))\s+(?:\#(capitals)|[a-z][a-z0-9-]*|\#(quoted))"#
            + #"(?:\s+(?:\#(given.joined(separator: "|"))|\#(quoted)))*\s*$"#
    }
}

extension FaultParameter {
    private static let time = #"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"#
    private static let moment = "(?:\(EditorSchema.duration)|\(time))"

    /// The JSON Schema of a member.
    fileprivate var schema: JSON {
        let schema: JSON =
            switch form {
            case .text, .header, .pointer: ["type": ["string", "number"]]
            case .declared: ["type": "string"]
            case .mediaType: ["type": "string", "pattern": "^[^/]+/[^/]+$"]
            case .window: ["type": "string", "pattern": .string(#"^\#(Self.moment)\.\.\#(Self.moment)$"#)]
            case .word(let words): ["enum": .texts(words)]
            case .number(let range):
                .members([
                    "type": ["integer", "string"], "minimum": .integer(Int64(range.lowerBound)),
                    "maximum": range.upperBound == .max ? nil : .integer(Int64(range.upperBound)), "pattern": "^[0-9]+$",
                ])
            case .fraction(let most):
                ["type": ["number", "string"], "minimum": 0, "maximum": .integer(Int64(most)), "pattern": #"^[+-]?(?:[0-9]|\.[0-9])"#]
            case .duration(false): ["$ref": "#/$defs/duration"]
            case .duration(true):
                ["type": ["string", "number"], "minimum": 0, "pattern": .string(#"^(?:\#(EditorSchema.duration)|[0-9]+(?:\.[0-9]*)?)$"#)]
            }
        return schema.merging(narrowing)
    }

    fileprivate var examples: [JSON] {
        switch form {
        case .declared(let values): values.map { .string($0) }
        case .header, .pointer, .word: []
        case .number, .fraction: (try? [JSON(parsing: example)]) ?? []
        default: [.string(example)]
        }
    }

    /// The pattern of a value in the text form.
    fileprivate var valuePattern: String {
        switch form {
        case .number: "[0-9]+"
        case .duration(false): EditorSchema.duration
        case .word(let words): "(?:\(words.joined(separator: "|")))"
        default: #"(?:[^\s"]|"(?:[^"\\]|\\[\s\S])*")*"#
        }
    }

    /// - Parameter character: one of a JSON Pointer's that needs no `~`.
    fileprivate func namePattern(_ character: String) -> String {
        switch form {
        case .header: name + "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
        case .pointer: name + "(?:/(?:\(character)|~[01])*)+"
        default: name
        }
    }
}
