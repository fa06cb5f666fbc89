internal import SparringJSONPath

/// Where the values of a document stand in it, found by where they are written.
struct PlaceIndex: Sendable {
    private let document: String
    private var paths: [YAMLPlace: String] = [:]

    init(_ root: YAMLNode, document: String) {
        self.document = document
        index(root, "$")
    }

    private mutating func index(_ node: YAMLNode, _ path: String) {
        // What an alias or an overlay has put in several places is found at the first.
        guard paths[node.place] == nil else { return }
        paths[node.place] = path
        switch node.content {
        case .scalar: break
        case .sequence(let elements):
            for (index, element) in elements.enumerated() { self.index(element, path + JSONPathText.item(index)) }
        case .mapping(let entries):
            for entry in entries { index(entry.value, path + JSONPathText.member(entry.key)) }
        }
    }

    /// - Parameter place: where a reader is to look, if not where the value begins.
    func place(of node: YAMLNode, shownAt place: YAMLPlace? = nil) -> ContractPlace {
        let shown = place ?? node.place
        return ContractPlace(document: document, path: paths[node.place] ?? "$", file: shown.file, line: shown.line)
    }
}
