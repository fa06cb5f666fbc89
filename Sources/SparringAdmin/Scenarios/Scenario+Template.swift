import GRDB
import SparringJSON
import SparringJournal
import SparringSandbox

extension Scenario {
    /// The scenario as sandboxes are made of it.
    var template: SandboxTemplate { SandboxTemplate(sandbox, json: json) { [self] in try begin(in: $0, $1) } }

    /// Journals that a sandbox was made of it, and schedules what happens later.
    private func begin(in sandbox: Sandbox, _ db: Database) throws {
        let entry = sandbox.entry(
            .configuration, cause: "begun: scenario '\(name)' with seed \(sandbox.seed)",
            details: ["scenario": .string(name), "seed": .integer(sandbox.seed)])
        try sandbox.journal.append(entry, db)
        try Timeline.schedule(self, in: sandbox, from: entry.sandboxTime, db)
    }
}
