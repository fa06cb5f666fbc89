/// Reads what is `Decodable` from JSON that its schema has checked and completed: a `Duration` from its text or whole seconds, everything else as Swift's
/// synthesized conformances ask for it. `null` and a missing member are nil.
struct JSONReader: Decoder {
    let json: JSON
    fileprivate let path: Path?
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var codingPath: [any CodingKey] { path?.keys ?? [] }

    /// The way to a value, written out only where something is wrong.
    fileprivate final class Path {
        private let key: any CodingKey
        private let outer: Path?

        init(_ key: any CodingKey, in outer: Path?) { (self.key, self.outer) = (key, outer) }

        var keys: [any CodingKey] { (outer?.keys ?? []) + [key] }
    }

    fileprivate init(_ json: JSON, _ path: Path? = nil) { (self.json, self.path) = (json, path) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = json.object else { throw mismatch("an object") }
        return KeyedDecodingContainer(Members(object: object, path: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = json.array else { throw mismatch("a list") }
        return Elements(elements: elements, path: path)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func mismatch(_ expected: String) -> DecodingError { refusal("\(json.text.abbreviated(to: 100)) is not \(expected)") }

    private func value<Value>(_ expected: String, _ read: (JSON) -> Value?) throws -> Value {
        guard let value = read(json) else { throw mismatch(expected) }
        return value
    }

    private struct Member: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
        init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let object: JSON.Object
        let path: Path?

        var codingPath: [any CodingKey] { path?.keys ?? [] }
        var allKeys: [Key] { object.keys.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
        func decodeNil(forKey key: Key) -> Bool { object[key.stringValue]?.isNull ?? true }

        // Most members are one of these, which need no look at what else their type can do.
        func decode(_ type: String.Type, forKey key: Key) throws -> String { try reader(key).decode(type) }
        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try reader(key).decode(type) }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try reader(key).decode(type) }
        func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try reader(key).decode(type) }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            if object[key.stringValue] == nil, type is any InlinedMembers.Type { return try T(from: JSONReader(.object(object), path)) }
            return try reader(key).decode(type)
        }

        func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws -> KeyedDecodingContainer<
            NestedKey
        > {
            try reader(key).container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try reader(key).unkeyedContainer() }
        func superDecoder() throws -> any Decoder { JSONReader(.object(object), path) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try reader(key) }

        private func reader(_ key: Key) throws -> JSONReader {
            let inner = Path(key, in: path)
            guard let json = object[key.stringValue] else { throw JSONReader(.null, inner).refusal("the member is missing") }
            return JSONReader(json, inner)
        }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let elements: [JSON]
        let path: Path?
        private(set) var currentIndex = 0

        var codingPath: [any CodingKey] { path?.keys ?? [] }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex == elements.count }

        mutating func decodeNil() -> Bool {
            guard !isAtEnd, elements[currentIndex].isNull else { return false }
            currentIndex += 1
            return true
        }
        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }
        mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws -> KeyedDecodingContainer<NestedKey> {
            try next().container(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
        mutating func superDecoder() throws -> any Decoder { try next() }

        private mutating func next() throws -> JSONReader {
            let inner = Path(Member(intValue: currentIndex), in: path)
            guard !isAtEnd else { throw JSONReader(.null, inner).refusal("the list ends before it") }
            defer { currentIndex += 1 }
            return JSONReader(elements[currentIndex], inner)
        }
    }
}

extension JSONReader: SingleValueDecodingContainer {
    func decodeNil() -> Bool { json.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try value("true or false", \.bool) }
    func decode(_ type: String.Type) throws -> String { try value("a string", \.string) }
    func decode(_ type: Double.Type) throws -> Double { try value("a number", \.double) }
    func decode(_ type: Float.Type) throws -> Float { try value("a number") { $0.double.map(Float.init) } }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if type == JSON.self, let json = json as? T { return json }
        // Swift's own conformance wants an array of two numbers.
        if type == Duration.self, let duration = try span() as? T { return duration }
        return try T(from: self)
    }

    private func span() throws -> Duration {
        try value("a duration such as 60s, 10m or PT1H, or whole seconds, of ten years at most", Duration.init(configured:))
    }

    private func integer<Number: FixedWidthInteger>() throws -> Number {
        try value("a whole number from \(Number.min) to \(Number.max)") { $0.integer(in: Number.min...Number.max) }
    }
}

/// Members that stand in the object around them, and not in one of their own: `var trust: BrandTrust` reads `issuers` beside the others.
public protocol InlinedMembers: Decodable {}

extension JSON: Decodable {
    /// The value as it stands: only ``decoded(_:at:)`` can.
    public init(from decoder: any Decoder) throws {
        guard let reader = decoder as? JSONReader else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "JSON is read from JSON alone"))
        }
        self = reader.json
    }

    /// Reads the value as a Swift type.
    ///
    /// - Parameter at: where the value stands.
    /// - Throws: the first member that the type cannot have, with its place.
    public func decoded<T: Decodable>(_ type: T.Type = T.self, at pointer: JSONPointer = .root) throws(ConfigurationError) -> T {
        do {
            return try JSONReader(self).decode(type)
        } catch let error as ConfigurationError {
            throw error.inside(pointer)
        } catch let DecodingError.dataCorrupted(context), let DecodingError.keyNotFound(_, context),
            let DecodingError.typeMismatch(_, context), let DecodingError.valueNotFound(_, context)
        {
            throw ConfigurationError(JSONPointer(tokens: pointer.tokens + context.codingPath.map(\.stringValue)), context.debugDescription)
        } catch {
            throw ConfigurationError(pointer, "\(error)")
        }
    }
}

extension Duration {
    /// From a configuration: a text, or whole seconds, of ten years at most.
    public init?(configured json: JSON) { self.init(text: json.string ?? json.integer.map { "\($0)s" } ?? "") }
}

extension Decoder {
    /// Why what stands here cannot be used.
    public func refusal(_ message: String) -> DecodingError {
        DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
    }
}
