import SparringJSON
import SparringJournal
import SparringSandbox

/// The work that vendors scheduled.
extension VendorEntry: DueOwner {
    public func perform(_ task: DueTask) async throws {
        let (item, sandbox) = (task.item, task.sandbox)
        guard let tenant = sandbox.tenant(of: name), let handler = vendor.dueHandler(of: item.kind) else {
            throw ToolError("nobody does '\(item.name)'")
        }
        let call = DueCall(task, tenant, contract)
        let prepared: any Sendable = try await handler.prepare?(call) ?? ()
        let begun = task.entry()
        try await sandbox.write(sending: call.outbox, causedBy: call.origin) { db in
            // Taken back meanwhile, or its sandbox is gone: then nothing of it counts.
            guard try DueItem.remove(item.number, db) else { return }
            var call = call
            call.entry = try sandbox.journal.next(db)
            let outcome = try handler.decide(db, call, prepared)
            var entry = begun
            entry.sandboxTime = call.now
            entry.cause = Cause(outcome.cause, delivery: outcome.details["delivery"])
            entry.findings = outcome.findings
            var details = outcome.details
            if !call.calls.all.isEmpty { details["outbound"] = .array(call.calls.all) }
            if !details.isEmpty { entry.details = .object(details) }
            try sandbox.journal.append(entry, db)
        }
    }
}
