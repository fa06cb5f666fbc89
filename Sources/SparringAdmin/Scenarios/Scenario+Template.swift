import GRDB
import SparringJSON
import SparringJournal
import SparringSandbox

extension Scenario {
    /// The scenario as sandboxes are made of it.
    var template: SandboxTemplate { SandboxTemplate(sandbox, json: json) { [self] in try begin(in: $0, $1) } }

    /// Journals that a sandbox was made of it, and schedules what happens later, counted from then.
    private func begin(in sandbox: Sandbox, _ db: Database) throws {
        let place = sandbox.node.map { " at node '\($0.name)'" } ?? ""
        let entry = sandbox.entry(
            .configuration, cause: "begun: scenario '\(name)' with seed \(sandbox.seed)\(place)",
            details: .members(["scenario": .string(name), "seed": .integer(sandbox.seed), "node": (sandbox.node?.name).map { .string($0) }])
        )
        try sandbox.journal.append(entry, db)
        for step in timeline {
            let arguments = step.arguments.isEmpty ? "" : " " + JSON.object(step.arguments).text
            try sandbox.schedule(
                DueItem(
                    due: entry.sandboxTime + step.at, vendor: Timeline.owner, kind: step.operation,
                    what: "the scenario's timeline: \(step.operation)\(arguments)", lane: Timeline.lane, body: .object(step.arguments)), db)
        }
    }
}

/// A scenario's later events as due work of a sandbox.
enum Timeline {
    static let lane = "timeline"

    /// Under which its steps fall due.
    static let owner = "admin"
}
