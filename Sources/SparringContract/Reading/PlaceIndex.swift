/// Finds a value's path by its place in the file.
struct PlaceIndex: Sendable {
    private let document: String
    private let trail: PlaceTrail
    /// The document's own values, nearly all there are, by line and column.
    private let own: [Int: Int]
    private let others: [YAMLPlace: Int]

    init(_ root: YAMLNode, document: String) {
        var survey = Survey(document: document)
        survey.visit(root, .root)
        self.document = document
        (own, others, trail) = (survey.own, survey.others, PlaceTrail(survey.steps))
    }

    /// - Parameter place: where a reader is to look, if not where the value begins.
    func place(of node: YAMLNode, shownAt place: YAMLPlace? = nil) -> ContractPlace {
        let shown = place ?? node.place
        let number = node.place.file == document ? own[Survey.key(node.place)] : others[node.place]
        return ContractPlace(document: document, file: shown.file, line: shown.line, trail, step: number ?? 0)
    }

    private struct Survey {
        let document: String
        var steps: [PlaceTrail.Step] = []
        var own: [Int: Int] = [:]
        var others: [YAMLPlace: Int] = [:]

        /// A value that an alias or an overlay has put in several places is found at the first.
        mutating func visit(_ node: YAMLNode, _ step: PlaceTrail.Step) {
            let number = steps.count
            if node.place.file == document {
                let key = Self.key(node.place)
                guard own[key] == nil else { return }
                own[key] = number
            } else {
                guard others[node.place] == nil else { return }
                others[node.place] = number
            }
            steps.append(step)
            switch node.content {
            case .scalar: break
            case .sequence(let elements): for (index, element) in elements.enumerated() { visit(element, .item(index, of: number)) }
            case .mapping(let entries): for entry in entries { visit(entry.value, .member(entry.key, of: number)) }
            }
        }

        static func key(_ place: YAMLPlace) -> Int { place.line << 20 | place.column & 0xF_FFFF }
    }
}
