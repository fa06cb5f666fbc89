import HTTPTypes
package import SparringContract
package import SparringHTTP
package import SparringJournal

/// Answers operations that belong to no tenant, such as the admin API's (`ContractOperation.isAdmin`).
package protocol OperationHost: Sendable {
    /// The name in the contract's file name: `<name>.openapi.yaml`.
    var name: String { get }
    var contract: Contract { get }

    func decide(_ call: HostedCall) async -> HostedAnswer

    /// The page that `GET /` shows where no vendor has a call there.
    func page(_ head: RequestHead, _ addresses: Addresses) -> Response

    /// The server stops: answers that go on for as long as their reader stays end now.
    func end()
}

/// A call of an operation that belongs to no tenant.
package struct HostedCall: Sendable {
    package let head: RequestHead
    package let operation: ContractOperation
    package let request: RequestParts
    package let addresses: Addresses
    /// Registers an action that is called once if the caller leaves before its answer.
    package let onHangUp: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Takes a request through the pipeline as if it had come over the network, brought about by a call, and returns what becomes of it.
    package let resend: @Sendable (Request, JournalEntry.Origin) async -> Delivery
}

/// The result of a hosted call.
package struct HostedAnswer: Sendable {
    /// The operation that was really performed: the one that was called, or the one that this named.
    package var operation: ContractOperation
    package var request: RequestParts
    package var answer: Answer

    package init(_ answer: Answer, of operation: ContractOperation, _ request: RequestParts) {
        self.operation = operation
        self.request = request
        self.answer = answer
    }
}
