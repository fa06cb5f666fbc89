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
}
