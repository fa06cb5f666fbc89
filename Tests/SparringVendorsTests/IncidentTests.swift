import HTTPTypes
import SparringJSON
import Support
import Testing

/// The code was redeemed, the answer was lost, and the client tries again with the same code.
@Suite struct IncidentTests {
    @Test(arguments: TestServer.Speed.allCases)
    func `a code whose answer was lost on the way to the client is spent`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            try await scene.arm("liveperson.authenticateV2 CONNECTION_RESET_BY_PEER phase=onResponseStart times=1")
            let body: JSON = ["code": .string(try await scene.code())]
            await #expect(throws: Disturbed.reset) { try await scene.signIn(.v2, body) }
            let lost = try #require(try await scene.entry("liveperson.authenticateV2"))
            #expect(lost.answerName == "signed-in")
            #expect(lost["answer"]?["delivery"] == "reset: decided and committed, the answer was lost")
            #expect(lost["faults"] == [1])
            let redemption = try #require(try await scene.entry("identity.token"))
            #expect(redemption.answerName == "token-issued")

            try await scene.advance("12s")
            let retry = try await scene.signIn(.v2, body)
            #expect(retry.status == 500 && retry.text == #"{"internalErrorCode":"mock-code-reused"}"#)
            let number = try #require(redemption["number"]?.integer)
            let why = "code was redeemed by entry \(number), 12 s ago"
            #expect(try await scene.entry("identity.token")?.cause == why)
            #expect(try await scene.entry("liveperson.authenticateV2")?.cause == "at the token endpoint: \(why)")
            #expect(try await server.admin(.get, "journal/\(number)")["operation"] == "identity.token")

            // What a good client does: it asks for a new code.
            #expect(try await scene.signIn(.v2, ["code": .string(scene.code())]).status == 200)
        }
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `a code whose answer was lost on the way to LivePerson is spent too`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            try await scene.arm("identity.token CONNECTION_RESET_BY_PEER phase=onResponseStart times=1")
            let body: JSON = ["code": .string(try await scene.code())]
            #expect(try await scene.signIn(.v2, body).text == #"{"internalErrorCode":"mock-token-endpoint-unreachable"}"#)
            #expect(try await scene.entry("liveperson.authenticateV2")?.cause.hasSuffix("connection reset by peer") == true)
            #expect(try await scene.signIn(.v2, body).text == #"{"internalErrorCode":"mock-code-reused"}"#)
        }
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `a code whose request was cut off before the decision is still good`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            try await scene.arm("liveperson.authenticateV2 EMPTY_RESPONSE times=1")
            try await scene.arm("identity.token EMPTY_RESPONSE times=1")
            let body: JSON = ["code": .string(try await scene.code())]
            await #expect(throws: Disturbed.closed) { try await scene.signIn(.v2, body) }
            #expect(try await scene.entry("identity.token") == nil)
            #expect(try await scene.signIn(.v2, body).text == #"{"internalErrorCode":"mock-token-endpoint-unreachable"}"#)
            #expect(try await scene.signIn(.v2, body).status == 200)
        }
    }
}
