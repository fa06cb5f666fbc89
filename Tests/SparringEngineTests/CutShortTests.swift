import BirdSupport
import HTTPTypes
import SparringJSON
import Support
import Testing

/// Requests that a fault cuts off before all of them came.
@Suite struct CutShortTests {
    /// The body that was never read is no violation; a body that really is missing, or wrong, is one.
    @Test func `what was not read breaks no contract`() async throws {
        try await Aviary.run(.socket) { server in
            let path = "/parrot/flocks/macaws/birds"
            func newest() async throws -> JSON {
                try await until { try await !server.journal("?operation=parrot.admitBird").isEmpty }
                return try #require(try await server.journal("?operation=parrot.admitBird").last)
            }
            try await server.arm("parrot.admitBird CONNECTION_RESET_BY_PEER phase=onRequestStart times=1")
            await #expect(throws: (any Error).self) { try await server.send(.post, path, json: ["bird": "polly"]) }
            let cut = try await newest()
            #expect(cut["findings"] == nil && cut["faults"] == [1], "\(cut.text)")

            let wrong = try await server.send(.post, path, json: ["bird": 7])
            #expect(wrong.status == 400)
            #expect(try await newest()["findings"]?.array?.count == 1)
        }
    }

    /// A request that was held or cut off when its sandbox is reset: nothing of the old sandbox's faults shows in the new one, whose faults have the same numbers.
    @Test(arguments: [
        ["delay by=10s phase=onRequestStart"], ["delay by=10s phase=onRequestStart", "CONNECTION_RESET_BY_PEER phase=onRequestStart"],
    ])
    func `a reset sandbox knows nothing of what struck before`(_ effects: [String]) async throws {
        try await Aviary.run(.socket) { server in
            for effect in effects { try await server.arm("parrot.admitBird \(effect)") }
            async let answered = Result { try await server.send(.post, "/parrot/flocks/macaws/birds", json: ["bird": "polly"]).status }
            try await server.untilPending()
            _ = try await server.send(.post, "/__admin/sandboxes/default/reset")
            for effect in effects { try await server.arm("parrot.admitBird \(effect)") }
            let isCut = effects.count > 1
            let status = await answered
            #expect((try? status.get()) == (isCut ? nil : 201))
            let entries = try await server.journal("?operation=parrot.admitBird")
            #expect(entries.count == (isCut ? 0 : 1) && entries.allSatisfy { $0["faults"] == nil && $0["effects"] == nil }, "\(entries)")
            let faults = try await server.send(.get, "/__admin/sandboxes/default/faults").json?["faults"]?.array ?? []
            #expect(faults.allSatisfy { $0["matched"] == 0 }, "\(faults)")
        }
    }

    /// The rest of an answer that was decided is not kept back by a clock that nobody moves any more.
    @Test(arguments: ["reset", "deleted"])
    func `a paused answer goes on when its sandbox is reset or deleted`(_ how: String) async throws {
        try await Aviary.run(.socket) { server in
            try await server.arm("parrot.admitBird delay by=10s phase=onResponseBody")
            async let answered = server.send(.post, "/parrot/flocks/macaws/birds", json: ["bird": "polly"])
            try await server.untilPending()
            let path = "/__admin/sandboxes/default"
            _ = try await how == "reset" ? server.send(.post, path + "/reset") : server.send(.delete, path)
            #expect(try await answered.status == 201)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
