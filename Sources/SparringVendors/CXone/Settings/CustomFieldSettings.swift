import SparringEngine
import SparringJSON

/// A field that a brand asks customers for (CXone reference 3.1).
struct FieldDefinition: Sendable {
    enum Kind: String, CaseIterable {
        case text, email, list, tree
    }

    var ident: String
    var label: String
    var kind: Kind
    /// JSON as clients read it.
    var values: [JSON]

    static let members = ["ident", "label", "type", "values"]

    init(_ members: Members) throws(ConfigurationError) {
        guard let ident = try members.string("ident"), !ident.isEmpty else { throw members.error("ident", "a field needs its ident") }
        self.ident = ident
        label = try members.string("label") ?? ident
        kind = try members.word("type", Kind.self) ?? .text
        values = []
        for (index, json) in (try members.array("values") ?? []).enumerated() {
            let value = try Members(
                json, at: members.pointer.appending("values").appending(index), known: ["name", "value", "parentId"])
            guard let name = try value.string("name") else { throw value.error("name", "a value needs its name") }
            values.append(
                .members([
                    "name": .string(name), "value": .string(try value.string("value") ?? name),
                    "parentId": try value.string("parentId").map { .string($0) },
                ]))
        }
        let needsValues = kind == .list || kind == .tree
        guard needsValues != values.isEmpty else {
            throw members.error("values", needsValues ? "a \(kind.rawValue) needs values" : "a field of the type \(kind.rawValue) has none")
        }
        if kind == .tree { try Self.checkBranches(values, at: members.pointer.appending("values")) }
    }

    /// Refuses a value that hangs on none of the tree's roots: the SDK for iOS 3.3.1 reads such a tree for ever
    /// (CustomFieldHierarchicalDTO.swift:80-90), and the one for Android drops the value (HierarchyNodeInternal.kt:93-117).
    private static func checkBranches(_ values: [JSON], at pointer: JSONPointer) throws(ConfigurationError) {
        let names = values.map { $0["name"]?.string ?? "" }
        var below: [String: [String]] = [:]
        var next: [String] = []
        for (name, value) in zip(names, values) {
            if let parent = value["parentId"]?.string { below[parent, default: []].append(name) } else { next.append(name) }
        }
        var placed: Set<String> = []
        while let name = next.popLast() {
            if placed.insert(name).inserted { next += below[name] ?? [] }
        }
        let loose = values.enumerated().compactMap { index, value in
            value["parentId"]?.string.flatMap { placed.contains($0) ? nil : (index: index, parent: $0) }
        }
        let known = Set(names)
        if let orphan = loose.first(where: { !known.contains($0.parent) }) {
            throw ConfigurationError(
                pointer.appending(orphan.index).appending("parentId"),
                "the tree has no value '\(orphan.parent.abbreviated(to: 100))'" + Nearest.hint(for: orphan.parent, in: names))
        }
        if let circle = loose.first {
            throw ConfigurationError(
                pointer.appending(circle.index).appending("parentId"),
                "'\(circle.parent.abbreviated(to: 100))' hangs on no root: a tree has no circles")
        }
    }

    var json: JSON {
        var json: JSON = ["ident": .string(ident), "label": .string(label), "type": .string(kind.rawValue)]
        if !values.isEmpty { json["values"] = .array(values) }
        return json
    }
}

/// Which custom fields a brand knows: its member `customFields`. Others are taken all the same (CXone reference 7.7).
struct CustomFieldSettings: Sendable {
    var contact: [FieldDefinition]
    var customer: [FieldDefinition]

    static let member = "customFields"

    init(_ brand: Members) throws(ConfigurationError) {
        let json = brand.object[Self.member] ?? [:]
        let members = try Members(json.isNull ? [:] : json, at: brand.pointer.appending(Self.member), known: ["contact", "customer"])
        contact = try Self.definitions("contact", members)
        customer = try Self.definitions("customer", members)
    }

    private static func definitions(_ name: String, _ members: Members) throws(ConfigurationError) -> [FieldDefinition] {
        var definitions: [FieldDefinition] = []
        for (index, json) in (try members.array(name) ?? []).enumerated() {
            let place = members.pointer.appending(name).appending(index)
            definitions.append(try FieldDefinition(Members(json, at: place, known: FieldDefinition.members)))
        }
        return definitions
    }

    /// Characters that a value may have. The Web SDK refuses longer ones since 3.1.0 (its CHANGELOG); that the server does is assumed.
    private static let longestValue = 1024

    /// What is wrong with a value that nobody takes; nil: nothing.
    static func objection(toValue value: String, of ident: String) -> String? {
        let length = value.unicodeScalars.count
        guard length > longestValue else { return nil }
        return "the value of the field '\(ident.abbreviated(to: 100))' has \(length) characters, and \(longestValue) is the limit"
    }

    /// What is wrong with fields that are refused, whatever the brand knows; nil: nothing.
    static func objection(to fields: [JSON]) -> String? {
        for field in fields {
            guard let ident = field["ident"]?.string, !ident.isEmpty else { return "a custom field needs its ident" }
            if let objection = objection(toValue: field["value"]?.string ?? "", of: ident) { return objection }
        }
        return nil
    }

    /// What is wrong with fields that came, in words for the journal; a brand that defines none knows all.
    func objections(to fields: [JSON], known: [FieldDefinition]) -> [String] {
        guard !known.isEmpty else { return [] }
        return fields.compactMap { field in
            let ident = field["ident"]?.string ?? ""
            guard let definition = known.first(where: { $0.ident.isSame(as: ident) }) else {
                return "the brand has no field '\(ident)'" + Nearest.hint(for: ident, in: known.map(\.ident))
            }
            let value = field["value"]?.string ?? ""
            guard definition.values.isEmpty || definition.values.contains(where: { $0["name"]?.string?.isSame(as: value) == true }) else {
                return "'\(value.abbreviated(to: 100))' is no value of the field '\(ident)'"
            }
            return nil
        }
    }
}
