import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// Edge cases of an account's configuration, and of what clients send.
@Suite struct AccountEdgeTests {
    @Test(arguments: [Scene.Version.v1, .v3], ["issuerDisplayName", "code", "redirect_uri"])
    func `members that only version 2 knows are read by no other`(_ version: Scene.Version, _ member: String) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let token = JSON.string(try await scene.mint(["form": "jwt"]))
            let answer = try await scene.signIn(version, [version == .v1 ? "authCode" : "id_token": token, member: "nonsense"])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `version 1 reads authCode, whatever stands beside it`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let token = JSON.string(try await scene.mint(["form": "jwt"]))
            #expect(
                try await scene.signIn(.v1, ["authCode": "rubbish", "id_token": token]).json == [
                    "internalErrorCode": "mock-token-malformed"
                ])
        }
    }

    @Test func `a token that LivePerson gave out for other ends is no external token`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let signedIn = try await scene.signIn(.v2, token: scene.mint(["form": "jwt"])).json?["jwt"]
            let signedUp = try await server.send(.post, "/api/account/\(scene.account)/signup").json?["jwt"]
            for token in [signedIn, signedUp] {
                let answer = try await scene.signIn(.v3, ["id_token": try #require(token)])
                #expect(answer.json == ["internalErrorCode": "mock-audience-mismatch"], "\(answer.text)")
            }
        }
    }

    @Test(arguments: ["tokenLifetime", "anonymousLifetime", "anonymousRefresh", "clockSkew", "tokenEndpointTimeout"])
    func `a duration beyond ten years is refused`(_ name: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.patch, "/__admin/sandboxes/default/tenants/liveperson", json: [name: .integer(.max)])
            #expect(answer.status == 422, "\(answer.text)")
            let scene = try await Scene(server)
            #expect(try await scene.signIn(.v2, token: scene.mint(["form": "jwt"])).status == 200)
        }
    }

    @Test(arguments: [Int64.max, .min, -1, 1_000_000_000_000])
    func `a first issue that is no time is refused`(_ first: Int64) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            // The keys are public: anyone can sign as LivePerson.
            let claims: JSON = [
                "sub": "ada", "iss": "https://idp.liveperson.net", "aud": .string("acc:\(scene.account)"), "first_iat": .integer(first),
                "iat": .integer(Scene.now), "exp": .integer(Scene.now + 600),
            ]
            let token = JWS.sign(payload: claims, with: try Brand.pool.rsa(4))
            let refreshed = try await server.send(
                .post, "/api/account/\(scene.account)/anonymous/authorize", json: ["id_token": .string(token)])
            #expect(refreshed.json == ["internalErrorCode": "mock-audience-mismatch"], "\(refreshed.text)")
            #expect(try await scene.signIn(.v3, token: token).json == ["internalErrorCode": "mock-audience-mismatch"])
        }
    }

    @Test func `issuers that are null are the default ones`() async throws {
        try await TestServer.run(tenants: ["liveperson": ["issuers": .null]]) { server in
            let scene = try await Scene(server)
            #expect(try await scene.signIn(.v2, token: scene.mint(["form": "jwt"])).status == 200)
        }
    }

    @Test(arguments: ["https://idp.example.net", "idp.example.net/path", "host:port", "host:99999", "", "a b", "[::1", "ümlaut"])
    func `what is no bare host cannot be a service's`(_ host: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["services": ["idp": .string(host)]])
            #expect(answer.status == 422, "\(answer.text)")
        }
    }

    @Test(arguments: ["idp.example.net", "10.0.0.1:99", "[::1]:8443", "[2001:db8::1]"])
    func `a bare host can`(_ host: String) async throws {
        try await TestServer.run(tenants: ["liveperson": ["services": ["idp": .string(host)]]]) { server in
            let scene = try await Scene(server)
            let answer = try await server.send(.get, "/api/account/\(scene.account)/service/idp/baseURI.json?version=1.0")
            #expect(answer.json?["baseURI"] == .string(host))
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `a refresh is called one, also within the second`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let path = "/api/account/\(scene.account)/anonymous/authorize"
            let token = try #require(try await server.send(.post, path).json?["token"])
            _ = try await server.send(.post, path, json: ["id_token": token])
            #expect(try await scene.entry("liveperson.authorizeAnonymous")?.cause.hasSuffix(": refresh") == true)
        }
    }

    @Test(arguments: [
        ("iss", JSON.integer(42), "mock-token-malformed", "claim iss is 42, not a string"),
        ("sub", .integer(42), "mock-token-malformed", "claim sub is 42, not a string"),
        ("sub", "", "mock-claim-missing", "claim sub is empty"),
    ])
    func `a claim of the wrong kind is called so`(_ claim: String, _ value: JSON, _ code: String, _ cause: String) async throws {
        try await TestServer.run(tenants: ["liveperson": ["issuers": [Brand.configured()]]]) { server in
            let scene = try await Scene(server)
            #expect(try await scene.signIn(.v2, token: Brand.token([claim: value])).json == ["internalErrorCode": .string(code)])
            #expect(try await scene.entry("liveperson.authenticateV2")?.cause == cause)
        }
    }
}
