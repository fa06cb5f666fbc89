import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// The admin API's answers about the contracts.
@Suite struct ContractAnswerTests {
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
