import SparringContract
public import SparringJournal

/// The place, time and cause of something that happens in a vendor's world, and the messages that it sends to sockets: at a client's call,
/// due work, an operation of the admin API, or a socket's timer or end.
public struct Occasion: Sendable {
    /// The outbox for sockets, sent after the commit. It also holds what stays the same from one step of an occasion to the next.
    public let outbox: Outbox
    public var sandbox: Sandbox { outbox.sandbox }
    public var tenant: Tenant { outbox.tenant }
    /// The sandbox's time.
    public package(set) var now: Timestamp
    /// The cause that the journal names for what is brought about.
    public var origin: JournalEntry.Origin { outbox.origin }
    /// Distinguishes this occasion's draws from all others of its lane.
    private var mark: String { outbox.mark ?? String(outbox.origin.ordinal) }

    /// - Parameter mark: the position in the lane where nothing else is given.
    package init(_ sandbox: Sandbox, _ tenant: Tenant, now: Timestamp, origin: JournalEntry.Origin, mark: String? = nil) {
        outbox = Outbox(sandbox, tenant, origin, mark: mark)
        self.now = now
    }

    /// An operation of the admin API, as the next call of a lane, or of the operation's own if the sandbox does not keep that lane apart.
    package init(_ operation: String, of lane: String, _ sandbox: Sandbox, _ tenant: Tenant) {
        let lane = sandbox.lane(lane, else: operation)
        let origin = JournalEntry.Origin(operation: operation, lane: lane, ordinal: sandbox.nextOrdinal(of: lane))
        self.init(sandbox, tenant, now: sandbox.clock.now, origin: origin)
    }

    /// - Parameter what: such as `end`.
    package init(_ what: String, of socket: Socket) {
        let origin = JournalEntry.Origin(operation: socket.opener.qualifiedName, lane: socket.lane, ordinal: socket.number)
        self.init(
            socket.sandbox, socket.tenant, now: socket.sandbox.clock.now, origin: origin, mark: "\(what) of socket \(socket.number)")
    }

    /// A draw that depends only on the seed, the lane, the position in it and the purpose.
    public func draw(_ purpose: String) -> Draw { Draw(seed: sandbox.idSeed, origin.lane, mark, purpose) }

    /// The same for a credential: ``Draw/init(secretOf:seed:_:)``.
    public func secret(_ purpose: String) -> Draw { Draw(secretOf: sandbox.id, seed: sandbox.idSeed, origin.lane, mark, purpose) }
}
