import SparringVendorKit

/// A field that a brand asks customers for (CXone reference 3.1).
struct FieldDefinition: Decodable, Sendable {
    enum Kind: String, Decodable {
        case text, email, list, tree
    }

    struct Value: Decodable {
        var name: String
        /// The text that is shown; nil: the name.
        private var value: String?
        var parentId: String?

        /// The value as clients read it.
        var json: JSON {
            .members(["name": .string(name), "value": .string(value ?? name), "parentId": parentId.map { .string($0) }])
        }
    }

    var ident: String
    private var givenLabel: String?
    var kind: Kind
    var values: [Value]

    private enum CodingKeys: String, CodingKey {
        case ident, givenLabel = "label", kind = "type", values
    }

    func check(at pointer: JSONPointer) throws(ConfigurationError) {
        let needsValues = kind == .list || kind == .tree
        guard needsValues != values.isEmpty else {
            throw ConfigurationError(
                pointer.appending("values"),
                needsValues ? "a \(kind.rawValue) needs values" : "a field of the type \(kind.rawValue) has none")
        }
        if kind == .tree { try checkBranches(at: pointer.appending("values")) }
    }

    /// Refuses a value that hangs on none of the tree's roots: the SDK for iOS 3.3.1 reads such a tree for ever
    /// (CustomFieldHierarchicalDTO.swift:80-90), and the one for Android drops the value (HierarchyNodeInternal.kt:93-117).
    private func checkBranches(at pointer: JSONPointer) throws(ConfigurationError) {
        var below: [String: [String]] = [:]
        var next: [String] = []
        for value in values {
            if let parent = value.parentId { below[parent, default: []].append(value.name) } else { next.append(value.name) }
        }
        var placed: Set<String> = []
        while let name = next.popLast() {
            if placed.insert(name).inserted { next += below[name] ?? [] }
        }
        let loose = values.enumerated().compactMap { index, value in
            value.parentId.flatMap { placed.contains($0) ? nil : (index: index, parent: $0) }
        }
        let names = values.map(\.name)
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
        var json: JSON = ["ident": .string(ident), "label": .string(givenLabel ?? ident), "type": .string(kind.rawValue)]
        if !values.isEmpty { json["values"] = .array(values.map(\.json)) }
        return json
    }
}
