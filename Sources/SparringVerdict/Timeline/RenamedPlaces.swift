import SparringContract
import SparringJSON

/// The operations and messages in which something has another name on the wire than in the contract as it ships (`x-stands-for`): behaviour files keep
/// the names that ship.
final class RenamedPlaces: Sendable {
    private let operations: [String: ContractOperation]
    private let messages: [String: ContractMessage]

    /// Nil where nothing is renamed, as without overlays.
    init?(_ contracts: [Contract]) {
        let renamed = contracts.flatMap(\.operations).filter { $0.hasStandIns || $0.answers.contains { $0.schema?.hasStandIns == true } }
        operations = Dictionary(renamed.map { ($0.qualifiedName, $0) }) { first, _ in first }
        let sent = contracts.flatMap(\.channels).flatMap(\.sent).filter(\.hasStandIns)
        messages = Dictionary(sent.map { ($0.qualifiedName, $0) }) { first, _ in first }
        if operations.isEmpty, messages.isEmpty { return nil }
    }

    func onWire(_ place: SourcePlace, of event: Event) -> SourcePlace {
        if let message = messages[event.operation], event.kind == .notification, place.part == .answer {
            return SourcePlace(.answer, message.onWire(place.pointer))
        }
        guard let operation = operations[event.operation] else { return place }
        if place.part == .answer { return SourcePlace(.answer, operation.onWire(place.pointer, ofAnswer: event.outcome?.name)) }
        // What stands in the path is found nowhere else.
        return place.inRequest.flatMap { SourcePlace("\(operation.onWire($0))") } ?? place
    }
}

extension SourcePlace {
    /// Nil where it is in none.
    var inRequest: RequestPlace? {
        switch part {
        case .header: .header(name)
        case .query: .query(name)
        case .body: .body(pointer)
        case .answer, .mark, .socket, .target: nil
        }
    }

    fileprivate init(_ part: Part, _ pointer: JSONPointer) { self.init(part: part, name: pointer.description, pointer: pointer) }
}
