import SparringContract
import SparringJSON
import SparringJournal

/// Bringing the world into the state that a configuration file declares.
extension World {
    public static func isSandboxName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 63 else { return false }
        func isLetterOrDigit(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }
        return isLetterOrDigit(first) && name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D }
    }

    /// Creates the sandboxes that are not there yet. In those that are, the declared members are merged into the tenants' configuration
    /// and the faults replaced where the declared ones differ, unless there is a scenario: its faults are its own timeline's affair, and it
    /// goes on. Others are left alone. All of it is checked before any of it is done.
    ///
    /// - Returns: one line for each sandbox, saying what was done.
    /// - Throws: ``ContractError`` with file and line; nothing has been changed then.
    func apply(_ configuration: ConfigurationFile, scenarios: Scenarios) async throws -> [String] {
        var plans: [(JSONPointer, SandboxRequest, [Fault], Sandbox?)] = []
        for declared in configuration.sandboxes {
            var request = declared.request
            request.scenario = try configuration.scenario(of: declared, among: scenarios)
            do throws(ChangeError) {
                let existing = request.name.flatMap { sandbox($0) }
                let faults = try check(request, against: existing)
                plans.append((declared.pointer, request, faults, existing))
            } catch {
                throw configuration.located(error, declared.pointer)
            }
        }
        var lines: [String] = []
        for (pointer, request, faults, existing) in plans {
            do {
                if let existing {
                    let changed = try await update(existing, request, faults)
                    let isOther = request.scenario.map { $0.name != existing.scenario } ?? false
                    let goesOn =
                        isOther ? "; it was made of \(existing.scenario.map { "scenario '\($0)'" } ?? "no scenario") and goes on" : ""
                    lines.append("sandbox \(existing.id): \(changed ? "changed" : "as declared")\(goesOn)")
                } else {
                    let created = try await create(request)
                    lines.append("sandbox \(created.id): created")
                }
            } catch let error as ChangeError {
                throw configuration.located(error, pointer)
            }
        }
        return lines
    }

    /// Arms faults given as texts.
    ///
    /// - Throws: ``FaultRefused``; none is armed then.
    public func arm(_ texts: [String], in id: String) async throws {
        guard let sandbox = sandbox(id) else { throw ToolError("there is no sandbox '\(id)'") }
        let faults = try texts.map { try faultReader.read(text: $0) }
        let entry = entry(.fault, sandbox, cause: "armed: \(texts.joined(separator: "; "))")
        try await store.write { db in
            for fault in faults { _ = try sandbox.arm(fault, db) }
            try sandbox.journal.append(entry, db)
        }
        sandbox.journal.committed()
    }

    /// Tries everything of a request that can be tried without doing it.
    ///
    /// - Parameter mayBeTaken: the tenants' ids may belong to others today.
    func check(_ request: SandboxRequest, against existing: Sandbox?, mayBeTaken: Bool = false) throws(ChangeError) -> [Fault] {
        let faults = try faults(request.faults)
        do throws(ConfigurationError) { _ = try SandboxClock.Setting(request.clock ?? [:], at: JSONPointer(tokens: ["clock"])) } catch {
            throw .invalid(error)
        }
        guard let existing else {
            // Most scenarios of a folder have the same tenants, and trying them is expensive: their keys have to be parsed.
            let tenants = JSON.object(request.tenants).text
            if mayBeTaken, isKnownSound(tenants: tenants) { return faults }
            _ = try configure(request.tenants, seed: request.seed ?? 1, sandbox: request.name ?? "", mayBeTaken: mayBeTaken)
            if mayBeTaken { noteSound(tenants: tenants) }
            return faults
        }
        for (name, patch) in request.tenants {
            let pointer = JSONPointer(tokens: ["tenants", name])
            guard let vendor = vendor(name), let tenant = existing.tenant(of: name) else {
                throw .invalid(ConfigurationError(pointer, "no vendor '\(name)'; there are \(vendors.map(\.name).joined(separator: ", "))"))
            }
            let merged = tenant.configuration.merging(patch)
            guard merged[vendor.vendor.tenantKey]?.string == tenant.id else {
                throw .invalid(
                    ConfigurationError(pointer.appending(vendor.vendor.tenantKey), "the id of a tenant that exists cannot be changed"))
            }
            do throws(ConfigurationError) { _ = try vendor.settings(merged) } catch {
                throw .invalid(ConfigurationError(JSONPointer(tokens: pointer.tokens + error.pointer.tokens), error.message))
            }
        }
        return faults
    }

    /// Reads the faults of a sandbox that is to be.
    func faults(_ given: [JSON]) throws(ChangeError) -> [Fault] {
        var faults: [Fault] = []
        for (index, fault) in given.enumerated() {
            do throws(FaultRefused) { faults.append(try faultReader.read(fault)) } catch {
                throw .fault(JSONPointer(tokens: ["faults", String(index)]), error)
            }
        }
        return faults
    }

    private func update(_ sandbox: Sandbox, _ request: SandboxRequest, _ faults: [Fault]) async throws -> Bool {
        var changed = false
        for (name, patch) in request.tenants {
            guard let tenant = sandbox.tenant(of: name), tenant.configuration.merging(patch) != tenant.configuration else { continue }
            try await change(tenant, in: sandbox, merging: patch)
            changed = true
        }
        guard request.scenario == nil, sandbox.faults.all.map(\.fault) != faults else { return changed }
        let entry = entry(.fault, sandbox, cause: "the configuration file replaced the faults by \(faults.count)")
        try await store.write { db in
            for armed in sandbox.faults.all { _ = try sandbox.faults.remove(armed.number, sandbox: sandbox.id, db) }
            for fault in faults { _ = try sandbox.arm(fault, db) }
            try sandbox.journal.append(entry, db)
        }
        sandbox.journal.committed()
        return true
    }
}
