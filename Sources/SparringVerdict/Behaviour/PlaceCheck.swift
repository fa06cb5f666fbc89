import SparringContract
import SparringJSON

/// Checks that what behaviour files look at in calls is something that the contracts have: a member that was renamed in a contract alone would make
/// a rule silent.
struct PlaceCheck {
    let vocabulary: Vocabulary

    /// - Parameter json: a rule's form, or what clients are known by, with operations and places at any depth. The operations of a place are those in the nearest
    ///   mapping around it that names any.
    /// - Throws: at the first place that none of its operations has.
    func verify(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        guard vocabulary.mustBeChecked else { return }
        try walk(json, pointer, points(in: json))
    }

    private func walk(_ json: JSON, _ pointer: JSONPointer, _ outer: [Vocabulary.Point]) throws(ConfigurationError) {
        switch json {
        case .string(let text): try check(text, pointer, outer)
        case .array(let elements):
            for (index, element) in elements.enumerated() { try walk(element, pointer.appending(index), outer) }
        case .object(let members):
            let named = points(in: json)
            let own = named.isEmpty ? outer : named
            for (name, value) in members {
                let pointer = pointer.appending(name)
                if name == "with" {
                    for place in value.object?.keys ?? [] { try check(place, pointer.appending(place), own) }
                } else {
                    try walk(value, pointer, own)
                }
            }
        default: break
        }
    }

    private func check(_ text: String, _ pointer: JSONPointer, _ named: [Vocabulary.Point]) throws(ConfigurationError) {
        let points = named + openedMessages(by: named)
        guard let place = SourcePlace(text), !points.isEmpty, !points.contains(where: { $0.declares(place) }) else { return }
        // Of what the contract leaves open nothing can be said, unless an operation beside it has members to choose from.
        let known = Set(points.flatMap { $0.places(of: place.part) }).sorted()
        if points.contains(where: { $0.leavesOpen(place.part) }), !known.contains(where: { $0.hasPrefix("\(place.part.rawValue):") }) {
            return
        }
        let hint = Nearest.hint(for: text, in: known)
        let operations = named.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let names = operations.count > 3 ? "any of \(operations.count) operations" : operations.joined(separator: " or ")
        throw ConfigurationError(pointer, "the contracts have no \(text) in \(names)\(hint)")
    }

    /// A rule about a socket may look at what comes on it.
    private func openedMessages(by points: [Vocabulary.Point]) -> [Vocabulary.Point] {
        let vendors = Set(points.filter(\.opensSocket).map(\.vendor))
        return vendors.isEmpty ? [] : vocabulary.points.filter { $0.isNotification && vendors.contains($0.vendor) }
    }

    /// The operations and messages that are named anywhere in it.
    private func points(in json: JSON) -> [Vocabulary.Point] {
        switch json {
        case .string(let text): text.contains(".") ? vocabulary.points(of: text) : []
        case .array(let elements): elements.flatMap(points)
        case .object(let members): members.values.flatMap(points)
        default: []
        }
    }
}

extension Vocabulary.Point {
    fileprivate func declares(_ place: SourcePlace) -> Bool {
        switch (place.part, declared) {
        case (.mark, _), (.socket, _), (.target, _): true
        case (.answer, .operation(let operation)): operation.declares(inAnswer: place.pointer)
        case (.answer, .message(let message)): message.declares(place.pointer)
        case (_, .operation(let operation)): place.inRequest.map { operation.declares($0) } ?? true
        case (_, .message): false
        }
    }

    /// Whether anything may stand there, by whatever name.
    fileprivate func leavesOpen(_ part: SourcePlace.Part) -> Bool {
        guard case .operation(let operation) = declared else { return false }
        return part == .body ? operation.leavesBodyOpen : part == .answer && operation.leavesAnswerOpen
    }

    fileprivate func places(of part: SourcePlace.Part) -> [String] {
        switch (part, declared) {
        case (.answer, .operation(let operation)): operation.canonicalAnswerPlaces
        case (.answer, .message(let message)): message.canonicalPlaces
        case (_, .operation(let operation)): operation.canonicalPlaces
        case (_, .message): []
        }
    }
}
