import SparringContract
import SparringJSON

/// An operation, or a message that the vendor sends, as the commands name it.
struct ContractPoint {
    let vendor: String
    let id: String
    let tag: String
    /// `POST /path`, or how a message goes on its channel.
    let way: String
    let fidelity: Fidelity
    /// A probe's sighting of it.
    var live: LiveFidelity.Sight?
    /// It answers by its examples.
    var isStub: Bool { operation?.stub != nil }
    let operation: ContractOperation?
    let message: ContractMessage?

    var name: String { "\(vendor).\(id)" }

    /// All points of contracts, with the sightings of them by probes.
    static func all(of contracts: [Contract], _ live: LiveFidelity) -> [ContractPoint] {
        all(of: contracts).map { point in
            var point = point
            point.live = live[point.name]
            return point
        }
    }

    private static func all(of contracts: [Contract]) -> [ContractPoint] {
        contracts.flatMap { contract in
            let whole = contract.operations + (contract.admin?.operations ?? [])
            let operations = whole.map { operation in
                ContractPoint(
                    vendor: contract.vendor, id: operation.id, tag: operation.tag,
                    way: operation.channel.map { "→ channel \($0)" } ?? "\(operation.method) \(operation.pathTemplate)",
                    fidelity: operation.fidelity, operation: operation, message: nil)
            }
            let messages = contract.channels.flatMap(\.sent).map { message in
                ContractPoint(
                    vendor: contract.vendor, id: message.id, tag: message.tag, way: "← channel \(message.channel)",
                    fidelity: message.fidelity, operation: nil, message: message)
            }
            return operations + messages
        }
    }

    var json: JSON {
        .members([
            "operation": .string(name), "tag": .string(tag), "way": .string(way), "fidelity": .string(fidelity.rawValue),
            "live": live?.json,
            "stub": isStub ? true : nil,
            "answers": operation.map { .array($0.answers.map { .string($0.name) }) },
        ])
    }
}
