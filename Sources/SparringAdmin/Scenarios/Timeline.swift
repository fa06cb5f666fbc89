import GRDB
import SparringJSON
import SparringJournal
import SparringSandbox

/// A scenario's later events as due work of a sandbox.
enum Timeline {
    static let lane = "timeline"

    /// Under which its steps fall due.
    static let owner = "admin"

    /// Schedules all of it, counted from `start`.
    static func schedule(_ scenario: Scenario, in sandbox: Sandbox, from start: Timestamp, _ db: Database) throws {
        for step in scenario.timeline {
            let arguments = step.arguments.isEmpty ? "" : " " + JSON.object(step.arguments).text
            try sandbox.schedule(
                DueItem(
                    due: start + step.at, vendor: owner, kind: step.operation,
                    what: "the scenario's timeline: \(step.operation)\(arguments)", lane: lane, body: .object(step.arguments)), db)
        }
    }
}
