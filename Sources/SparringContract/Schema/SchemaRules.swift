internal import SparringJSON
internal import SparringPattern

/// The words JSON Schema has for types (validation §6.1.1).
struct JSONTypes: OptionSet, Sendable {
    var rawValue: UInt8

    static let null = JSONTypes(rawValue: 1)
    static let boolean = JSONTypes(rawValue: 2)
    static let integer = JSONTypes(rawValue: 4)
    static let number = JSONTypes(rawValue: 8)
    static let string = JSONTypes(rawValue: 16)
    static let array = JSONTypes(rawValue: 32)
    static let object = JSONTypes(rawValue: 64)
    static let all = JSONTypes(rawValue: 127)

    static let words: [(word: String, type: JSONTypes)] = [
        ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number), ("string", .string), ("array", .array),
        ("object", .object),
    ]

    func accept(_ value: JSON) -> Bool {
        switch value {
        case .null: contains(.null)
        case .bool: contains(.boolean)
        case .integer: !isDisjoint(with: [.integer, .number])
        case .number: contains(.number) || contains(.integer) && value.isWhole
        case .string: contains(.string)
        case .array: contains(.array)
        case .object: contains(.object)
        }
    }

    /// "string or null".
    var text: String { Self.words.filter { contains($0.type) }.map(\.word).joined(separator: " or ") }
}

extension JSON {
    /// Whether a number has no fractional part: then it is an integer to JSON Schema, whatever its size (core §4.2.3).
    fileprivate var isWhole: Bool { double.map { $0.rounded() == $0 } ?? false }
}

/// The demands of one schema, in the form in which they are checked. Other schemas are given by their number in the ``SchemaLibrary``.
struct SchemaRules: Sendable {
    /// The schema `false`.
    var isNever = false
    var types: JSONTypes?
    var enumeration: [JSON]?
    var constant: JSON?
    var number = NumberRules()
    var string = StringRules()
    var array = ArrayRules()
    var object = ObjectRules()
    var applicators: [Applicator] = []
    /// The name or place that a member stands for.
    var standsFor: StandsFor?
    var use: ValueUse?

    /// All that it asks for is a string.
    var acceptsAnyText: Bool {
        guard types == .string, !isNever, applicators.isEmpty, string.isEmpty else { return false }
        return enumeration == nil && constant == nil
    }

    /// The target of `$ref`.
    var reference: Int? {
        for case .reference(let schema) in applicators { return schema }
        return nil
    }

    struct NumberRules: Sendable {
        var minimum: JSON?
        var maximum: JSON?
        var exclusiveMinimum: JSON?
        var exclusiveMaximum: JSON?
        var multipleOf: JSON?
        var format: NumberFormat?
    }

    struct StringRules: Sendable {
        var minLength: Int?
        var maxLength: Int?
        var pattern: Pattern?
        /// The text that the pattern asks for, in words.
        var expected: String?
        var format: SchemaFormat?

        var isEmpty: Bool { minLength == nil && maxLength == nil && pattern == nil && format == nil }
    }

    struct ArrayRules: Sendable {
        var prefix: [Int] = []
        var items: Int?
        var contains: Contained?
        /// For the items that no other keyword and no schema applied in place has evaluated.
        var unevaluated: Int?
        var minimum: Int?
        var maximum: Int?
        var areUnique = false
        /// The member that is unique among the items.
        var key: String?

        /// The schema of an item; nil where it has none.
        func item(_ index: Int) -> Int? { prefix.indices.contains(index) ? prefix[index] : items }
        /// Those of all items.
        var schemas: [Int] { prefix + [items].compactMap(\.self) }
    }

    /// How many items a schema has to accept (validation §6.4.4, §6.4.5).
    struct Contained: Sendable {
        var schema: Int
        var minimum: Int
        var maximum: Int?
    }

    struct ObjectRules: Sendable {
        var properties: [String: Int] = [:]
        var patterns: [(pattern: Pattern, schema: Int)] = []
        var additional: Int?
        /// For the members that no other keyword and no schema applied in place has evaluated.
        var unevaluated: Int?
        var names: Int?
        var required: [String] = []
        var dependentRequired: [(name: String, required: [String])] = []
        var minimum: Int?
        var maximum: Int?
        /// The defaults of members, in the order of the file; only of schemas by which values are completed.
        var defaults: [(name: String, value: JSON)] = []

        /// The schemas of a member by its name, and of those whose names are like it.
        func declared(_ name: String) -> [Int] { [properties[name]].compactMap(\.self) + alike(name) }
        func alike(_ name: String) -> [Int] { patterns.filter { $0.pattern.isFound(in: name) }.map(\.schema) }
        /// Those of all members.
        var schemas: [Int] { Array(properties.values) + patterns.map(\.schema) + [additional].compactMap(\.self) }
    }

    /// Schemas applied to the same value (core §10.2).
    enum Applicator: Sendable {
        case reference(Int)
        case all([Int])
        case any([Int])
        case one([Int])
        case not(Int)
        case condition(if: Int, then: Int?, else: Int?)
        /// Each applies to an object that has the member.
        case dependent([(name: String, schema: Int)])

        var schemas: [Int] {
            switch self {
            case .reference(let schema), .not(let schema): [schema]
            case .all(let schemas), .any(let schemas), .one(let schemas): schemas
            case .condition(let condition, let then, let otherwise): [condition] + [then, otherwise].compactMap(\.self)
            case .dependent(let schemas): schemas.map(\.schema)
            }
        }
    }
}
