import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// What faults can do and will do, over the admin API.
@Suite struct FaultPlanTests {
    /// The preview is only worth something if it comes true.
    @Test(arguments: [1, 7]) func `a fault does to a lane what its preview said, whatever was armed before it`(_ seed: Int64) async throws {
        try await TestServer.run(.pipeline, seed: seed) { server in
            let scene = try await Scene(server)
            try await server.admin(.post, "faults", ["fault": "liveperson.* token-expired"])
            let text = "identity.readKeys status code=503 probability=0.4"
            let plan = try await server.admin(.post, "faults/plan", ["faults": [.string(text)], "lanes": ["ada", "bob"], "calls": 12])
            let part = try #require(plan["faults"]?.array?.first)
            #expect(part["number"] == 2)
            let armed = try await server.admin(.post, "faults", ["fault": .string(text)])
            #expect(armed["number"] == 2)
            for lane in ["ada", "bob"] {
                let expected = try #require(part["lanes"]?[lane]?.array).map { $0 != .null }
                var seen: [Bool] = []
                for _ in 0..<12 {
                    let answer = try await server.send(.get, "\(scene.provider)/jwks.json", headers: [.init("X-Sparring-Lane")!: lane])
                    seen.append(answer.status == 503)
                }
                #expect(seen == expected && seen.contains(true) && seen.contains(false))
            }
        }
    }

    @Test func `without faults, those that are armed are shown, and nothing is armed by a preview`() async throws {
        try await TestServer.run(.pipeline) { server in
            #expect(try await server.admin(.post, "faults/plan", ["lanes": ["ada"]]) == ["seed": 1, "faults": []])
            _ = try await server.admin(.post, "faults/plan", ["lanes": ["ada"], "faults": ["identity.token code-reused"]])
            #expect(try await server.admin(.get, "faults")["faults"] == [])
            try await server.admin(.post, "faults", ["fault": "identity.token code-reused every=2"])
            let plan = try await server.admin(.post, "faults/plan", ["lanes": ["ada"], "calls": 4])
            #expect(plan["faults"]?.array?.first?["lanes"] == ["ada": ["x", .null, "x", .null]] as JSON, "\(plan.text)")
        }
    }

    @Test(
        arguments: [
            (["lanes": ["ada"], "faults": ["identity.tokn code-reused"]], "422 fault-refused"),
            (["lanes": []], "400 request-malformed /lanes"),
            ([:], "400 request-malformed /lanes"), (["lanes": ["ada"], "calls": 0], "400 request-malformed /calls"),
        ] as [(JSON, String)])
    func `what cannot be previewed is refused`(_ form: JSON, _ words: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let answer = try await server.send(.post, "/__admin/sandboxes/default/faults/plan", json: form)
            #expect(Problem(answer).words == words)
        }
    }

    @Test func `the effects of a place are those that the command line lists`() async throws {
        try await TestServer.run(.pipeline) { server in
            let all = try await server.send(.get, "/__admin/effects").json?["effects"]?.array ?? []
            let here = try await server.send(.get, "/__admin/effects?where=identity.token").json?["effects"]?.array ?? []
            let vocabulary = FaultVocabulary(server.engine.contracts.filter { $0.vendor != "admin" })
            let words = try vocabulary.effects().map(\.word)
            #expect(Set(all.compactMap { $0["effect"]?.string }) == Set(words) && all.count == words.count)
            #expect(here.map { $0["effect"]?.string } == (try vocabulary.effects(at: "identity.token").map(\.word)))
            #expect(here.contains { $0["effect"] == "code-reused" && $0["refusal"] == true })
            #expect(Problem(try await server.send(.get, "/__admin/effects?where=identity.tokn")).words == "422 fault-refused")
        }
    }

    @Test func `a contract says of each operation and message where it rests`() async throws {
        try await TestServer.run(.pipeline) { server in
            let token = try await server.send(.get, "/__admin/operations/identity.token").json
            #expect(token?["method"] == "POST" && token?["answers"]?.array?.contains { $0["name"] == "code-reused" } == true)
            let contracts = server.engine.contracts
            let operations: [ContractOperation] = contracts.flatMap { $0.operations + ($0.admin?.operations ?? []) }
            let names = operations.map(\.qualifiedName) + contracts.flatMap(\.channels).flatMap(\.sent).map(\.qualifiedName)
            #expect(names.count > 200)
            for name in names {
                let answer = try await server.send(.get, "/__admin/operations/\(name)")
                #expect(answer.status == 200 && answer.json?["operation"]?.string == name, "\(name): \(answer.text)")
            }
            let slip = try await server.send(.get, "/__admin/operations/identity.tokn")
            #expect(slip.status == 404 && slip.json?["nearest"]?.array?.contains("identity.token") == true)
        }
    }
}
