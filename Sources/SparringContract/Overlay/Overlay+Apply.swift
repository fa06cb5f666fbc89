internal import SparringJSON

extension Overlay {
    /// Changes a document, action by action.
    ///
    /// - Returns: what changed nothing.
    /// - Throws: ``ContractError`` at an action whose change does not fit what it selects (Overlay 1.1 §4.3.3).
    func apply(to root: inout YAMLNode) throws(ContractError) -> [OverlayWarning] {
        var warnings: [OverlayWarning] = []
        for action in actions {
            let document = try root.json()
            let nodes = action.target.nodes(in: document)
            guard !nodes.isEmpty else {
                let words = "'\(action.target)' matches nothing\(Self.nearest(to: action.target, in: document))"
                warnings.append(OverlayWarning(file: file, line: action.place.line, message: words))
                continue
            }
            switch action.change {
            case .remove:
                guard nodes.allSatisfy({ !$0.steps.isEmpty }) else { throw action.place.error("the document itself cannot be removed") }
                // From the end, so that the places of items before it stay; what lies in something that is removed goes with it.
                for node in Self.fromTheEnd(nodes) {
                    guard let last = node.steps.last else { continue }
                    try root.change(node.steps.dropLast()) { parent throws(ContractError) in parent.remove(last) }
                }
            case .update(let update):
                for node in nodes { try root.change(node.steps[...]) { target throws(ContractError) in try target.take(update) } }
            case .copy(let path):
                let found = path.nodes(in: document)
                guard found.count == 1 else {
                    let hint = found.isEmpty ? Self.nearest(to: path, in: document) : ""
                    throw action.changePlace.error("'\(path)' matches \(found.count) values, where one is copied\(hint)")
                }
                let copied = root[JSONPointer(tokens: found[0].steps.map(\.token))] ?? root
                for node in nodes { try root.change(node.steps[...]) { target throws(ContractError) in try target.take(copied) } }
            }
        }
        return warnings
    }

    private static func fromTheEnd(_ nodes: [JSONNode]) -> [JSONNode] {
        var unique: [JSONNode] = []
        for node in nodes where !unique.contains(where: { node.steps.starts(with: $0.steps) }) { unique.append(node) }
        return unique.sorted { a, b in
            for (one, other) in zip(a.steps, b.steps) where one != other {
                if case .index(let one) = one, case .index(let other) = other { return one > other }
                return false
            }
            return a.steps.count > b.steps.count
        }
    }

    /// How far the path leads, and what is there that it may have meant.
    private static func nearest(to path: JSONPath, in document: JSON) -> String {
        var path = path
        while let parent = path.parent {
            if let found = parent.nodes(in: document).first {
                guard let name = path.lastName, let members = found.value.object else { return ": \(found.path) is there" }
                let near = Nearest.words(to: name, in: members.keys).first.map { found.path + JSONPathText.member($0) }
                return ": \(found.path) has no '\(name)'" + (near.map { "; nearest: \($0)" } ?? "")
            }
            path = parent
        }
        return ""
    }
}

extension YAMLNode {
    fileprivate mutating func change(
        _ steps: ArraySlice<JSONNode.Step>, _ body: (inout YAMLNode) throws(ContractError) -> Void
    ) throws(ContractError) {
        guard let step = steps.first else { return try body(&self) }
        switch (step, content) {
        case (.name(let name), .mapping(var entries)):
            guard let index = entries.firstIndex(where: { $0.key == name }) else { return }
            try entries[index].value.change(steps.dropFirst(), body)
            content = .mapping(entries)
        case (.index(let index), .sequence(var elements)):
            try elements[index].change(steps.dropFirst(), body)
            content = .sequence(elements)
        default: break
        }
    }

    fileprivate mutating func remove(_ step: JSONNode.Step) {
        switch (step, content) {
        case (.name(let name), .mapping(let entries)): content = .mapping(entries.filter { $0.key != name })
        case (.index(let index), .sequence(var elements)):
            elements.remove(at: index)
            content = .sequence(elements)
        default: break
        }
    }

    /// Applies an action to a value that it selects, with its update or with what it copies.
    fileprivate mutating func take(_ update: YAMLNode) throws(ContractError) {
        if case .sequence(var elements) = content {
            if case .sequence(let more) = update.content { elements += more } else { elements.append(update) }
            content = .sequence(elements)
        } else {
            try merge(update)
        }
    }

    private mutating func merge(_ update: YAMLNode) throws(ContractError) {
        switch (content, update.content) {
        case (.mapping(var entries), .mapping(let more)):
            for entry in more {
                if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                    try entries[index].value.merge(entry.value)
                } else {
                    entries.append(entry)
                }
            }
            content = .mapping(entries)
        case (.sequence(let elements), .sequence(let more)): content = .sequence(elements + more)
        case (.scalar, .scalar): self = update
        default: throw update.error("\(update.kindWords) cannot be merged with \(kindWords)")
        }
    }

    private var kindWords: String {
        switch content {
        case .scalar: "a scalar"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
