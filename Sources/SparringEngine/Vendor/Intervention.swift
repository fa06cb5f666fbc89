public import SparringJournal

/// What one of a vendor's admin operations has at hand where it makes something happen, such as an agent's message or a push.
public struct Intervention: Sendable {
    public let sandbox: Sandbox
    public let tenant: Tenant
    public let now: Timestamp
    /// As what is brought about is journalled to be caused by.
    public let origin: JournalEntry.Origin
    /// What is sent to sockets.
    public let outbox = Outbox()

    init(_ operation: String, of lane: String, _ sandbox: Sandbox, _ tenant: Tenant) {
        self.sandbox = sandbox
        self.tenant = tenant
        now = sandbox.clock.now
        origin = JournalEntry.Origin(operation: operation, lane: lane, ordinal: sandbox.nextOrdinal(of: lane))
    }

    /// A draw that depends only on the seed, the lane, the intervention's position in it and the purpose.
    public func draw(_ purpose: String) -> Draw { Draw(seed: sandbox.seed, origin.lane, String(origin.ordinal), purpose) }
}
