import HTTPTypes
import SparringJSON
import Support
import Testing

/// A sign-in by code, which LivePerson completes by a call to the brand's identity provider.
@Suite struct SignInChainTests {
    @Test func `a refusal that forces a code's redemption leaves the code good`() async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            try await server.arm("liveperson.authenticateV2 code-reused times=1")
            let code = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])["credential"] ?? .null
            let target = "/api/account/acme/app/default/authenticate?v=2.0"
            #expect(try await server.send(.post, target, json: ["code": code]).text == #"{"internalErrorCode":"mock-code-reused"}"#)
            #expect(try await server.send(.post, target, json: ["code": code]).status == 200)
            #expect(try await server.send(.post, target, json: ["code": code]).text == #"{"internalErrorCode":"mock-code-reused"}"#)
        }
    }

    @Test func `when one vendor calls another, the journal entries of both calls say so`() async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            let code = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])["credential"] ?? .null
            _ = try await server.send(.post, "/api/account/acme/app/default/authenticate?v=2.0", json: ["code": code])
            let (inner, outer) = (try await server.newest("identity.token"), try await server.newest("liveperson.authenticateV2"))
            #expect(inner["causedBy"] == .members(["operation": "liveperson.authenticateV2", "lane": "ada", "ordinal": outer["ordinal"]]))
            #expect(inner["lane"] == "ada" && inner["request"]?["connection"] == nil)
            #expect((inner["number"]?.integer ?? 0) < (outer["number"]?.integer ?? 0))
            #expect(outer["details"]?["outbound"]?.array?.first?["answer"] == "token-issued")
            #expect(outer["causedBy"] == nil)
        }
    }
}
