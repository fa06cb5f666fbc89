import SparringJSON
import Support
import Testing

/// The scope `openid` at the token endpoint, by OpenID Connect Core §3.1.2.1 and §3.1.3.3.
@Suite struct IdentityScopeTests {
    /// OpenID Connect Core §3.1.2.1; a scope that is left out is the default one (RFC 6749 §3.3).
    @Test(
        arguments: [
            (nil, true), ("openid", true), ("profile openid", true), ("profile", false), ("openid_x", false), ("OpenID", false),
        ] as [(String?, Bool)])
    func `an ID token comes with the scope openid, and with no other`(_ scope: String?, _ comes: Bool) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let code = try await scene.code(["scope": scope])
            let answer = try await scene.redeem(code: code)
            #expect(answer.status == 200 && (answer.json?["id_token"] != nil) == comes, "\(answer.text)")
            #expect(answer.json?["access_token"] != nil && answer.json?["refresh_token"] != nil)
            let cause = try await scene.entry("identity.token")?.cause
            #expect(cause?.hasSuffix("; no ID token: the scope '\(scope ?? "")' has no openid") == !comes, "\(cause ?? "")")
            #expect(try await scene.findings().isEmpty)
            // The code is spent all the same.
            #expect(try await scene.redeem(code: code).status == 400)
            #expect(try await scene.entry("identity.token")?.answerName == "code-reused")
        }
    }

    @Test func `a refresh that gives openid up gives the ID token up, and the next one has it again`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            var token = try #require(try await scene.redeem(code: scene.code(["scope": "openid email"])).json?["refresh_token"]?.string)
            for (scope, comes) in [("email", false), ("openid", true), (nil, true)] as [(String?, Bool)] {
                let answer = try await scene.redeem(["grant_type": "refresh_token", "refresh_token": token, "scope": scope])
                #expect(answer.status == 200 && (answer.json?["id_token"] != nil) == comes, "\(answer.text)")
                token = try #require(answer.json?["refresh_token"]?.string)
            }
        }
    }

    @Test func `LivePerson, which needs the ID token, says why there is none`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await scene.signIn(.v2, ["code": .string(scene.code(["scope": "profile"]))])
            #expect(answer.json == ["internalErrorCode": "mock-token-endpoint-nonsense"], "\(answer.text)")
            let cause = try await scene.entry("liveperson.authenticateV2")?.cause
            #expect(cause?.hasSuffix("answered 200 without an id_token: the scope 'profile' has no openid") == true, "\(cause ?? "")")
        }
    }
}
