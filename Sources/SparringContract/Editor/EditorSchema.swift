internal import Foundation
package import SparringJSON

/// The JSON Schema of a file that people write, for their editors. It is composed of a file of the contracts' folder and of what it takes from others
/// there, since an editor is best served with one file and knows only JSON Schema's own words.
package struct EditorSchema {
    /// The file's own but for its definitions.
    private var root: JSON.Object = [:]
    /// `$defs` of the whole, in the order in which they are first referred to.
    package var definitions: JSON.Object
    let folder: String
    /// Whether null leaves out a member, as in a tenant's configuration; in a call it does not.
    var nullLeavesOut = true
    /// The names here of schemas from other files.
    private var names: [Reference: String] = [:]
    private var documents: [String: JSON] = [:]

    private struct Reference: Hashable {
        var document: String
        var pointer: JSONPointer
    }

    /// Reads `<folder>/<name>.schema.yaml`, with what it refers to.
    ///
    /// - Throws: ``ContractError`` for a file that cannot be read, a reference that leads nowhere.
    package init(_ name: String, in folder: String) throws {
        let file = "\(name).schema.yaml"
        let whole = try YAMLDocument(parsing: try YAMLFile.text(of: "\(folder)/\(file)"), file: file).json.object ?? [:]
        (definitions, self.folder) = (whole["$defs"]?.object ?? [:], folder)
        for (name, definition) in definitions { definitions[name] = try gathered(definition, of: nil) }
        root = try gathered(.object(whole.filter { $0.key != "$defs" }), of: nil).object ?? [:]
    }

    /// The whole.
    package var json: JSON { .object(root.merging(["$defs": .object(definitions)]) { $1 }) }

    /// Brings the schema of a vendor's tenants here.
    ///
    /// - Returns: a reference to it.
    /// - Throws: ``ContractError`` for a file that cannot be read, a reference that leads nowhere.
    package mutating func tenant(of vendor: String) throws -> JSON {
        let file = Reference(document: "\(vendor).tenant.schema.yaml", pointer: .root)
        return ["$ref": .string("#/$defs/\(try name(of: file, isOptional: true))")]
    }

    private static let maps: Set = ["properties", "patternProperties", "$defs", "dependentSchemas"]
    private static let schemas: Set = [
        "items", "contains", "additionalProperties", "propertyNames", "if", "then", "else", "not", "unevaluatedProperties",
    ]
    private static let lists: Set = ["allOf", "anyOf", "oneOf", "prefixItems"]

    /// A schema with everything that it refers to in other files gathered in ``definitions``.
    ///
    /// - Parameters:
    ///   - document: the file that it stands in; nil: the one that is composed, whose words are the editor's already.
    ///   - isOptional: it is a member's that may be null, which leaves it out.
    ///   - isMerged: what it is about is merged with what there is, which may have the rest of what is required.
    mutating func gathered(
        _ schema: JSON, of document: String?, isOptional: Bool = false, isMerged: Bool = false
    ) throws -> JSON {
        guard let object = schema.object else { return schema }
        let required = object["required"]?.array?.compactMap(\.string) ?? []
        var own = JSON.Object()
        for (keyword, value) in object {
            if Self.maps.contains(keyword) {
                var map = JSON.Object()
                for (name, inner) in value.object ?? [:] {
                    let isOptional = keyword == "patternProperties" || keyword == "properties" && !required.contains(name)
                    map[name] = try gathered(inner, of: document, isOptional: isOptional, isMerged: isMerged && keyword == "properties")
                }
                own[keyword] = .object(map)
            } else if Self.schemas.contains(keyword) {
                own[keyword] = try gathered(value, of: document, isOptional: keyword == "additionalProperties")
            } else if Self.lists.contains(keyword) {
                own[keyword] = .array(try (value.array ?? []).map { try gathered($0, of: document) })
            } else if keyword == "$ref", let text = value.string, let reference = reference(text, in: document) {
                own[keyword] = .string("#/$defs/\(try name(of: reference, isOptional: isOptional))")
            } else if !(isMerged && keyword == "required") {
                own[keyword] = value
            }
        }
        return .object(document == nil ? own : Self.worded(own, isOptional: isOptional && nullLeavesOut))
    }

    /// Nil for a place in the file that is composed, or in one that an editor fetches by itself.
    private func reference(_ text: String, in document: String?) -> Reference? {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let named = parts[0].isEmpty ? document : String(parts[0])
        guard let named, named.hasSuffix(".yaml") else { return nil }
        return Reference(document: named, pointer: JSONPointer(parts.count > 1 ? String(parts[1]) : "") ?? .root)
    }

    /// Brings a schema of another file here.
    ///
    /// - Returns: its name: that of the vendor, with that of a definition: `talkdesk`, `talkdeskScript`; for what vendors share the definition's alone.
    private mutating func name(of reference: Reference, isOptional: Bool) throws -> String {
        if let name = names[reference] { return name }
        let vendor = reference.document.prefix { $0 != "." }
        let own = reference.pointer.tokens.last ?? ""
        let name = vendor == "shared" ? own : own.isEmpty ? String(vendor) : vendor + own.prefix(1).uppercased() + own.dropFirst()
        names[reference] = name
        guard let schema = try document(reference.document)[reference.pointer] else {
            throw ContractError(file: "\(folder)/\(reference.document)", message: "has nothing at \(reference.pointer)")
        }
        // Its place is taken before what it refers to is gathered.
        definitions[name] = .null
        let kept = JSON.object(
            (schema.object ?? [:]).filter { !["$schema", "title", "$defs"].contains($0.key) || reference.pointer != .root })
        definitions[name] = try gathered(
            kept, of: reference.document, isOptional: isOptional, isMerged: reference.pointer == .root)
        return name
    }

    mutating func document(_ name: String) throws -> JSON {
        if let known = documents[name] { return known }
        let read = try YAMLDocument(parsing: try YAMLFile.text(of: "\(folder)/\(name)"), file: "\(folder)/\(name)").json
        documents[name] = read
        return read
    }

    /// A schema in the words that editors know.
    private static func worded(_ schema: JSON.Object, isOptional: Bool) -> JSON.Object {
        var own = schema
        own["x-unique"] = nil
        if let expected = own.removeValue(forKey: "x-expected")?.string { own["patternErrorMessage"] = .string("Write \(expected).") }
        if own["format"] == .string(SchemaFormat.timeSpan.rawValue) {
            own.merge(timeSpan(own)) { $1 }
            for name in ["format", "exclusiveMinimum"] { own[name] = nil }
        }
        if let standard = own["default"], let words = words(for: standard), let description = own["description"]?.string {
            own["description"] = .string("\(description) Default: \(words).")
        }
        guard isOptional else { return own }
        if let types = own["type"], types != "null" { own["type"] = .array((types.array ?? [types]) + ["null"]) }
        if let values = own["enum"]?.array { own["enum"] = .array(values + [.null]) }
        return own
    }

    /// A default as a description tells it; nil for one that says little in a few words.
    package static func words(for standard: JSON) -> String? {
        switch standard {
        case .object: nil
        case .array(let items):
            items.isEmpty ? "none" : items.contains { $0.object != nil } ? nil : items.compactMap(words).joined(separator: ", ")
        case .string(let text): text
        default: standard.text
        }
    }

    /// An editor compares no durations: a text is held against a pattern, a number against its bounds.
    private static func timeSpan(_ schema: JSON.Object) -> JSON.Object {
        let least = schema["minimum"]?.integer ?? 0
        let isMore = schema["exclusiveMinimum"] != nil || least > 0
        let start = "^" + (isMore ? "(?=.*[1-9])" : "") + (least > 0 ? "(?![0-9]{1,3}ms$)" : "")
        return [
            "pattern": .string(start + Self.duration + "$"), "minimum": .integer(isMore ? max(least, 1) : 0),
            "maximum": .integer(schema["maximum"]?.integer ?? 315_360_000),
            "patternErrorMessage": "Write a duration with its unit, such as 200ms, 31s, 10m, 1h or PT10M.",
        ]
    }

    /// A duration in text, as a regular expression.
    package static let duration =
        "(?:[0-9]+(?:\\.[0-9]*)?(?:ms|s|m|h|d)|P(?=[0-9T])(?:[0-9]+(?:\\.[0-9]*)?W)?(?:[0-9]+(?:\\.[0-9]*)?D)?"
        + "(?:T(?=[0-9])(?:[0-9]+(?:\\.[0-9]*)?H)?(?:[0-9]+(?:\\.[0-9]*)?M)?(?:[0-9]+(?:\\.[0-9]*)?S)?)?)"
}
