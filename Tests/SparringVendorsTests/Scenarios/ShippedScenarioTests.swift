import Foundation
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringJSON
import SparringSandbox
import Support
import Testing

/// The scenarios that come with Sparring.
@Suite struct ShippedScenarioTests {
    private static let folder = Repository.folder("fixtures/scenarios")

    @Test func `all of them can be played, say where they come from and what they expect, and are tested here`() async throws {
        try await TestServer.run(.pipeline, configure: { $0.scenarios = Self.folder }) { server in
            let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
            let all = server.scenarios.all
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

    @Test func `each is shown as the admin contract says`() async throws {
        let contracts = try ContractFolder(path: Repository.folder("contracts")).contracts
        let operation = try #require(contracts.first { $0.vendor == "admin" }?.operation("readScenario"))
        try await TestServer.run(.pipeline, configure: { $0.scenarios = Self.folder }) { server in
            for scenario in server.scenarios.all {
                let answer = try await server.send(.get, "/__admin/scenarios/\(scenario.name)")
                let found = operation.checkAnswer(name: "scenario", status: answer.status, headers: answer.headers, body: answer.json)
                #expect(found.isEmpty, "\(scenario.name)")
            }
        }
    }

    @Test(arguments: Incident.all)
    func `it happens on the wire as described`(_ incident: Incident) async throws {
        try await Stage.run(incident.scenario, incident.speed, incident.play)
    }

    @Test func `named scenarios are listed, shown and made, and an unknown name gets the nearest one`() async throws {
        try await TestServer.run(.pipeline, configure: { $0.scenarios = Self.folder }) { server in
            let list = try #require(try await server.send(.get, "/__admin/scenarios").json?["scenarios"]?.array)
            #expect(list.count == server.scenarios.all.count)
            #expect(
                list.first { $0["scenario"] == "pusher-down-for-31s" }?["expects"] == ["backs-off-1-2-4-8-16s", "registers-in-the-end"])
            let one = try await server.send(.get, "/__admin/scenarios/pusher-down-for-31s").json
            #expect(one?["sandbox"]?["faults"] == ["liveperson.registerPush unavailable times=5 per=lane"])
            let unknown = try await server.problem(.get, "/__admin/scenarios/pusher-down-for-32s")
            #expect(unknown.words == "404 scenario-unknown" && unknown.nearest.first == "pusher-down-for-31s")
            let near = try await server.problem(.post, "/__admin/sandboxes", ["scenario": "pusher-down-for-32s"])
            #expect(near.nearest.first == "pusher-down-for-31s")
            for _ in 1...2 {
                let answer = try await server.send(.post, "/__admin/sandboxes", json: ["scenario": "pusher-down-for-31s"])
                #expect(answer.status == 201, "as often as one likes: \(answer.text)")
            }
        }
    }
}
