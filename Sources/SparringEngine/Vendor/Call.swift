public import GRDB
public import HTTPTypes
public import SparringContract
public import SparringJSON
public import SparringJournal

/// A request that has found its operation and its tenant, as a behaviour sees it.
public struct Call: Sendable {
    public let operation: ContractOperation
    public let request: RequestParts
    /// The parsed body: JSON, or a form's fields as strings.
    public let body: JSON?
    public let sandbox: Sandbox
    public let tenant: Tenant
    public let lane: String
    /// Its position in its lane, counted from 1.
    public let ordinal: Int
    /// The base URL by which the client reached this server, such as `https://localhost:8443`.
    public let base: String
    public let addresses: Addresses
    /// The socket that the message came in on, or that the call opens.
    public let socket: Socket?
    let outboundClient: OutboundClient
    let store: Store
    let work: SandboxClock.Work
    /// The sandbox's time when the call was taken up.
    public internal(set) var now: Timestamp
    /// The journal entry this call will be; known once it is being decided.
    public internal(set) var entry = 0
    /// What the faults that strike this call make the vendor do amiss.
    var vendorEffects: [Fault.VendorEffect] = []
    let calls = CallLog()
    /// Whom it proves to be behind a name, for the journal.
    let people = CallLog()
    /// What is sent to sockets beyond the call's own answer.
    public let outbox = Outbox()

    public func path(_ name: String) -> String { request.pathParameters[name] ?? "" }
    /// The first value of a query parameter.
    public func query(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
    /// A member of the body that is a string.
    public func field(_ name: String) -> String? { body?[name]?.string }
    public func header(_ name: HTTPField.Name) -> String? { request.headers[name] }

    /// A draw that depends only on the seed, the lane, the call's position in it and the purpose.
    public func draw(_ purpose: String) -> Draw { Draw(seed: sandbox.seed, lane, String(ordinal), purpose) }

    /// The parameters of an effect of the vendor's own (`x-effects`) that strikes this call; nil where it does not.
    public func effect(_ word: String) -> [String: String]? { vendorEffects.first { $0.word == word }?.parameters }

    public func settings<V: Vendor>(of vendor: V) -> V.Settings { tenant.settings(of: V.self) }

    /// Reads what has been committed; for the preparing half.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await store.read(body)
    }

    /// Calls a server as the emulated vendor does: Sparring's own URLs go straight into the pipeline, others over the network.
    public func send(_ request: OutboundRequest) async -> OutboundResult {
        await outboundClient.send(
            request,
            for: Caller(sandbox: sandbox, origin: origin, base: base, addresses: addresses, calls: calls, work: work))
    }

    /// What this call brings about is journalled as caused by it.
    public var origin: JournalEntry.Origin { JournalEntry.Origin(operation: operation.qualifiedName, lane: lane, ordinal: ordinal) }
}
