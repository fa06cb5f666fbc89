import BirdSupport
import HTTPTypes
import SparringAdmin
import SparringJSON
import SparringTestKit
import SparringVerdict
import Support
import Testing

/// Faults whose effect depends on who comes first, and the reports that say so.
@Suite struct FaultCaveatTests {
    @Test(arguments: [
        ("times=2", true), ("skip=1", true), ("every=2", true), ("times=2 per=lane", false), ("probability=0.5", false), ("", false),
        ("times=1 skip=1 per=lane", false),
    ])
    func `when several clients called, a report names the faults that replay exactly for one client only, and so does a saved database's`(
        _ trigger: String, _ isCounted: Bool
    ) async throws {
        try await TemporaryFolder.database { database in
            var text = ""
            try await Aviary.run(.pipeline, database: database) { server in
                let number = try await server.arm("\(findBird) status code=503 \(trigger)")
                text = try await server.admin(.get, "faults/\(number)")["text"]?.string ?? ""
                #expect((try await server.admin(.get, "faults/\(number)")["caveat"] != nil) == isCounted)
                for lane in ["ada", "bob"] {
                    try await server.find(lane)
                    let report = try await server.admin(.post, "verdicts", ["rules": ["parrot.speaks"]])
                    let caveats = report["caveats"]?.array?.compactMap(\.string) ?? []
                    #expect(caveats.count == (isCounted && lane == "bob" ? 1 : 0), "\(caveats)")
                    #expect(caveats.allSatisfy { $0.hasPrefix("fault 1 (\(text)) counts the calls of all lanes together") })
                }
            }
            var request = VerdictRequest()
            request.rules = ["parrot.speaks"]
            let saved = try SavedDatabase(path: database).judge("default", request, Aviary.cast.get().behaviours)
            #expect(saved.caveats.count == (isCounted ? 1 : 0), "\(saved.caveats)")
        }
    }
}
