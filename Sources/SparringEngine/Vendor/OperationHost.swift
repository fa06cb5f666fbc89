import HTTPTypes
public import SparringContract
public import SparringHTTP
public import SparringJournal

/// Answers operations that belong to no tenant, such as the admin API's (`ContractOperation.isAdmin`).
public protocol OperationHost: Sendable {
    /// As in the contract's file name: `<name>.openapi.yaml`.
    var name: String { get }
    var contract: Contract { get }

    func decide(_ call: HostedCall) async -> HostedAnswer

    /// What `GET /` shows where no vendor has a call there.
    func page(_ head: RequestHead, _ addresses: Addresses) -> Response

    /// The server stops: answers that go on for as long as their reader stays end now.
    func end()
}

/// A call of an operation that belongs to no tenant.
public struct HostedCall: Sendable {
    public let head: RequestHead
    public let operation: ContractOperation
    public let request: RequestParts
    public let addresses: Addresses
    /// Has something called once when the caller leaves before its answer.
    public let onHangUp: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Takes a request through the pipeline as if it had come over the network, brought about by a call, and returns what becomes of it.
    public let resend: @Sendable (Request, JournalEntry.Origin) async -> Delivery
}

/// What came of it.
public struct HostedAnswer: Sendable {
    /// What was really done: the operation that was called, or the one that this named.
    public var operation: ContractOperation
    public var request: RequestParts
    public var answer: Answer

    public init(_ answer: Answer, of operation: ContractOperation, _ request: RequestParts) {
        self.operation = operation
        self.request = request
        self.answer = answer
    }
}
