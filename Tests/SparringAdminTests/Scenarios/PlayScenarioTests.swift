import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Another scenario in a sandbox that is there.
@Suite struct PlayScenarioTests {
    private static let storm: JSON = [
        "scenario": "storm", "title": "A storm", "about": "It comes.",
        "sandbox": [
            "seed": 77, "clock": ["mode": "frozen", "now": "2027-01-15T08:00:00Z"], "faults": ["parrot.findBird status code=503"],
            "tenants": ["parrot": ["ticketLifetime": "5m"]],
        ],
    ]

    @Test func `ids and what the sandbox was given stay, and all else is the scenario's`() async throws {
        try await Aviary.run(.pipeline) { server in
            let made = try await server.send(
                .post, "/__admin/sandboxes",
                json: ["name": "cage", "seed": 5, "faults": ["parrot.perch delay by=1s"], "tenants": ["parrot": ["flock": "gulls"]]])
            #expect(made.status == 201)
            let flock = try #require(made.json?["tenants"]?["parrot"]?["flock"])
            let played = try await server.send(.post, "/__admin/sandboxes/cage/scenario", json: ["scenario": Self.storm])
            #expect(played.status == 200, "\(played.text)")
            #expect(played.json?["scenario"] == "storm" && played.json?["seed"] == 77)
            #expect(played.json?["tenants"]?["parrot"]?["flock"] == flock)
            let faults = try await server.send(.get, "/__admin/sandboxes/cage/faults").json?["faults"]?.array
            #expect(faults?.compactMap { $0["text"]?.string } == ["parrot.findBird status code=503"], "\(faults ?? [])")
            // A reset is one to the scenario.
            let reset = try await server.send(.post, "/__admin/sandboxes/cage/reset")
            #expect(reset.json?["scenario"] == "storm" && reset.json?["seed"] == 77)
            let seeded = try await server.send(.post, "/__admin/sandboxes/cage/scenario", json: ["scenario": Self.storm, "seed": 6])
            #expect(seeded.json?["seed"] == 6 && seeded.json?["tenants"]?["parrot"]?["flock"] == flock)
        }
    }

    @Test(
        arguments: [
            ("cage", ["scenario": "strom"], 404), ("default", ["scenario": "strom"], 422), ("default", [:], 400),
            ("default", ["scenario": ["title": "x"]], 422), ("default", ["scenario": "storm", "clock": [:]], 400),
        ] as [(String, JSON, Int)])
    func `what cannot be played is refused, and changes nothing`(_ sandbox: String, _ body: JSON, _ status: Int) async throws {
        try await Aviary.run(.pipeline) { server in
            let before = try await server.send(.get, "/__admin/sandboxes/default").json
            #expect(try await server.send(.post, "/__admin/sandboxes/\(sandbox)/scenario", json: body).status == status)
            #expect(try await server.send(.get, "/__admin/sandboxes/default").json == before)
        }
    }
}
