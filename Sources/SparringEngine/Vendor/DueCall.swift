public import GRDB
public import SparringContract
import SparringJournal

/// Due work that is being done, as a handler sees it.
public struct DueCall: Occurrence, Sendable {
    public let occasion: Occasion
    public let item: DueItem
    /// The vendor's own.
    public let contract: Contract
    public let addresses: Addresses
    /// The journal entry this will be; known once it is being decided.
    public internal(set) var entry = 0
    let work: SandboxClock.Work
    let runner: DueRunner
    let calls = CallLog()

    init(_ item: DueItem, _ sandbox: Sandbox, _ tenant: Tenant, _ contract: Contract, _ work: SandboxClock.Work, _ runner: DueRunner) {
        let origin = JournalEntry.Origin(operation: item.name, lane: item.lane, ordinal: sandbox.nextOrdinal(of: item.lane))
        occasion = Occasion(sandbox, tenant, now: sandbox.clock.now, origin: origin)
        self.item = item
        self.contract = contract
        self.work = work
        self.runner = runner
        addresses = runner.addresses
    }

    /// `vendor.kind`, as the journal has it.
    public var name: String { item.name }

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
