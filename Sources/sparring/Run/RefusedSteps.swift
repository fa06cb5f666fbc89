import SparringAdmin
import SparringJSON

/// Steps of a scenario's timeline that the sandbox refused to do.
enum RefusedSteps {
    private static let most = 1_000

    /// A sentence for each step: `the scenario's timeline: khoros.say was refused: …`.
    static func notes(of sandbox: String, on client: AdminClient) async throws -> [String] {
        let due = try await client.call(.readJournal, in: sandbox, ["kind": "due", "limit": most]).json["entries"]?.array ?? []
        return due.filter { entry in (entry["findings"]?.array ?? []).contains { $0["code"] == "timeline" } }
            .compactMap { $0["cause"]?.string }
    }
}
