internal import SparringJSON

/// Applies a query to a value (RFC 9535 §2).
struct JSONPathEvaluation {
    let root: JSON

    func nodes(of segments: [JSONPath.Segment], at node: JSONNode) -> [JSONNode] {
        segments.reduce([node]) { nodes, segment in nodes.flatMap { select(segment, $0) } }
    }

    private func select(_ segment: JSONPath.Segment, _ node: JSONNode) -> [JSONNode] {
        let own = segment.selectors.flatMap { select($0, node) }
        guard segment.isDescendant else { return own }
        return own + children(of: node).flatMap { select(segment, $0) }
    }

    private func children(of node: JSONNode) -> [JSONNode] {
        switch node.value {
        case .array(let elements): elements.enumerated().map { node.child(.index($0), $1) }
        case .object(let members): members.map { node.child(.name($0.key), $0.value) }
        default: []
        }
    }

    private func select(_ selector: JSONPath.Selector, _ node: JSONNode) -> [JSONNode] {
        switch selector {
        case .name(let name): return node.value[name].map { [node.child(.name(name), $0)] } ?? []
        case .wildcard: return children(of: node)
        case .index(let index):
            guard let elements = node.value.array else { return [] }
            let place = index < 0 ? elements.count + index : index
            return elements.indices.contains(place) ? [node.child(.index(place), elements[place])] : []
        case .slice(let start, let end, let step):
            guard let elements = node.value.array else { return [] }
            return Self.places(start, end, step, of: elements.count).map { node.child(.index($0), elements[$0]) }
        case .filter(let condition): return children(of: node).filter { holds(condition, $0.value) }
        }
    }

    /// RFC 9535 §2.3.4.2.2.
    private static func places(_ start: Int?, _ end: Int?, _ step: Int, of count: Int) -> [Int] {
        func normal(_ index: Int) -> Int { index >= 0 ? index : count + index }
        if step == 0 { return [] }
        if step > 0 {
            let (lower, upper) = (min(max(normal(start ?? 0), 0), count), min(max(normal(end ?? count), 0), count))
            return lower < upper ? Array(stride(from: lower, to: upper, by: step)) : []
        }
        let upper = min(max(normal(start ?? count - 1), -1), count - 1)
        let lower = min(max(end.map(normal) ?? -1, -1), count - 1)
        return lower < upper ? Array(stride(from: upper, to: lower, by: step)) : []
    }

    // MARK: Filters

    private func holds(_ condition: JSONPath.Condition, _ current: JSON) -> Bool {
        switch condition {
        case .either(let conditions): conditions.contains { holds($0, current) }
        case .all(let conditions): conditions.allSatisfy { holds($0, current) }
        case .not(let condition): !holds(condition, current)
        case .exists(let query): !nodes(of: query, current).isEmpty
        case .compare(let left, let comparison, let right): Self.compare(value(left, current), comparison, value(right, current))
        case .matches(let text, let pattern, let isWhole):
            if case .string(let text)? = value(text, current), case .string(let pattern)? = value(pattern, current) {
                IRegexp.isFound(pattern, in: text, isWhole: isWhole)
            } else {
                false
            }
        }
    }

    private func nodes(of query: JSONPath.FilterQuery, _ current: JSON) -> [JSONNode] {
        nodes(of: query.segments, at: JSONNode(value: query.isRelative ? current : root))
    }

    /// Nil: nothing, which no value equals (RFC 9535 §2.4.1).
    private func value(_ operand: JSONPath.Operand, _ current: JSON) -> JSON? {
        switch operand {
        case .literal(let json): return json
        case .query(let query): return nodes(of: query, current).first?.value
        case .count(let query): return .integer(Int64(nodes(of: query, current).count))
        case .value(let query):
            let found = nodes(of: query, current)
            return found.count == 1 ? found[0].value : nil
        case .length(let operand):
            return switch value(operand, current) {
            case .string(let text): .integer(Int64(text.unicodeScalars.count))
            case .array(let elements): .integer(Int64(elements.count))
            case .object(let members): .integer(Int64(members.count))
            default: nil
            }
        }
    }

    /// RFC 9535 §2.3.5.2.2.
    private static func compare(_ left: JSON?, _ comparison: JSONPath.Comparison, _ right: JSON?) -> Bool {
        switch comparison {
        case .equal: left == right
        case .unequal: left != right
        case .less: isLess(left, right)
        case .greater: isLess(right, left)
        case .lessOrEqual: isLess(left, right) || left == right
        case .greaterOrEqual: isLess(right, left) || left == right
        }
    }

    private static func isLess(_ left: JSON?, _ right: JSON?) -> Bool {
        if case .string(let left)? = left, case .string(let right)? = right {
            return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
        }
        if case .integer(let left)? = left, case .integer(let right)? = right { return left < right }
        guard let left = left?.double, let right = right?.double else { return false }
        return left < right
    }
}
