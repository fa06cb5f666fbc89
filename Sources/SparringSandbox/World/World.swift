import GRDB
import SparringContract
public import SparringJSON
import SparringJournal
import SparringLocks
import SparringLoop
import SparringVariation

/// All sandboxes of the process, and which tenant id leads to which. What is changed here is committed before it is seen.
public final class World: Sendable {
    private struct TenantKey: Hashable {
        var vendor: String
        var id: String
    }

    private struct State {
        var sandboxes: [String: Sandbox] = [:]
        var order: [String] = []
        var tenants: [TenantKey: Tenant] = [:]
        /// Those that have stubs of their own.
        var stubbing: [Tenant] = []
        var lastPosition: Int64 = 0
        /// Tenants of scenarios that have been tried and found sound, as JSON.
        var soundTenants: Set<String> = []
        /// Runs due work; nil before the start and after the end.
        var runner: (any DueRunner)?

        mutating func note(_ tenant: Tenant) {
            for name in tenant.names { tenants[TenantKey(vendor: tenant.vendor, id: name)] = tenant }
            if !tenant.stubs.operations.isEmpty { stubbing.append(tenant) }
        }

        mutating func forget(_ tenant: Tenant) {
            for name in tenant.names { tenants[TenantKey(vendor: tenant.vendor, id: name)] = nil }
            stubbing.removeAll { $0 === tenant }
        }
    }

    let parties: [any Party]
    package let store: Store
    let faultReader: FaultReader
    /// How many processes have served this database, this one included.
    package var process: Int { surroundings.process }
    let surroundings: Sandbox.Surroundings
    /// Nil: this server is the only one.
    public let node: Node?
    /// The early faults of all sandboxes.
    package var earlyFaults: EarlyFaults { surroundings.early }
    private let state = Mutex(State(), .first)
    /// Outside the lock, because every call reads it.
    private let hasStubs = Atomic(false)
    private let isSpeltOtherwise = Atomic(false)
    /// The variation of sandboxes that are made from now on and say nothing of it.
    let standardVary = Mutex<JSON?>(nil)
    /// Sandboxes that have ended by themselves, the latest last.
    let endedOnes = Mutex<OrderedDictionary<String, EndedSandbox>>([:])
    /// Until the next sandbox ends by itself.
    let nextEnding = Mutex<(timer: Loop.Timer, time: Timestamp)?>(nil)
    let willEnd = Mutex<(@Sendable (Sandbox) async -> Void)?>(nil)
    let hasEnded = Mutex<(@Sendable () -> Void)?>(nil)
    /// One change of the set of sandboxes at a time.
    let changes = AsyncLock()

    /// - Parameter notice: called with what the operator must know of the sandboxes that an earlier process left.
    /// - Throws: ``ToolError`` and ``StoreError`` with the database's name.
    package init(
        parties: [any Party], store: Store, faultReader: FaultReader, journal: JournalLimits, node: Node? = nil,
        notice: (String) -> Void = { _ in }
    ) throws {
        self.parties = parties
        self.store = store
        self.faultReader = faultReader
        self.node = node
        do {
            try store.recordHistory()
            let process = try store.pool.write { db in
                try Journal.dropUnfinished(db)
                try db.execute(sql: "INSERT INTO process (started) VALUES (?)", arguments: [Arrival.now.wall])
                return Int(db.lastInsertedRowID)
            }
            surroundings = Sandbox.Surroundings(store: store, process: process, journal: journal, early: EarlyFaults())
            for words in try restore() { notice(words) }
            store.beforeClose { [weak self] db in try self?.leave(db) }
        } catch {
            throw StoreFile.named(error, store.path)
        }
    }

    /// This process stops in order: what it has recorded has been sent. Where that cannot be written, the next one takes it for killed.
    private func leave(_ db: Database) throws {
        try db.inTransaction {
            for sandbox in sandboxes { try sandbox.leave(db) }
            try db.execute(sql: "UPDATE process SET stopped = ? WHERE number = ?", arguments: [Arrival.now.wall, process])
            return .commit
        }
    }

    // MARK: Looking up

    public func sandbox(_ id: String) -> Sandbox? { state.withLock { $0.sandboxes[id] } }
    /// Whether a scenario's tenants, as JSON, have been tried and found sound.
    func isKnownSound(tenants: String) -> Bool { state.withLock { $0.soundTenants.contains(tenants) } }
    func noteSound(tenants: String) { state.withLock { if $0.soundTenants.count < 100 { $0.soundTenants.insert(tenants) } } }
    /// In the order of their creation.
    public var sandboxes: [Sandbox] { state.withLock { state in state.order.compactMap { state.sandboxes[$0] } } }
    /// How many sandboxes there are.
    public var count: Int { state.withLock(\.order.count) }
    package func tenant(_ vendor: String, _ id: String) -> Tenant? { state.withLock { $0.tenants[TenantKey(vendor: vendor, id: id)] } }
    /// Those that answer calls beside their contracts; nearly always none.
    package var stubbingTenants: [Tenant] { hasStubs.load(ordering: .acquiring) ? state.withLock { $0.stubbing } : [] }
    /// Some clients may send ids back that they were sent in another spelling.
    package var takesBack: Bool { isSpeltOtherwise.load(ordering: .acquiring) }
    package func tenantIds(of vendor: String) -> [String] {
        state.withLock { state in state.tenants.keys.filter { $0.vendor == vendor }.map(\.id).sorted() }
    }
    func party(_ name: String) -> (any Party)? { parties.first { $0.name == name } }

    // MARK: Changing

    /// Applies a variation to the sandboxes that are made from now on, unless they specify their own; nil: none.
    ///
    /// - Throws: ``ConfigurationError``.
    package func vary(_ plan: JSON?) throws(ConfigurationError) {
        if let plan { _ = try VariationPlan(plan) }
        standardVary.withLock { $0 = plan }
    }

    /// Creates a sandbox with a tenant of each vendor.
    ///
    /// - Parameter template: what the sandbox is where the request says nothing else.
    /// - Throws: ``ChangeError``; nothing has been changed then.
    public func create(_ request: SandboxRequest, from template: SandboxTemplate? = nil) async throws -> Sandbox {
        try await changes.run {
            let seed = request.seed ?? template?.request.seed ?? Int64(self.count + 1)
            let id = try self.freeName(request.name) { [self] in (node.map { "\($0.name)-" } ?? "") + "sandbox-\(seed &+ Int64($0))" }
            let made = try self.made(id, request, template, seed: seed) { [self] in
                Sandbox(
                    id: id, seed: seed, position: try nextPosition(), clock: SandboxClock($0, on: store.loop), creation: $1, surroundings)
            }
            try await self.store.write { db in
                try self.insert(made, from: template, db)
                try EndedSandbox.forget(id, db)
                self.store.effects.afterCommit { self.add(made.sandbox) }
            }
            return made.sandbox
        }
    }

    /// - Parameter reason: why it ends by itself, which is remembered; nil: somebody deletes it.
    /// - Returns: false where there is none of that name.
    public func delete(_ id: String, because reason: String? = nil) async throws -> Bool {
        try await sandbox(id)?.shed()
        return try await changes.run {
            guard let sandbox = self.sandbox(id) else { return false }
            let ended = reason.map { EndedSandbox(of: sandbox, $0) }
            try await self.store.write { db in
                try self.remove(sandbox, db)
                try ended?.save(db)
                self.store.effects.afterCommit {
                    self.forget(sandbox)
                    if let ended { self.remember(ended) }
                    sandbox.end(reason.map { "the sandbox ended: \($0)" } ?? "the sandbox was deleted")
                }
            }
            self.store.reclaim()
            self.hasEnded.withLock(\.self)?()
            return true
        }
    }

    /// Takes a sandbox back to its creation: id, seed, tenants and their configuration stay, everything else starts over.
    ///
    /// - Parameter template: reads what the sandbox was made of, from ``SandboxTemplate/json``.
    /// - Returns: nil where there is none of that name.
    public func reset(_ id: String, template: @Sendable (JSON) throws -> SandboxTemplate) async throws -> Sandbox? {
        try await sandbox(id)?.shed()
        return try await changes.run { () -> Sandbox? in
            guard let old = self.sandbox(id) else { return nil }
            let setting = try Self.clockSetting(old.creation["clock"])
            let reader = self.faultReader.adding(old.stubs)
            let faults = try (old.creation["faults"]?.array ?? []).map { try reader.read($0) }
            let template = try old.creation["scenario"].map(template)
            let fresh = Sandbox(
                id: id, seed: old.seed, position: old.position, clock: SandboxClock(setting, on: self.store.loop), creation: old.creation,
                self.surroundings)
            for tenant in old.tenants.values { fresh.add(tenant) }
            return try await self.replace(old, by: Made(sandbox: fresh, faults: faults), from: template, cause: "the sandbox was reset")
        }
    }

    /// Runs due work from now on, including what an earlier process left; nil ends it.
    package func runDueWork(by runner: (any DueRunner)?) {
        state.withLock { state in
            state.runner = runner
            for sandbox in state.sandboxes.values { sandbox.dueWork.start(runner) }
        }
    }

    // MARK: Inside

    /// The name that is wanted, else the first free one of a series.
    func freeName(_ wanted: String?, else name: (_ number: Int) -> String) throws(ChangeError) -> String {
        if let wanted {
            guard sandbox(wanted) == nil else { throw .exists(wanted) }
            return wanted
        }
        var number = 0
        while sandbox(name(number)) != nil { number += 1 }
        return name(number)
    }

    func nextPosition() throws -> Int64 {
        let next = state.withLock { state in
            state.lastPosition += 1
            return state.lastPosition
        }
        guard Journal.positions.contains(next) else {
            throw ToolError(
                "\(store.path): \(next - 1) sandboxes have been made in this database, and no more can be: begin a new one", .content)
        }
        return next
    }

    private func forget(_ sandbox: Sandbox) {
        state.withLock { state in
            state.sandboxes[sandbox.id] = nil
            state.order.removeAll { $0 == sandbox.id }
            for tenant in sandbox.tenants.values { state.forget(tenant) }
        }
    }

    /// Puts a sandbox in the place of another of its name.
    func replace(_ old: Sandbox, by made: Made, from template: SandboxTemplate?, cause: Cause) async throws -> Sandbox {
        try await store.write { [self] db in
            try remove(old, db)
            try insert(made, from: template, db)
            store.effects.afterCommit { [self] in
                replace(old, by: made.sandbox)
                old.end(cause)
            }
        }
        return made.sandbox
    }

    private func replace(_ old: Sandbox, by fresh: Sandbox) {
        follow(fresh)
        state.withLock { state in
            for tenant in old.tenants.values { state.forget(tenant) }
            state.sandboxes[fresh.id] = fresh
            fresh.dueWork.start(state.runner)
            for tenant in fresh.tenants.values { note(tenant, in: &state) }
        }
    }

    /// - Parameter lastRecorded: the place of what an earlier process recorded of it last.
    func add(_ sandbox: Sandbox, lastRecorded: Int64? = nil) {
        follow(sandbox, lastRecorded: lastRecorded)
        state.withLock { state in
            state.sandboxes[sandbox.id] = sandbox
            state.order.append(sandbox.id)
            sandbox.dueWork.start(state.runner)
            state.lastPosition = max(state.lastPosition, sandbox.position)
            for tenant in sandbox.tenants.values { note(tenant, in: &state) }
        }
        endedOnes.withLock { $0[sandbox.id] = nil }
        if let ends = sandbox.ends { watchEndings(before: ends) }
    }

    /// Records what happens in a sandbox from now on; the store must not keep the sandbox itself, which has the store.
    private func follow(_ sandbox: Sandbox, lastRecorded: Int64? = nil) {
        if sandbox.variation?.variations.mayTakeBack == true { isSpeltOtherwise.store(true, ordering: .releasing) }
        let journal = sandbox.journal
        store.history.follow(sandbox.id, journal.places, last: lastRecorded) { journal.newestBeforeJob }
    }

    /// Gives a tenant another configuration, and the names that go with it.
    func change(_ tenant: Tenant, to changed: Tenant) {
        state.withLock { state in
            state.forget(tenant)
            tenant.change(changed.configuration, changed.settings, changed.stubs)
            note(tenant, in: &state)
        }
    }

    /// Notes a tenant. ``hasStubs`` is never cleared: once the stubs are gone, looking for them costs a little and finds nothing.
    private func note(_ tenant: Tenant, in state: inout State) {
        state.note(tenant)
        if !state.stubbing.isEmpty { hasStubs.store(true, ordering: .releasing) }
    }
}
