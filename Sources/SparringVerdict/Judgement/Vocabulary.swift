package import SparringContract
import SparringJSON

/// The names that behaviour files may use: the operations and answers of the contracts, and the effects of faults.
package struct Vocabulary: Sendable {
    struct Point: Sendable {
        /// `vendor.operationId`.
        var name: String
        var vendor: String
        var tag: String
        /// Their names.
        var answers: [String]
        /// Sent to clients unasked.
        var isNotification: Bool
        var opensSocket: Bool
        let declared: Declared
    }

    enum Declared: Sendable {
        case operation(ContractOperation)
        case message(ContractMessage)
    }

    let points: [Point]
    /// Indices in ``points`` by name: rules name points thousands of times.
    private let places: [String: Int]
    /// The fidelity of each operation of the contracts, received messages included: what it rests on.
    let fidelities: [String: Fidelity]
    let vendors: [String]
    /// The effects that faults can have.
    let effects: [String]

    /// Whether it must be seen that contracts have what behaviour files look at in calls; not for files that were checked with these contracts.
    var mustBeChecked = true

    package init(_ contracts: [Contract], effects: [String]) {
        var points: [Point] = []
        for contract in contracts {
            for operation in contract.operations {
                points.append(
                    Point(
                        name: operation.qualifiedName, vendor: contract.vendor, tag: operation.tag,
                        answers: operation.answers.map(\.name),
                        isNotification: false, opensSocket: operation.opensSocket, declared: .operation(operation)))
            }
            for message in contract.channels.flatMap(\.sent) {
                points.append(
                    Point(
                        name: message.qualifiedName, vendor: contract.vendor, tag: message.tag, answers: [],
                        isNotification: true, opensSocket: false, declared: .message(message)))
            }
        }
        self.points = points
        places = Dictionary(points.indices.map { (points[$0].name, $0) }) { first, _ in first }
        let operations = contracts.flatMap(\.operations).map { ($0.qualifiedName, $0.fidelity) }
        fidelities = Dictionary(operations) { first, _ in first }
        vendors = contracts.map(\.vendor)
        self.effects = effects + contracts.flatMap(\.operations).flatMap(\.effects).map(\.word)
    }

    /// The points that a place covers, which is written as for faults: `vendor.operationId`, `vendor.Tag.*`, `*.Tag.*`, `vendor.*` or `*`.
    func points(of place: String) -> [Point] {
        if let index = places[place] { return [points[index]] }
        if place == "*" { return points }
        let words = place.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        func isOf(_ point: Point) -> Bool { words[0] == "*" || words[0] == point.vendor }
        switch words.count {
        case 2 where words[1] == "*": return points.filter(isOf)
        case 3 where words[2] == "*": return points.filter { isOf($0) && $0.tag == words[1] }
        default: return []
        }
    }

    /// The names of the operations that places cover.
    ///
    /// - Parameter needed: what they are, where there must be some.
    /// - Throws: with the place of the first that covers none.
    func operations(
        _ name: String, _ declaration: Declaration, needed: String? = nil, where isWanted: (Point) -> Bool = { !$0.isNotification }
    ) throws(ConfigurationError) -> [OperationName] {
        var found: [String] = []
        for place in try declaration.texts(name) {
            let points = points(of: place).filter(isWanted)
            guard !points.isEmpty else {
                let known = self.points.filter(isWanted)
                let nearest = Nearest.words(to: place, in: known.map(\.name) + Set(known.map { "\($0.vendor).\($0.tag).*" }).sorted())
                let hint = nearest.isEmpty ? "" : "; nearest: \(nearest.joined(separator: ", "))"
                throw declaration.error(name, "there is no '\(place)' here\(hint)")
            }
            for point in points where !found.contains(point.name) { found.append(point.name) }
        }
        return try declaration.need(found, name, needed).map { OperationName($0) }
    }
}
