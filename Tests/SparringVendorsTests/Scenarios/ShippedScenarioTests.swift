import Foundation
import SparringEngine
import SparringJSON
import Support
import Testing

/// The scenarios that come with Sparring.
@Suite struct ShippedScenarioTests {
    private static let folder = Repository.folder("fixtures/scenarios")

    @Test func `all of them can be played, say where they come from and what they expect, and are told here`() async throws {
        try await TestServer.run(.pipeline, configure: { $0.scenarios = Self.folder }) { server in
            let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
            let all = server.engine.scenarios.all
            #expect(Set(files) == Set(all.map { $0.name + ".yaml" }))
            #expect(all.count >= 25)
            for scenario in all {
                #expect(scenario.source != nil && !scenario.expectations.isEmpty, "\(scenario.name)")
                #expect(scenario.json["sandbox"]?["seed"] != nil, "\(scenario.name)")
            }
            // The first call of a visitor names nobody, so that its lane is not the later ones'.
            let exceptions: Set = ["monitoring-loads-the-account"]
            for scenario in all where !exceptions.contains(scenario.name) {
                for fault in scenario.json["sandbox"]?["faults"]?.array ?? [] {
                    let text = fault.string ?? fault["fault"]?.string ?? fault.text
                    #expect(!text.contains("times=") || text.contains("per=lane"), "\(scenario.name) depends on who is first: \(text)")
                }
            }
            #expect(Incident.all.map(\.scenario).sorted() == all.map(\.name))
        }
    }

    @Test(arguments: Incident.all)
    func `it happens on the wire as it is told`(_ incident: Incident) async throws {
        try await Stage.run(incident.scenario, incident.speed, incident.play)
    }
}
