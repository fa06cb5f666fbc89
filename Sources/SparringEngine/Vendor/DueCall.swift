public import GRDB
public import SparringContract
import SparringJournal
public import SparringSandbox

/// Due work that is being done, as a handler sees it.
public struct DueCall: Occurrence, Sendable {
    public let occasion: Occasion
    public let item: DueItem
    /// The vendor's own.
    public let contract: Contract
    public let addresses: Addresses
    /// The journal entry this will be; known once it is being decided.
    public internal(set) var entry = 0
    let calls = CallLog()
    private let task: DueTask

    init(_ task: DueTask, _ tenant: Tenant, _ contract: Contract) {
        let origin = JournalEntry.Origin(operation: task.item.name, lane: task.lane, ordinal: task.ordinal)
        occasion = Occasion(task.sandbox, tenant, now: task.sandbox.clock.now, origin: origin)
        item = task.item
        self.contract = contract
        self.task = task
        addresses = task.addresses
    }

    /// `vendor.kind`, the name in the journal.
    public var name: String { item.name }

    /// Reads what has been committed; for the preparing half.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await sandbox.store.read(body)
    }

    /// Calls a server as the emulated vendor does. Where `operation` names one of the vendor's own that declares such calls, its faults
    /// strike, wherever the call goes: a stranger may not be asked at all then.
    ///
    /// - Parameters:
    ///   - operation: the vendor's own that declares such calls; nil: none does.
    ///   - request: what is sent.
    ///   - change: what the vendor makes of the request when an effect of its own (`x-effects`) strikes it, by its word and
    ///     parameters: no request, one or several.
    public func send(
        _ request: OutboundRequest, as operation: String? = nil,
        change: @Sendable (_ request: OutboundRequest, _ effect: String, _ parameters: [String: String]) -> [OutboundRequest] = {
            one, _, _ in
            [one]
        }
    ) async -> OutboundResult {
        let caller = Caller(sandbox: sandbox, origin: origin, base: addresses.baseURL, addresses: addresses, calls: calls, work: task.work)
        guard let declared = operation.flatMap({ contract.operation($0) }) else {
            return await task.outbound.send(request, for: caller)
        }
        return await task.outbound.send(request, as: declared, account: tenant.id, for: caller, change: change)
    }
}
