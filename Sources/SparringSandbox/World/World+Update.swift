import SparringJSON
import SparringJournal

/// Changing a sandbox that is there.
extension World {
    /// Merges the tenants of a request into those of a sandbox that is there.
    ///
    /// - Parameter faults: take the place of the sandbox's where they differ; nil: those stay.
    /// - Returns: whether that changed anything.
    package func update(_ sandbox: Sandbox, _ request: SandboxRequest, faults: [Fault]?) async throws -> Bool {
        var changed = false
        for (name, patch) in request.tenants {
            guard let tenant = sandbox.tenant(of: name), tenant.configuration.merging(patch) != tenant.configuration else { continue }
            try await change(tenant, in: sandbox, merging: patch)
            changed = true
        }
        guard let faults, sandbox.faults.all.map(\.fault.text) != faults.map(\.text) else { return changed }
        try await sandbox.write(sandbox.entry(.fault, cause: "the configuration file replaced the faults by \(faults.count)")) { db, _ in
            _ = try sandbox.faults.remove(sandbox.faults.all.map(\.number), sandbox: sandbox.id, db)
            for fault in faults { _ = try sandbox.arm(fault, db) }
        }
        return true
    }
}
