internal import SparringJSON

/// Changes of a body that Sparring's code has made, on its way to the wire: the vendor's has members that Sparring's lacks, or the other way round.
struct BodyRewrite: Sendable {
    enum Change: Sendable {
        /// The value is put in the place of the one that is there, or added if its parent is there.
        case put(JSON)
        case remove
        /// The value stays, in another type. One that has no equal there stays as it is.
        case convert(String)
    }

    struct Edit: Sendable {
        let target: JSONPath
        let change: Change
    }

    var edits: [Edit] = []

    /// No body goes out.
    var removesAll: Bool {
        edits.contains { edit in
            if case .remove = edit.change { edit.target.parent == nil } else { false }
        }
    }

    /// The body as it goes out; nil: none does.
    func applied(to body: JSON?) -> JSON? { edits.reduce(body) { body, edit in edit.applied(to: body) } }
}

extension BodyRewrite.Edit {
    fileprivate func applied(to body: JSON?) -> JSON? {
        guard let body else {
            // All of a body may be put where there is none.
            guard case .put(let value) = change, target.parent == nil else { return nil }
            return value
        }
        switch change {
        case .remove:
            // From the end, so that the places of items before it stay.
            return target.nodes(in: body).reversed().reduce(Optional(body)) { body, node in body?.changed(at: node.steps[...]) { _ in nil }
            }
        case .convert(let type):
            return changed(body, target) { $0?.converted(to: type) }
        case .put(let value):
            guard let parent = target.parent else { return value }
            guard let name = target.lastName else { return changed(body, target) { _ in value } }
            return changed(body, parent) { object in
                guard case .object(var members)? = object else { return object }
                members[name] = value
                return .object(members)
            }
        }
    }

    private func changed(_ body: JSON, _ path: JSONPath, _ change: (JSON?) -> JSON?) -> JSON? {
        path.nodes(in: body).reduce(Optional(body)) { body, node in body?.changed(at: node.steps[...], change) }
    }
}

extension JSON {
    /// The same with another value at a place; nil from `change` takes it away.
    fileprivate func changed(at steps: ArraySlice<JSONNode.Step>, _ change: (JSON?) -> JSON?) -> JSON? {
        guard let step = steps.first else { return change(self) }
        switch (step, self) {
        case (.name(let name), .object(var members)):
            members[name] = members[name]?.changed(at: steps.dropFirst(), change)
            return .object(members)
        case (.index(let index), .array(var items)) where items.indices.contains(index):
            if let item = items[index].changed(at: steps.dropFirst(), change) { items[index] = item } else { items.remove(at: index) }
            return .array(items)
        default: return self
        }
    }

    /// The value in a type of JSON Schema.
    fileprivate func converted(to type: String) -> JSON {
        switch (type, self) {
        case ("string", .integer), ("string", .number), ("string", .bool): .string(text)
        case ("integer", .string(let text)): Int64(text).map { .integer($0) } ?? self
        case ("integer", .number(let number)): Int64(exactly: number.rounded()).map { .integer($0) } ?? self
        case ("number", .string(let text)): Double(text).map { .number($0) } ?? self
        case ("boolean", .string("true")), ("boolean", .integer(1)): true
        case ("boolean", .string("false")), ("boolean", .integer(0)): false
        case ("integer", .bool(let isTrue)), ("number", .bool(let isTrue)): .integer(isTrue ? 1 : 0)
        case ("array", .null): []
        case ("array", .object), ("array", .string), ("array", .integer), ("array", .number), ("array", .bool): .array([self])
        default: self
        }
    }
}
