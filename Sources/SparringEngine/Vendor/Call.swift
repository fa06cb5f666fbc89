public import GRDB
public import HTTPTypes
public import SparringContract
public import SparringJSON
public import SparringSandbox

/// A request that has found its operation and its tenant, as a handler sees it.
public struct Call: Occurrence, Sendable {
    public internal(set) var occasion: Occasion
    private let parts: CallParts
    /// The journal entry this call will be; known once it is being decided.
    public internal(set) var entry = 0
    /// The ways in which the faults that strike this call make the vendor misbehave.
    var vendorEffects: [Fault.VendorEffect] = []

    init(_ occasion: Occasion, _ parts: CallParts) {
        self.occasion = occasion
        self.parts = parts
    }

    public var operation: ContractOperation { parts.operation }
    /// The request, as its body, by the names that the contract has without overlays.
    public var request: RequestParts { parts.request }
    /// The parsed body: JSON, or a form's fields as strings.
    public var body: JSON? { parts.body }
    /// The base URL by which the client reached this server, such as `https://localhost:8443`.
    public var base: String { parts.base.url }
    public var addresses: Addresses { parts.base.addresses }
    /// ``Addresses/serviceHost(of:)`` of ``base``.
    public var serviceHost: String { parts.base.serviceHost }
    /// The socket that the message came in on, or that the call opens.
    public var socket: Socket? { parts.socket }
    var work: SandboxClock.Work { parts.work }
    var notes: CallParts { parts }

    public func path(_ name: String) -> String { parts.request.pathParameters[name] ?? "" }
    /// The first value of a query parameter.
    public func query(_ name: String) -> String? { parts.request.query.first { $0.name == name }?.value }
    /// A member of the body that is a string.
    public func field(_ name: String) -> String? { body?[name]?.string }
    public func header(_ name: HTTPField.Name) -> String? { parts.request.headers.value(of: name) }

    /// The parameters of an effect of the vendor's own (`x-effects`) that strikes this call; nil where it does not.
    public func effect(_ word: String) -> [String: String]? { vendorEffects.first { $0.word == word }?.parameters }

    /// Reads what has been committed; for the preparing half.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await sandbox.store.read(body)
    }

    /// Calls a server as the emulated vendor does: Sparring's own URLs go straight into the pipeline, others over the network.
    public func send(_ request: OutboundRequest) async -> OutboundResult {
        await parts.outbound.send(
            request, for: Caller(sandbox: sandbox, origin: origin, base: base, addresses: addresses, calls: parts, work: work))
    }
}
