import HTTPTypes
import SparringJSON
import Support
import Testing

/// Revocation (RFC 7009), introspection (RFC 7662) and tokens for the client itself (RFC 6749 §4.4).
@Suite struct IdentityRevocationTests {
    private func post(
        _ path: String, _ token: String?, _ scene: Scene, client: String? = nil, secret: String? = nil
    ) async throws -> TestAnswer {
        var fields = token.map { "token=\(Form.encoded($0))" } ?? "token="
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        if let client {
            fields += "&client_id=\(client)" + (secret.map { "&client_secret=\($0)" } ?? "")
        } else {
            headers[.authorization] = Form.basic(scene.clientId, scene.clientSecret)
        }
        return try await scene.server.send(.post, "\(scene.provider)/\(path)", headers: headers, body: Array(fields.utf8))
    }

    private func tokens(_ scene: Scene) async throws -> (access: String, refresh: String) {
        let answer = try await scene.redeem(code: scene.code(["scope": "openid profile"]))
        return (
            try #require(answer.json?["access_token"]?.string), try #require(answer.json?["refresh_token"]?.string)
        )
    }

    private func refresh(_ token: String, _ scene: Scene) async throws -> TestAnswer {
        try await scene.redeem(["grant_type": "refresh_token", "refresh_token": token])
    }

    private func userinfo(_ token: String, _ scene: Scene) async throws -> Int {
        try await scene.server.send(.get, "\(scene.provider)/userinfo", headers: [.authorization: "Bearer \(token)"]).status
    }

    @Test(arguments: TestServer.Speed.usual)
    func `a revoked refresh token ends its sign-in, and no other`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let (access, first) = try await tokens(scene)
            let (otherAccess, other) = try await tokens(scene)
            // The one that was replaced means the same sign-in.
            let second = try #require(try await refresh(first, scene).json?["refresh_token"]?.string)
            let answer = try await post("revoke", first, scene)
            #expect(answer.status == 200 && answer.body.isEmpty && answer.headers[.cacheControl] == "no-store")
            let entry = try #require(try await scene.entry("identity.revoke"))
            #expect(entry.answerName == "token-revoked" && entry["lane"] == "ada")
            let refused = try await refresh(second, scene)
            #expect(refused.status == 400 && refused.json?["error"] == "invalid_grant")
            let cause = try await scene.entry("identity.token")
            #expect(cause?.answerName == "refresh-token-revoked")
            #expect(cause?.cause == "refresh_token was revoked by entry \(entry["number"]?.integer ?? 0) (RFC 7009)")
            #expect(try await userinfo(access, scene) == 401)
            #expect(try await scene.entry("identity.userinfo")?.answerName == "access-token-revoked")
            #expect(try await userinfo(otherAccess, scene) == 200)
            #expect(try await refresh(other, scene).status == 200)
        }
    }

    @Test func `a revoked access token leaves the refresh token good`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let (access, first) = try await tokens(scene)
            for _ in 1...2 { #expect(try await post("revoke", access, scene).status == 200) }
            #expect(try await scene.entry("identity.revoke")?.cause.contains("which was revoked by entry") == true)
            #expect(try await userinfo(access, scene) == 401)
            #expect(try await refresh(first, scene).status == 200)
        }
    }

    @Test func `a token that was never issued is answered as if it had been revoked`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            #expect(try await post("revoke", "nope", scene).status == 200)
            #expect(try await scene.entry("identity.revoke")?.cause.hasPrefix("nothing was revoked") == true)
        }
    }

    @Test func `who revokes must be the client of the token`() async throws {
        let clients: JSON = [["clientId": "my-app"], ["clientId": "site", "clientSecret": "s3cret"]]
        try await TestServer.run(tenants: ["identity": ["clients": clients]]) { server in
            let scene = try await Scene(server)
            let (access, first) = try await tokens(scene)
            for token in [access, first] {
                let answer = try await post("revoke", token, scene, client: "my-app")
                #expect(answer.status == 400 && answer.json?["error"] == "invalid_grant", "\(answer.text)")
                #expect(try await scene.entry("identity.revoke")?.answerName == "token-of-another-client")
            }
            let wrong = try await post("revoke", first, scene, client: "site", secret: "wrong")
            #expect(wrong.status == 401 && wrong.headers[.wwwAuthenticate]?.hasPrefix("Basic ") == true)
            let missing = try await post("revoke", nil, scene)
            #expect(missing.status == 400 && missing.json?["error"] == "invalid_request")
            #expect(try await refresh(first, scene).status == 200)
        }
    }

    /// RFC 7009 §2.1: only the client that a token was issued to can revoke it, and a public client is known by its `client_id` alone.
    @Test func `a public client revokes its token with its client_id, and learns so where it sends none`() async throws {
        try await TestServer.run(tenants: ["identity": ["clientAuthentication": "none"]]) { server in
            let scene = try await Scene(server)
            let access = try await scene.mint(["form": "access-token"])
            let answer = try await post("revoke", access, scene, client: "")
            #expect(answer.status == 401 && answer.json?["error"] == "invalid_client", "\(answer.text)")
            #expect(
                try await scene.entry("identity.revoke")?.cause
                    == "the request has no client authentication; a public client names itself by client_id (RFC 6749 §3.2.1)")
            #expect(try await userinfo(access, scene) == 200)
            #expect(try await post("revoke", access, scene, client: scene.clientId).status == 200)
            #expect(try await userinfo(access, scene) == 401)
        }
    }

    // MARK: Introspection

    @Test(arguments: TestServer.Speed.usual)
    func `introspection says what a good token is`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let (access, first) = try await tokens(scene)
            var expected: JSON = [
                "active": true, "scope": "openid profile", "client_id": .string(scene.clientId), "iat": .integer(Scene.now),
                "exp": .integer(Scene.now + 3600), "token_type": "Bearer", "sub": "ada", "iss": .string(scene.issuer),
            ]
            #expect(try await post("introspect", access, scene).json == expected)
            expected["token_type"] = nil
            expected["exp"] = .integer(Scene.now + 30 * 86_400)
            #expect(try await post("introspect", first, scene).json == expected)
        }
    }

    /// The fate of a token, in the journal's words.
    enum Ending: String, CaseIterable, CustomTestStringConvertible {
        case unknown = "is not an access or refresh token that this provider issued"
        case expired = "the access token of ada expired"
        case refreshExpired = "the refresh token of ada expired"
        case used = "the refresh token of ada was used by entry"
        case familyReused = "used an earlier one again"
        case accessRevoked = "the access token of ada was revoked by entry"
        case refreshRevoked = "the refresh token of ada was revoked by entry"
        var testDescription: String { rawValue }
    }

    @Test(arguments: Ending.allCases)
    func `introspection of a token that is not good says no more than that, and the journal says why`(_ ending: Ending) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let (access, first) = try await tokens(scene)
            var token = first
            switch ending {
            case .unknown: token = "nope"
            case .expired:
                token = access
                try await scene.advance("1h")
            case .refreshExpired: try await scene.advance("30d")
            case .used: _ = try await refresh(first, scene)
            case .familyReused:
                token = try #require(try await refresh(first, scene).json?["refresh_token"]?.string)
                _ = try await refresh(first, scene)
            case .accessRevoked:
                token = access
                _ = try await post("revoke", access, scene)
            case .refreshRevoked: _ = try await post("revoke", first, scene)
            }
            let answer = try await post("introspect", token, scene)
            #expect(answer.status == 200 && answer.json == ["active": false], "\(answer.text)")
            let entry = try await scene.entry("identity.introspect")
            #expect(entry?.answerName == "token-inactive" && entry?.cause.contains(ending.rawValue) == true, "\(entry?.cause ?? "")")
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `a public client learns nothing by introspection`() async throws {
        try await TestServer.run(tenants: ["identity": ["clients": [["clientId": "my-app"]]]]) { server in
            let scene = try await Scene(server)
            let answer = try await post("introspect", "x", scene, client: "my-app")
            #expect(answer.status == 401 && answer.json?["error"] == "invalid_client")
        }
    }

    // MARK: Tokens for the client itself

    @Test(arguments: TestServer.Speed.usual)
    func `a client with a secret gets a token of its own, and nothing of a user`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let answer = try await scene.redeem(["grant_type": "client_credentials", "scope": "messages:read"])
            let body = try #require(answer.json)
            #expect(answer.status == 200 && body["token_type"] == "Bearer" && body["expires_in"] == 3600, "\(answer.text)")
            #expect(body["scope"] == "messages:read" && body["id_token"] == nil && body["refresh_token"] == nil)
            let token = try #require(body["access_token"]?.string)
            let known = try await post("introspect", token, scene).json
            #expect(known?["active"] == true && known?["sub"] == .string(scene.clientId) && known?["scope"] == "messages:read")
            let jwt = try await server.send(
                .post, "\(scene.provider)/jwt", headers: [.authorization: "Bearer \(token)", .contentType: "application/json"],
                body: Array(#"{"userId":"brand-app"}"#.utf8))
            #expect(jwt.status == 401, "\(jwt.text)")
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `a public client gets no token of its own`() async throws {
        try await TestServer.run(tenants: ["identity": ["clientAuthentication": "none"]]) { server in
            let scene = try await Scene(server)
            let answer = try await scene.redeem(
                ["grant_type": "client_credentials", "client_id": scene.clientId], basic: .some(nil))
            #expect(answer.status == 400 && answer.json?["error"] == "unauthorized_client", "\(answer.text)")
            let metadata = try await server.send(.get, "\(scene.provider)/.well-known/openid-configuration").json
            #expect(metadata?["grant_types_supported"]?.strings.contains("client_credentials") == false)
        }
    }

    @Test func `the token endpoint takes POST only`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await server.send(.get, "\(scene.provider)/token?grant_type=client_credentials")
            #expect(answer.status == 405 && answer.headers[.allow]?.contains("POST") == true, "\(answer.status) \(answer.text)")
        }
    }
}
