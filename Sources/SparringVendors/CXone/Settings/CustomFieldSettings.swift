import SparringEngine
import SparringJSON

/// A field that a brand asks customers for (reference 3.1).
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
    }

    var json: JSON {
        var json: JSON = ["ident": .string(ident), "label": .string(label), "type": .string(kind.rawValue)]
        if !values.isEmpty { json["values"] = .array(values) }
        return json
    }
}

/// Which custom fields a brand knows: its member `customFields`. Others are taken all the same (reference 7.7).
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
