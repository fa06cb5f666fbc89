public import GRDB
package import SparringContract
package import SparringJSON
package import SparringJournal
import SparringLocks
import SparringVariation

/// A whole world: tenants, state, faults, seed, clock and journal that no other sandbox sees.
public final class Sandbox: Sendable {
    public let id: String
    public let seed: Int64
    /// The seed that ids are drawn from. At a node, it differs from that of every other node.
    public let idSeed: Int64
    /// The server that it was made at; nil: the only one.
    public let node: Node?
    /// In the order of creation.
    let position: Int64
    /// When it was created, or reset last, in nanoseconds since 1970-01-01T00:00:00Z of the machine's time: it tells one journal from the next.
    package let made: Int64
    public let clock: SandboxClock
    package let faults: FaultTable
    package let journal: Journal
    package let store: Store
    /// The changes that transactions make in memory.
    var effects: CommitEffects { store.effects }
    /// How many processes have served the database, this one included.
    package let process: Int
    /// The pasts that were looked at last, shared by all sandboxes.
    package let pasts: Pasts
    package var aliases: Aliases { Aliases(sandbox: id) }
    /// The devices of all vendors, and what they got.
    public var devices: DeviceInbox { DeviceInbox(of: id) }
    /// The files of messages.
    public var files: StoredFiles { StoredFiles(of: id) }
    package let sockets = SocketTable()
    /// In the order of opening.
    package var openSockets: [Socket] { sockets.all }
    /// Those of a tenant, in the order of opening.
    public func openSockets(of tenant: Tenant) -> [Socket] { sockets.all.filter { $0.tenant === tenant && !$0.isGoing } }
    package let dueWork: DueWork
    /// Clock, faults and scenario as at creation, for a reset.
    package let creation: JSON
    /// Nil: it lives until it is deleted.
    package let lifetime: Lifetime?
    /// When it was used last, in nanoseconds of the machine's time. A restart counts as a use.
    private let lastUse: Atomic<Int>
    /// Nil: everything is sent as it was decided.
    package let variation: SandboxVariation?
    /// The name of the test that it was made for.
    public var label: String? { creation["label"]?.string }
    /// The name of the scenario that it was made of.
    public var scenario: String? { creation["scenario"]?["scenario"]?.string }
    /// The TLS port that its clients are to come by, by its defect.
    package var tlsDefect: String? { creation["scenario"]?["tls"]?.string }

    private struct State {
        var tenants: [String: Tenant] = [:]
        var ordinals: [String: Int] = [:]
        /// The lane of each credential that was issued here, by its digest, the latest last.
        var owners: OrderedDictionary<String, String> = [:]
        var hasEnded = false
        var memory: [String: any Sendable] = [:]
    }
    private let state = Mutex(State(), .second)

    /// The parts that all sandboxes of a world share.
    struct Surroundings: Sendable {
        var store: Store
        var process: Int
        var journal: JournalLimits
        var early: EarlyFaults
        let pasts = Pasts()
    }

    /// - Parameter made: nil: now.
    init(
        id: String, seed: Int64, position: Int64, made: Int64? = nil, clock: SandboxClock, creation: JSON, _ surroundings: Surroundings
    ) {
        self.id = id
        self.seed = seed
        // It was read when the server was started.
        node = creation["node"]?.string.flatMap { try? Node($0) }
        idSeed = node?.salted(seed) ?? seed
        self.position = position
        self.made = made ?? Arrival.now.wall
        lifetime = Lifetime(creation["lifetime"])
        lastUse = Atomic(Int(Arrival.now.wall))
        self.clock = clock
        self.creation = creation
        (store, process, pasts) = (surroundings.store, surroundings.process, surroundings.pasts)
        // It was read when the sandbox was made.
        variation = creation["vary"].flatMap { try? VariationPlan($0) }.map {
            SandboxVariation($0, sandbox: id, effects: surroundings.store.effects)
        }
        faults = FaultTable(seed: seed, early: surroundings.early, effects: store.effects)
        dueWork = DueWork(sandbox: id, clock: clock, effects: store.effects)
        journal = Journal(
            sandbox: id, position: position, limits: surroundings.journal, effects: store.effects, statements: store.statements,
            history: store.history, unrecorded: store.unrecorded)
    }

    /// The tenants, by vendor.
    package var tenants: [String: Tenant] { state.withLock { $0.tenants } }
    /// The operations that it answers beside the contracts.
    package var stubs: [ContractOperation] { tenants.values.flatMap(\.stubs.operations) }
    package func tenant(of vendor: String) -> Tenant? { state.withLock { $0.tenants[vendor] } }
    func add(_ tenant: Tenant) { state.withLock { $0.tenants[tenant.vendor] = tenant } }

    /// Somebody uses it.
    package func isUsed() { if lifetime?.isRenewed == true { lastUse.store(Int(Arrival.now.wall), ordering: .relaxed) } }

    /// When it ends unless it is used before, by the machine's time; nil: never.
    package var ends: Timestamp? {
        lifetime.map { lifetime in
            let begin = lifetime.isRenewed ? Int64(lastUse.load(ordering: .relaxed)) : made
            return Timestamp(milliseconds: begin / 1_000_000) + lifetime.length
        }
    }

    /// Lanes that a sandbox keeps apart, and credentials whose owner it knows.
    static let laneLimit = 100_000
    static let credentialLimit = 100_000
    /// Bytes of a lane's name.
    package static let laneNameLimit = 255

    /// Whether calls under this name are kept apart from others. Their count must never restart, so any other name can only be refused.
    package func keepsApart(lane: String) -> Bool {
        lane.utf8.count <= Self.laneNameLimit
            && state.withLock { $0.ordinals[lane] != nil || $0.ordinals.count < Self.laneLimit }
    }

    /// The lane of calls under a name, which is kept in one form of Unicode.
    ///
    /// - Parameter fallback: the lane if the sandbox does not keep the name apart, such as the operation's name.
    package func lane(_ name: String, else fallback: String) -> String {
        let name = name.laneName
        return keepsApart(lane: name) ? name : fallback
    }

    /// Counts a call of a lane.
    package func nextOrdinal(of lane: String) -> Int { state.withLock { $0.ordinals[lane, default: 0].increment() } }

    /// Counts a call back of which nothing was written, unless others of its lane have been counted since.
    package func takeBack(_ ordinal: Int, of lane: String) {
        state.withLock { state in
            guard state.ordinals[lane] == ordinal else { return }
            state.ordinals[lane] = ordinal > 1 ? ordinal - 1 : nil
        }
    }

    public func owner(of credential: String) -> String? { state.withLock { $0.owners[Self.digest(credential)] } }

    /// The digest that a credential is known by: tokens are long.
    private static func digest(_ credential: String) -> String { Draw(seed: 0, "credential", credential).bytes.prefix(16).hex }

    /// Something a vendor keeps in memory for as long as the sandbox lives, such as another server's keys; a restart or reset forgets it.
    public func recall<Value: Sendable>(_ key: String) -> Value? { state.withLock { $0.memory[key] as? Value } }
    public func remember(_ key: String, _ value: some Sendable) { state.withLock { $0.memory[key] = value } }

    /// Remembers whose a credential is that is being issued, so that the call that brings it is put in its owner's lane. The oldest are forgotten where
    /// there are too many.
    public func issued(_ credential: String, to lane: String, _ db: Database) throws {
        let value = Self.digest(credential)
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO credential (sandbox, value, lane) VALUES (?, ?, ?)")
            .execute(arguments: [id, value, lane])
        let oldest = state.withLock {
            $0.owners.count < Self.credentialLimit ? [] : Array($0.owners.keys.prefix(Self.credentialLimit / 10))
        }
        for value in oldest {
            try db.cachedStatement(sql: "DELETE FROM credential WHERE sandbox = ? AND value = ?").execute(arguments: [id, value])
        }
        effects.afterCommit { [self] in
            state.withLock { state in
                if let first = oldest.first, state.owners.keys.first == first { state.owners.removeFirst(oldest.count) }
                state.owners[value] = lane
            }
        }
    }

    /// The sandbox is no more, or another of its name has taken its place: nobody waits for it any longer, and every socket is closed: 1012,
    /// service restart (IANA WebSocket close codes).
    func end(_ cause: Cause) {
        for socket in sockets.all {
            socket.release()
            socket.close(1012, "", cause: cause)
        }
        clock.release()
        journal.waits.end()
        state.withLock { $0.hasEnded = true }
        pasts.forget(self)
    }

    /// Nobody's poll is held any longer.
    package func endPolls(_ cause: Cause) {
        for socket in sockets.all where socket.isPolled { socket.close(1001, "", cause: cause) }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Leaves what ``restore(_:reader:extent:)`` takes up and would have to count.
    func leave(_ db: Database) throws { try journal.leave(state.withLock(\.ordinals), db) }

    /// Takes up what an earlier process left, or what was copied.
    ///
    /// - Parameter extent: of its journal, where that has been read before.
    func restore(_ db: Database, reader: FaultReader, extent: Journal.Extent? = nil) throws {
        let owners = try Row.fetchAll(db, sql: "SELECT value, lane FROM credential WHERE sandbox = ?", arguments: [id])
        let earlier = try Row.fetchAll(db, sql: "SELECT name, ordinal FROM lane WHERE sandbox = ?", arguments: [id])
        let extent = try extent ?? journal.extent(db)
        journal.count(extent.bytes)
        state.withLock { state in
            for row in owners { state.owners[row[0]] = row[1] }
            for row in earlier { state.ordinals[row[0]] = row[1] }
            state.ordinals.merge(extent.ordinals, uniquingKeysWith: max)
        }
        // Changes are recorded from the first on, which may come before the first entry.
        _ = try journal.next(db)
        try faults.restore(db, sandbox: id, reader: reader.adding(stubs))
        try dueWork.restore(db)
        try variation?.restore(db)
    }
}

extension Int {
    fileprivate mutating func increment() -> Int {
        self = addingClamped(1)  // an edited database may have any
        return self
    }
}
