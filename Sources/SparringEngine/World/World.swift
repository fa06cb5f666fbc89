public import GRDB
import SparringHTTP
public import SparringJSON
import SparringJournal
import SparringLocks

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
        var lastPosition: Int64 = 0
        /// Tenants of scenarios that have been tried and found sound, as JSON.
        var soundTenants: Set<String> = []
        /// Runs due work; nil before the start and after the end.
        var runner: DueRunner?
    }

    let vendors: [VendorEntry]
    let store: Store
    let faultReader: FaultReader
    /// How many processes have served this database, this one included.
    let process: Int
    let surroundings: Sandbox.Surroundings
    /// Of all sandboxes.
    var earlyFaults: EarlyFaults { surroundings.early }
    private let state = Mutex(State(), .first)
    /// One change of the set of sandboxes at a time.
    private let changes = AsyncLock()

    /// - Throws: ``ToolError`` and ``StoreError`` with the database's name.
    init(vendors: [VendorEntry], store: Store, faultReader: FaultReader, journal: JournalLimits) throws {
        self.vendors = vendors
        self.store = store
        self.faultReader = faultReader
        surroundings = Sandbox.Surroundings(journal: journal, early: EarlyFaults(), effects: store.effects)
        do {
            process = try store.pool.write { db in
                try db.execute(sql: "INSERT INTO process (started) VALUES (?)", arguments: [Arrival.now.wall])
                return Int(db.lastInsertedRowID)
            }
            try restore()
        } catch {
            throw StoreFile.named(error, store.path)
        }
    }

    // MARK: Looking up

    public func sandbox(_ id: String) -> Sandbox? { state.withLock { $0.sandboxes[id] } }
    /// Whether a scenario's tenants, as JSON, have been tried and found sound.
    func isKnownSound(tenants: String) -> Bool { state.withLock { $0.soundTenants.contains(tenants) } }
    func noteSound(tenants: String) { state.withLock { if $0.soundTenants.count < 100 { $0.soundTenants.insert(tenants) } } }
    /// In the order of their creation.
    public var sandboxes: [Sandbox] { state.withLock { state in state.order.compactMap { state.sandboxes[$0] } } }
    func tenant(_ vendor: String, _ id: String) -> Tenant? { state.withLock { $0.tenants[TenantKey(vendor: vendor, id: id)] } }
    func tenantIds(of vendor: String) -> [String] {
        state.withLock { state in state.tenants.keys.filter { $0.vendor == vendor }.map(\.id).sorted() }
    }
    func vendor(_ name: String) -> VendorEntry? { vendors.first { $0.name == name } }

    // MARK: Changing

    /// Creates a sandbox with a tenant of each vendor.
    ///
    /// - Throws: ``ChangeError``; nothing has been changed then.
    public func create(_ request: SandboxRequest) async throws -> Sandbox {
        try await changes.run {
            let scenario = request.scenario
            let seed = request.seed ?? scenario?.sandbox.seed ?? Int64(self.sandboxes.count + 1)
            let id = try self.freeName(request.name, seed)
            let clock = request.clock ?? scenario?.sandbox.clock
            let setting: SandboxClock.Setting
            do throws(ConfigurationError) {
                setting = try SandboxClock.Setting(clock ?? [:], at: JSONPointer(tokens: ["clock"]))
            } catch {
                throw ChangeError.invalid(error)
            }
            let faults = try self.faults(scenario?.sandbox.faults ?? []) + self.faults(request.faults)
            let creation: JSON = .members([
                "clock": clock, "faults": .array(faults.map { .string($0.text) }), "scenario": scenario?.json,
            ])
            let sandbox = Sandbox(
                id: id, seed: seed, position: try self.nextPosition(), clock: SandboxClock(setting), creation: creation, self.surroundings)
            let tenants = JSON.object(scenario?.sandbox.tenants ?? [:]).merging(.object(request.tenants)).object ?? [:]
            for tenant in try self.configure(tenants, seed: seed, sandbox: id) { sandbox.add(tenant) }
            try await self.store.write { db in
                try self.insert(sandbox, db)
                for fault in faults { _ = try sandbox.arm(fault, db) }
                if let scenario { try self.begin(scenario, in: sandbox, db) }
                self.store.effects.afterCommit { self.add(sandbox) }
            }
            return sandbox
        }
    }

    /// - Returns: false where there is none of that name.
    public func delete(_ id: String) async throws -> Bool {
        try await changes.run {
            guard let sandbox = self.sandbox(id) else { return false }
            try await self.store.write { db in
                try self.remove(sandbox, db)
                self.store.effects.afterCommit {
                    self.forget(sandbox)
                    sandbox.end("the sandbox was deleted")
                }
            }
            return true
        }
    }

    /// Takes a sandbox back to its creation: id, seed, tenants and their configuration stay, everything else begins anew.
    public func reset(_ id: String) async throws -> Sandbox? {
        try await changes.run { () -> Sandbox? in
            guard let old = self.sandbox(id) else { return nil }
            var setting = SandboxClock.Setting()
            do throws(ConfigurationError) { setting = try SandboxClock.Setting(old.creation["clock"] ?? [:]) } catch {
                throw ChangeError.invalid(error)
            }
            let faults = try (old.creation["faults"]?.array ?? []).map { try self.faultReader.read($0) }
            let scenario = try old.creation["scenario"].map { try Scenario($0) }
            let fresh = Sandbox(
                id: id, seed: old.seed, position: old.position, clock: SandboxClock(setting), creation: old.creation, self.surroundings)
            for tenant in old.tenants.values { fresh.add(tenant) }
            try await self.store.write { db in
                try self.remove(old, db)
                try self.insert(fresh, db)
                for fault in faults { _ = try fresh.arm(fault, db) }
                if let scenario { try self.begin(scenario, in: fresh, db) }
                self.store.effects.afterCommit {
                    self.state.withLock { state in
                        state.sandboxes[id] = fresh
                        fresh.dueWork.start(state.runner)
                    }
                    old.end("the sandbox was reset")
                }
            }
            return fresh
        }
    }

    /// Merges a patch into a tenant's configuration (RFC 7396).
    ///
    /// - Parameter alongside: what is written with it.
    public func change(
        _ tenant: Tenant, in sandbox: Sandbox, merging patch: JSON, alongside: (@Sendable (Database) throws -> Void)? = nil
    ) async throws {
        try await replace(tenant, in: sandbox, cause: "\(tenant.vendor) was configured", alongside: alongside) { configuration in
            guard let vendor = self.vendor(tenant.vendor) else { return configuration }
            let merged = configuration.merging(patch)
            guard merged[vendor.vendor.tenantKey]?.string == tenant.id else {
                throw ChangeError.invalid(
                    ConfigurationError(JSONPointer(tokens: [vendor.vendor.tenantKey]), "a tenant's id cannot be changed"))
            }
            return merged
        }
    }

    /// Replaces a tenant's configuration and journals that it did.
    func replace(
        _ tenant: Tenant, in sandbox: Sandbox, cause: Cause, alongside: (@Sendable (Database) throws -> Void)? = nil,
        _ change: @escaping @Sendable (JSON) throws -> JSON
    ) async throws {
        try await changes.run {
            guard let vendor = self.vendor(tenant.vendor) else { return }
            let configuration = try change(tenant.configuration)
            let settings: any Sendable
            do throws(ConfigurationError) { settings = try vendor.settings(configuration) } catch { throw ChangeError.invalid(error) }
            let entry = self.entry(.configuration, sandbox, cause: cause)
            try await self.store.write { db in
                try alongside?(db)
                try db.execute(
                    sql: "UPDATE tenant SET configuration = ? WHERE vendor = ? AND id = ?",
                    arguments: [configuration.text, tenant.vendor, tenant.id])
                try sandbox.journal.append(entry, db)
                self.store.effects.afterCommit { tenant.change(configuration, settings) }
            }
            sandbox.journal.committed()
        }
    }

    /// An entry about the sandbox itself, made now.
    func entry(_ kind: JournalEntry.Kind, _ sandbox: Sandbox, cause: Cause?, details: JSON? = nil) -> JournalEntry {
        JournalEntry(kind: kind, cause: cause, sandboxTime: sandbox.clock.now, arrival: moment(.now), details: details)
    }

    /// Adds an entry that nobody waits for.
    func note(_ entry: JournalEntry, _ sandbox: Sandbox) {
        store.submit { db in
            try sandbox.journal.append(entry, db)
        } finished: { _ in
            sandbox.journal.committed()
        }
    }

    func moment(_ arrival: Arrival) -> JournalEntry.Moment {
        JournalEntry.Moment(wall: arrival.wall, monotonic: arrival.monotonic, process: process)
    }

    /// Has due work run from now on, what an earlier process left included; nil ends it.
    func runDueWork(by runner: DueRunner?) {
        state.withLock { state in
            state.runner = runner
            for sandbox in state.sandboxes.values { sandbox.dueWork.start(runner) }
        }
    }

    // MARK: Inside

    private func freeName(_ wanted: String?, _ seed: Int64) throws -> String {
        if let wanted {
            guard sandbox(wanted) == nil else { throw ChangeError.exists(wanted) }
            return wanted
        }
        var number = seed
        while sandbox("sandbox-\(number)") != nil { number &+= 1 }
        return "sandbox-\(number)"
    }

    private func nextPosition() throws -> Int64 {
        let next = state.withLock { state in
            state.lastPosition += 1
            return state.lastPosition
        }
        guard Journal.positions.contains(next) else {
            throw ToolError("\(store.path): \(next - 1) sandboxes have been made in this database, and no more can be: begin a new one")
        }
        return next
    }

    /// Everything of a sandbox: its row takes the rows with it that refer to it, and the journal goes by its own way.
    private func remove(_ sandbox: Sandbox, _ db: Database) throws {
        try sandbox.journal.close(db)
        sandbox.faults.close()
        try db.execute(sql: "DELETE FROM sandbox WHERE id = ?", arguments: [sandbox.id])
    }

    private func insert(_ sandbox: Sandbox, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO sandbox (id, position, seed, creation, clock) VALUES (?, ?, ?, ?, ?)",
            arguments: [sandbox.id, sandbox.position, sandbox.seed, sandbox.creation.text, sandbox.clock.stored.text])
        for tenant in sandbox.tenants.values {
            try db.execute(
                sql: "INSERT INTO tenant (vendor, id, sandbox, configuration) VALUES (?, ?, ?, ?)",
                arguments: [tenant.vendor, tenant.id, sandbox.id, tenant.configuration.text])
        }
    }

    private func forget(_ sandbox: Sandbox) {
        state.withLock { state in
            state.sandboxes[sandbox.id] = nil
            state.order.removeAll { $0 == sandbox.id }
            for tenant in sandbox.tenants.values { state.tenants[TenantKey(vendor: tenant.vendor, id: tenant.id)] = nil }
        }
    }

    func add(_ sandbox: Sandbox) {
        state.withLock { state in
            state.sandboxes[sandbox.id] = sandbox
            state.order.append(sandbox.id)
            sandbox.dueWork.start(state.runner)
            state.lastPosition = max(state.lastPosition, sandbox.position)
            for tenant in sandbox.tenants.values { state.tenants[TenantKey(vendor: tenant.vendor, id: tenant.id)] = tenant }
        }
    }
}

extension JSON {
    /// RFC 7396: members of the patch replace, null removes, objects merge.
    func merging(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? [:]
        for (name, change) in changes {
            members[name] = change.isNull ? nil : (members[name] ?? [:]).merging(change)
        }
        return .object(members)
    }
}
