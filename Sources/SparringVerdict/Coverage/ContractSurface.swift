import SparringContract

/// The parts of the contracts that a client may meet.
package struct ContractSurface: Sendable {
    struct Operation: Sendable {
        let name: String
        let vendor: String
        let answers: [(name: String, isHappy: Bool)]
        /// Members of its body that need not be sent.
        let optionalMembers: [String]
        let isStub: Bool
    }

    let operations: [Operation]
    /// The messages that are sent to clients unasked, each with its vendor.
    let notifications: [(name: String, vendor: String)]

    init(_ contracts: [Contract]) {
        operations = contracts.flatMap(\.operations).map { operation in
            let members = (operation.requestBody?.mediaTypes ?? []).compactMap(\.schema).flatMap(\.optionalMembers)
            return Operation(
                name: operation.qualifiedName, vendor: operation.vendor,
                answers: operation.answers.map { ($0.name, $0.outcome == .ok) },
                optionalMembers: members.reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
                isStub: operation.stub != nil)
        }
        notifications = contracts.flatMap { contract in contract.channels.flatMap(\.sent).map { ($0.qualifiedName, contract.vendor) } }
    }
}
