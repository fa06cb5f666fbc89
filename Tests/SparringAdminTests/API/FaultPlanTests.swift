import BirdSupport
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Previews of faults over the admin API.
@Suite struct FaultPlanTests {
    /// The preview is only worth something if it comes true.
    @Test(arguments: [1, 7]) func `a fault does to a lane what its preview said, whatever was armed before it`(_ seed: Int64) async throws {
        try await Aviary.run(.pipeline, seed: seed) { server in
            try await server.admin(.post, "faults", ["fault": "parrot.Door.* bird-unwelcome"])
            let text = "parrot.findBird status code=503 probability=0.4"
            let plan = try await server.admin(.post, "faults/plan", ["faults": [.string(text)], "lanes": ["ada", "bob"], "calls": 12])
            let part = try #require(plan["faults"]?.array?.first)
            #expect(part["number"] == 2)
            let armed = try await server.admin(.post, "faults", ["fault": .string(text)])
            #expect(armed["number"] == 2)
            for lane in ["ada", "bob"] {
                let expected = try #require(part["lanes"]?[lane]?.array).map { $0 != .null }
                var seen: [Bool] = []
                for _ in 0..<12 {
                    seen.append(try await server.find(lane).status == 503)
                }
                #expect(seen == expected && seen.contains(true) && seen.contains(false))
            }
        }
    }

    @Test func `without faults, those that are armed are shown, and nothing is armed by a preview`() async throws {
        try await Aviary.run(.pipeline) { server in
            #expect(try await server.admin(.post, "faults/plan", ["lanes": ["ada"]]) == ["seed": 1, "faults": []])
            _ = try await server.admin(.post, "faults/plan", ["lanes": ["ada"], "faults": ["parrot.admitBird bird-unwelcome"]])
            #expect(try await server.admin(.get, "faults")["faults"] == [])
            try await server.admin(.post, "faults", ["fault": "parrot.admitBird bird-unwelcome every=2"])
            let plan = try await server.admin(.post, "faults/plan", ["lanes": ["ada"], "calls": 4])
            #expect(plan["faults"]?.array?.first?["lanes"] == ["ada": ["x", .null, "x", .null]] as JSON, "\(plan.text)")
        }
    }

    @Test(
        arguments: [
            (["lanes": ["ada"], "faults": ["parrot.admitBrd bird-unwelcome"]], "422 fault-refused"),
            (["lanes": []], "400 request-malformed /lanes"),
            ([:], "400 request-malformed /lanes"), (["lanes": ["ada"], "calls": 0], "400 request-malformed /calls"),
        ] as [(JSON, String)])
    func `what cannot be previewed is refused`(_ form: JSON, _ words: String) async throws {
        try await Aviary.run(.pipeline) { server in
            let answer = try await server.send(.post, "/__admin/sandboxes/default/faults/plan", json: form)
            #expect(Problem(answer).words == words)
        }
    }
}
