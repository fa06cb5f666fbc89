internal import SparringJSONPath

/// Finds the JSON pointer of a value by its place in the file.
struct PlaceIndex: Sendable {
    /// One step from the value around it.
    private enum Step: Sendable {
        case root
        case item(Int, of: Int)
        case member(String, of: Int)
    }

    private let document: String
    private var steps: [Step] = []
    /// The document's own values, nearly all there are, by line and column.
    private var own: [Int: Int] = [:]
    private var others: [YAMLPlace: Int] = [:]

    init(_ root: YAMLNode, document: String) {
        self.document = document
        index(root, .root)
    }

    private mutating func index(_ node: YAMLNode, _ step: Step) {
        // What an alias or an overlay has put in several places is found at the first.
        guard number(of: node.place) == nil else { return }
        let number = steps.count
        steps.append(step)
        if node.place.file == document { own[Self.key(node.place)] = number } else { others[node.place] = number }
        switch node.content {
        case .scalar: break
        case .sequence(let elements): for (index, element) in elements.enumerated() { self.index(element, .item(index, of: number)) }
        case .mapping(let entries): for entry in entries { index(entry.value, .member(entry.key, of: number)) }
        }
    }

    private func number(of place: YAMLPlace) -> Int? { place.file == document ? own[Self.key(place)] : others[place] }

    private static func key(_ place: YAMLPlace) -> Int { place.line << 20 | place.column & 0xF_FFFF }

    private func path(_ number: Int) -> String {
        switch steps[number] {
        case .root: "$"
        case .item(let index, let around): path(around) + JSONPathText.item(index)
        case .member(let name, let around): path(around) + JSONPathText.member(name)
        }
    }

    /// - Parameter place: where a reader is to look, if not where the value begins.
    func place(of node: YAMLNode, shownAt place: YAMLPlace? = nil) -> ContractPlace {
        let shown = place ?? node.place
        return ContractPlace(document: document, path: number(of: node.place).map(path) ?? "$", file: shown.file, line: shown.line)
    }
}
