import GRDB
import SparringContract
import SparringJSON
import SparringJournal
import SparringLocks
import SparringVariation

/// Making a sandbox from a request and a template, and remaking it from another template.
extension World {
    /// A sandbox with its tenants that is not in the world yet, and the faults that are to be armed in it.
    struct Made {
        let sandbox: Sandbox
        let faults: [Fault]
    }

    /// - Parameters:
    ///   - id: the sandbox's.
    ///   - sandbox: makes it of its clock and of what is kept for a reset.
    /// - Throws: ``ChangeError``.
    func made(
        _ id: String, _ request: SandboxRequest, _ template: SandboxTemplate?, seed: Int64,
        _ sandbox: (SandboxClock.Setting, JSON) throws -> Sandbox
    ) throws -> Made {
        let clock = Self.clock(request.clock, over: template?.request.clock)
        let setting = try Self.clockSetting(clock)
        let given = JSON.object(template?.request.tenants ?? [:]).merging(.object(request.tenants)).object ?? [:]
        let tenants = try configure(given, seed: seed, idSeed: request.idSeed, sandbox: id)
        let reader = faultReader.adding(tenants.flatMap(\.stubs.operations))
        let faults = try faults(template?.request.faults ?? [], reader) + faults(request.faults, reader)
        let policies = JSON.object(template?.request.policies ?? [:]).merging(.object(request.policies)).object ?? [:]
        let creation: JSON = .members([
            "clock": clock, "faults": .array(faults.map { .string($0.text) }), "scenario": template?.json,
            "policies": policies.isEmpty ? nil : .object(policies), "vary": try vary(request, template),
            "label": request.label.map { .string($0) },
            "given": request.given(seed: seed), "node": node.map { .string($0.name) },
            "lifetime": request.lifetime?.json,
        ])
        let sandbox = try sandbox(setting, creation)
        for tenant in tenants { sandbox.add(tenant) }
        return Made(sandbox: sandbox, faults: faults)
    }

    /// Reads what is to be varied: by the request, else by the template, else by what holds for all.
    func vary(_ request: SandboxRequest, _ template: SandboxTemplate? = nil) throws(ChangeError) -> JSON? {
        guard let vary = request.vary ?? template?.request.vary ?? standardVary.withLock(\.self), !vary.isNull else { return nil }
        do throws(ConfigurationError) { return try VariationPlan(vary, at: ["vary"]).json } catch { throw .invalid(error) }
    }

    /// Reads the faults of a sandbox that is to be.
    func faults(_ given: [JSON], _ reader: FaultReader) throws(ChangeError) -> [Fault] {
        var faults: [Fault] = []
        for (index, fault) in given.enumerated() {
            do throws(FaultRefused) { faults.append(try reader.read(fault)) } catch {
                throw .fault(["faults", String(index)], error)
            }
        }
        return faults
    }

    func insert(_ made: Made, from template: SandboxTemplate?, _ db: Database) throws {
        try insert(made.sandbox, db)
        for fault in made.faults { _ = try made.sandbox.arm(fault, db) }
        try template?.begin(made.sandbox, db)
    }

    /// Deletes all rows of a sandbox. Those that refer to its row go with it; the journal does not refer to it, and is deleted separately.
    func remove(_ sandbox: Sandbox, _ db: Database) throws {
        store.history.leave(sandbox.id, store.effects)
        try sandbox.journal.close(db)
        sandbox.faults.close()
        try sandbox.files.end(db)
        // Compiling it compiles the triggers of all that goes with it, which takes ten times as long as running it.
        try db.cachedStatement(sql: "DELETE FROM sandbox WHERE id = ?").execute(arguments: [sandbox.id])
        try History.forget(sandbox.journal.places, db)
    }

    func insert(_ sandbox: Sandbox, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO sandbox (id, position, seed, creation, clock, made) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [sandbox.id, sandbox.position, sandbox.seed, sandbox.creation.text, sandbox.clock.stored.text, sandbox.made])
        for tenant in sandbox.tenants.values {
            try db.execute(
                sql: "INSERT INTO tenant (vendor, id, sandbox, configuration) VALUES (?, ?, ?, ?)",
                arguments: [tenant.vendor, tenant.id, sandbox.id, tenant.configuration.text])
        }
    }

    /// Remakes a sandbox from another template, or from none. Its tenants keep their ids, keys and what they were given when the sandbox was made, so
    /// that clients need no other configuration; everything else is the template's.
    ///
    /// - Parameter seed: of the chance in it; nil: the template's, else what it was.
    /// - Returns: nil where there is none of that name.
    /// - Throws: ``ChangeError``; nothing has been changed then.
    public func play(_ template: SandboxTemplate?, in id: String, seed: Int64? = nil) async throws -> Sandbox? {
        try await sandbox(id)?.shed()
        return try await changes.run { () -> Sandbox? in
            guard let old = self.sandbox(id) else { return nil }
            var request = SandboxRequest(givenTo: old)
            let seed = seed ?? template?.request.seed ?? (template == nil ? request.idSeed : nil) ?? old.seed
            if template == nil { (request.faults, request.kept) = (request.kept, []) }
            for party in self.parties {
                guard let tenant = old.tenant(of: party.name) else { continue }
                request.tenants[party.name] = (request.tenants[party.name] ?? [:]).merging([party.tenantKey: .string(tenant.id)])
            }
            let made = try self.made(id, request, template, seed: seed) { [self] in
                Sandbox(id: id, seed: seed, position: old.position, clock: SandboxClock($0, on: store.loop), creation: $1, surroundings)
            }
            return try await self.replace(
                old, by: made, from: template,
                cause: template == nil ? "the sandbox's scenario was stopped" : "another scenario was started in the sandbox")
        }
    }

    static func clockSetting(_ clock: JSON?) throws(ChangeError) -> SandboxClock.Setting {
        do throws(ConfigurationError) { return try SandboxClock.Setting(clock ?? [:], at: ["clock"]) } catch { throw .invalid(error) }
    }

    /// A request's clock takes the place of the template's, but for the time that this one shows at first.
    private static func clock(_ wanted: JSON?, over template: JSON?) -> JSON? {
        guard var clock = wanted else { return template }
        if clock["now"] == nil, clock["offset"] == nil, let now = template?["now"] { clock["now"] = now }
        return clock
    }
}

extension World.SandboxRequest {
    /// The settings that hold for the sandbox whatever is played in it.
    fileprivate func given(seed: Int64) -> JSON {
        .members([
            "idSeed": .integer(idSeed ?? seed), "clock": clock, "tenants": tenants.isEmpty ? nil : .object(tenants),
            "policies": policies.isEmpty ? nil : .object(policies), "vary": vary,
            "faults": faults.isEmpty && kept.isEmpty ? nil : .array(faults + kept),
        ])
    }

    fileprivate init(givenTo sandbox: Sandbox) {
        self.init()
        let given = sandbox.creation["given"]
        idSeed = given?["idSeed"]?.integer ?? sandbox.seed
        clock = given?["clock"]
        tenants = given?["tenants"]?.object ?? [:]
        policies = given?["policies"]?.object ?? [:]
        vary = given?["vary"]
        kept = given?["faults"]?.array ?? []
        lifetime = sandbox.lifetime
        label = sandbox.label
    }
}
