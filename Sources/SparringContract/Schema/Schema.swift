public import SparringJSON

/// A JSON Schema (2020-12), read and verified when its contract was. Keywords: those of the contract format; anything else was refused then,
/// so that no schema asks for less than its author thinks.
public final class Schema: Sendable {
    let library: SchemaLibrary
    /// Its place in the library.
    let index: Int

    init(library: SchemaLibrary, index: Int) {
        self.library = library
        self.index = index
    }

    /// In what the value is not as the schema says: nothing where it is. A missing or unknown member is reported where it stands or should stand.
    ///
    /// - Parameter at: where the value itself stands.
    public func violations(in value: JSON, at pointer: JSONPointer = .root) -> [SchemaViolation] {
        var checker = SchemaChecker(rules: library.rules, base: pointer)
        checker.check(value, by: index)
        return checker.violations
    }

    /// The place of the schema that a violation of this one breaks.
    func basis(of violation: SchemaViolation) -> ContractPlace {
        library.places[violation.schema]
    }

    func actions(for violation: SchemaViolation) -> [JSON] { violation.remedy?.actions(at: basis(of: violation)) ?? [] }

    /// The schema's place.
    package var place: ContractPlace { library.places[index] }

    public func accepts(_ value: JSON) -> Bool { violations(in: value).isEmpty }

    /// The value that a parameter's, header's or form field's text means: the first of integer, number, boolean, string and comma-separated
    /// array (OpenAPI 3.1 §4.8.12.3, style `simple`) that the schema accepts. Where it accepts none, what its `type` asks for, else the string.
    func value(ofText text: String) -> JSON {
        let types = types ?? .all
        var candidates: [JSON] = []
        if !types.isDisjoint(with: [.integer, .number]), let value = text.integer(in: Int64.min...Int64.max) {
            candidates.append(.integer(value))
        }
        if types.contains(.number), let value = Self.number(text) { candidates.append(.number(value)) }
        if types.contains(.boolean), text == "true" || text == "false" { candidates.append(.bool(text == "true")) }
        if types.contains(.string) { candidates.append(.string(text)) }
        if types.contains(.array) {
            candidates.append(value(ofTexts: text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)))
        }
        if candidates.count == 1 { return candidates[0] }
        return candidates.first(where: accepts) ?? (types == .all ? nil : candidates.first) ?? .string(text)
    }

    /// Whether ``value(ofText:)`` is one that the schema accepts.
    func accepts(text: String) -> Bool {
        library.rules[index].acceptsAnyText || accepts(types == .string ? .string(text) : value(ofText: text))
    }

    /// Without what Swift reads beyond JSON's numbers: `0x10`, `inf`, `nan`.
    private static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }), let value = Double(text) else { return nil }
        return value.isFinite ? value : nil
    }

    /// The array that several texts make, such as a repeated parameter's.
    func value(ofTexts texts: [String]) -> JSON {
        var next: Int? = index
        while let index = next {
            if let items = library.rules[index].array.items {
                let item = Schema(library: library, index: items)
                return .array(texts.map { item.value(ofText: $0) })
            }
            next = library.rules[index].reference
        }
        return .array(texts.map(JSON.string))
    }

    /// The types that the schema, or what it refers to, is limited to; nil: any.
    var types: JSONTypes? {
        var found: JSONTypes?
        // A chain of references ends: the reader refuses schemas that refer to themselves in place.
        var next: Int? = index
        while let index = next {
            if let types = library.rules[index].types { found = found?.intersection(types) ?? types }
            next = library.rules[index].reference
        }
        return found
    }

    /// The schema of an object's member, where `properties` of the schema, or of what it refers to, has one.
    func property(_ name: String) -> Schema? {
        var next: Int? = index
        while let index = next {
            if let property = library.rules[index].object.properties[name] { return Schema(library: library, index: property) }
            next = library.rules[index].reference
        }
        return nil
    }
}
