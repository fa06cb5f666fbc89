package import SparringJSON

/// A query that selects values of a JSON value (RFC 9535).
package struct JSONPath: Sendable, CustomStringConvertible {
    /// The query as it was written.
    package let description: String
    let segments: [Segment]

    /// Unicode scalars of the longest query.
    static let mostScalars = 10_000

    /// - Throws: ``JSONPathError`` with the place of what is wrong.
    package init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        description = text
        segments = try parser.query()
    }

    /// The values that it selects, in the order of RFC 9535 §2; a value that is selected twice is there twice.
    package func nodes(in json: JSON) -> [JSONNode] { JSONPathEvaluation(root: json).nodes(of: segments, at: JSONNode(value: json)) }

    /// The name of the member that the query ends with; nil where it ends otherwise.
    var lastName: String? {
        guard let last = segments.last, !last.isDescendant, last.selectors.count == 1, case .name(let name) = last.selectors[0] else {
            return nil
        }
        return name
    }

    /// The query without its last segment; nil for the root.
    var parent: JSONPath? { segments.isEmpty ? nil : JSONPath(segments: Array(segments.dropLast())) }

    private init(segments: [Segment]) {
        self.segments = segments
        description = ""
    }
}

/// A value with the way to it.
package struct JSONNode: Sendable {
    /// A step from a value to one inside it.
    enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)

        /// In a JSON Pointer.
        var token: String {
            switch self {
            case .name(let name): name
            case .index(let index): String(index)
            }
        }
    }

    var steps: [Step] = []
    package var value: JSON

    init(value: JSON) { self.value = value }

    private init(steps: [Step], value: JSON) { (self.steps, self.value) = (steps, value) }

    func child(_ step: Step, _ value: JSON) -> JSONNode { JSONNode(steps: steps + [step], value: value) }

    /// The normalized path (RFC 9535 §2.7), in which names that need no quotes have none.
    package var path: String {
        steps.reduce(into: "$") { path, step in
            switch step {
            case .name(let name): path += JSONPathText.member(name)
            case .index(let index): path += JSONPathText.item(index)
            }
        }
    }
}
