public import GRDB
public import SparringContract
public import SparringJournal

/// Due work that is being done, as a behaviour sees it.
public struct DueCall: Sendable {
    public let item: DueItem
    public let sandbox: Sandbox
    public let tenant: Tenant
    /// The vendor's own.
    public let contract: Contract
    /// Its position in its lane, counted from 1.
    public let ordinal: Int
    public let addresses: Addresses
    /// The sandbox's time when it was taken up.
    public let now: Timestamp
    /// The journal entry this will be; known once it is being decided.
    public internal(set) var entry = 0
    let work: SandboxClock.Work
    let runner: DueRunner
    let calls = CallLog()
    /// What is sent to sockets.
    public let outbox = Outbox()

    init(_ item: DueItem, _ sandbox: Sandbox, _ tenant: Tenant, _ contract: Contract, _ work: SandboxClock.Work, _ runner: DueRunner) {
        self.item = item
        self.sandbox = sandbox
        self.tenant = tenant
        self.contract = contract
        self.work = work
        self.runner = runner
        ordinal = sandbox.nextOrdinal(of: item.lane)
        addresses = runner.addresses
        now = sandbox.clock.now
    }

    /// `vendor.kind`, as the journal has it.
    public var name: String { item.name }
    public var origin: JournalEntry.Origin { JournalEntry.Origin(operation: name, lane: item.lane, ordinal: ordinal) }

    /// A draw that depends only on the seed, the lane, the item's position in it and the purpose.
    public func draw(_ purpose: String) -> Draw { Draw(seed: sandbox.seed, item.lane, String(ordinal), purpose) }

    public func settings<V: Vendor>(of vendor: V) -> V.Settings { tenant.settings(of: V.self) }

    /// Reads what has been committed; for the preparing half.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await runner.store.read(body)
    }

    /// Calls a server as the emulated vendor does. Where `operation` names one of the vendor's own that declares such calls, its faults
    /// strike, wherever the call goes: a stranger may not be asked at all then.
    ///
    /// - Parameter change: what the vendor makes of the request when an effect of its own (`x-effects`) strikes it, by its word and
    ///   parameters: no request, one or several.
    public func send(
        _ request: OutboundRequest, as operation: String? = nil,
        change: @Sendable (_ request: OutboundRequest, _ effect: String, _ parameters: [String: String]) -> [OutboundRequest] = {
            one, _, _ in
            [one]
        }
    ) async -> OutboundResult {
        let caller = Caller(sandbox: sandbox, origin: origin, base: addresses.baseURL, addresses: addresses, calls: calls, work: work)
        guard let declared = operation.flatMap({ contract.operation($0) }) else {
            return await runner.outboundClient.send(request, for: caller)
        }
        return await runner.send(request, as: declared, account: tenant.id, for: caller, change: change)
    }
}
