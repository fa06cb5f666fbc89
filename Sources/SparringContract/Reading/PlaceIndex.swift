/// Finds a value's path by its place in the file.
struct PlaceIndex: Sendable {
    private let document: String
    private let trail: PlaceTrail
    /// The steps to the document's own values, nearly all there are, by line and column.
    private let own: Steps
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
        let number = node.place.file == document ? own[Steps.key(node.place)] : others[node.place]
        return ContractPlace(document: document, file: shown.file, line: shown.line, trail, step: number ?? 0)
    }

    private struct Survey {
        let document: String
        var steps: [PlaceTrail.Step] = []
        var own = Steps()
        var others: [YAMLPlace: Int] = [:]

        /// A value that an alias or an overlay has put in several places is found at the first.
        mutating func visit(_ node: YAMLNode, _ step: PlaceTrail.Step) {
            let number = steps.count
            if node.place.file == document {
                guard own.insert(number, at: Steps.key(node.place)) else { return }
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
    }

    /// Numbers by place. A document is visited from its beginning to its end: the places are sorted as they come, and need no hash.
    private struct Steps {
        private var keys: [Int] = []
        private var numbers: [Int] = []
        /// Places that came after a later one.
        private var late: [Int: Int] = [:]

        static func key(_ place: YAMLPlace) -> Int { place.line << 20 | place.column & 0xF_FFFF }

        subscript(key: Int) -> Int? {
            var range = 0..<keys.count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                if keys[middle] == key { return numbers[middle] }
                range = keys[middle] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return late[key]
        }

        /// - Returns: false, and nothing is changed, where the place has a number.
        mutating func insert(_ number: Int, at key: Int) -> Bool {
            if let last = keys.last, key <= last {
                guard self[key] == nil else { return false }
                late[key] = number
                return true
            }
            keys.append(key)
            numbers.append(number)
            return true
        }
    }
}
