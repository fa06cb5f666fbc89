@_exported public import OrderedCollections  // so that readers of an object need not know what it is made of

/// A JSON value (RFC 8259). Object members keep the order in which they were written, so that what is sent, stored and
/// compared byte for byte is the same on every run; integers keep all 64 bits.
///
/// Strings are compared by their bytes, the names of members are not: they are the keys of a Swift dictionary, for which canonically
/// equivalent texts are one. So an object that names `é` twice, once as one code point and once as two, is refused as naming a member
/// twice, which RFC 8259 §4 leaves to the reader. A contract's names are ASCII, and of that only `K`, `;` and the backtick have an equivalent.
public enum JSON: Sendable {
    public typealias Object = OrderedDictionary<String, JSON>

    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(Object)
}

extension JSON: Hashable {
    /// Equal as JSON Schema means it: `1` equals `1.0`, and the order of an object's members does not count.
    public static func == (a: JSON, b: JSON) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): Double(a) == b && Int64(exactly: b) == a
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(Double(value))
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        case .object(let members): hasher.combine(members.count)
        }
    }
}

extension JSON {
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    public var object: Object? { if case .object(let value) = self { value } else { nil } }
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The value as a whole number, also when it was written `1.0` or `1e3`.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The word JSON Schema has for this value's type.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// A member of an object: nil where this is no object or has no such member. Assigning to what is no object makes it one.
    public subscript(name: String) -> JSON? {
        get { object?[name] }
        set {
            var members = object ?? [:]
            members[name] = newValue
            self = .object(members)
        }
    }

    /// An array of strings.
    package static func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }

    /// An object of the members that have a value; the others are left out.
    public static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        var object = Object(minimumCapacity: members.count)
        for (name, value) in members { object[name] = value }
        return .object(object)
    }
}

/// Not by `nil`: that is no value at all, which is something else than null.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByStringInterpolation
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = Object(minimumCapacity: elements.count)
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}
