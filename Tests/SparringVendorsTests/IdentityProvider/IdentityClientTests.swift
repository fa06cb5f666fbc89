import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringTokens
import Support
import Testing

/// Public clients (RFC 8252, RFC 7636), several clients, and requests with more than the contract knows.
@Suite struct IdentityClientTests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = PKCE.challenge(for: verifier, method: .s256)
    private static let challenged: KeyValuePairs<String, String?> = ["code_challenge": challenge, "code_challenge_method": "S256"]
    private static let isPublic: JSON.Object = ["identity": ["clientAuthentication": "none"]]

    /// Redeems a code like a library for native apps: with the `client_id`, without a secret.
    private func redeem(
        _ code: String, _ scene: Scene, client: String? = nil, verifier: String? = verifier, secret: String? = nil,
        redirectURI: String = Scene.redirectURI
    ) async throws -> TestAnswer {
        try await scene.redeem(
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "code_verifier": verifier,
                "client_id": client ?? scene.clientId, "client_secret": secret,
            ], basic: .some(nil))
    }

    @Test(arguments: TestServer.Speed.usual)
    func `a public client redeems and refreshes with its client_id alone`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed, tenants: Self.isPublic) { server in
            let scene = try await Scene(server)
            let answer = try await redeem(scene.code(Self.challenged), scene)
            #expect(answer.status == 200, "\(answer.text)")
            let refreshed = try await scene.redeem(
                [
                    "grant_type": "refresh_token", "refresh_token": answer.json?["refresh_token"]?.string,
                    "client_id": scene.clientId,
                ], basic: .some(nil))
            #expect(refreshed.status == 200, "\(refreshed.text)")
            // Some libraries send Basic with an empty password (RFC 6749 §2.3.1: the secret may be left out if it is empty).
            let basic = try await scene.redeem(
                [
                    "grant_type": "authorization_code", "code": scene.code(Self.challenged), "redirect_uri": Scene.redirectURI,
                    "code_verifier": Self.verifier,
                ], basic: (scene.clientId, ""))
            #expect(basic.status == 200, "\(basic.text)")
            #expect(scene.identity["clientSecret"] == nil && scene.identity["clientAuthentication"] == "none")
            let metadata = try await server.send(.get, "\(scene.provider)/.well-known/openid-configuration").json
            #expect(metadata?["token_endpoint_auth_methods_supported"]?.strings == ["none"])
            #expect(metadata?["code_challenge_methods_supported"]?.strings.contains("S256") == true)
        }
    }

    @Test func `a public client without a challenge is redirected with the reason`() async throws {
        try await TestServer.run(tenants: Self.isPublic) { server in
            let scene = try await Scene(server)
            let redirection = try #require(Redirection(try await scene.authorize()))
            #expect(redirection["error"] == "invalid_request" && redirection["error_description"] == "code challenge required")
            let entry = try await scene.entry("identity.authorize")
            #expect(entry?.cause.contains("'brand-app' is a public client, which must use PKCE (RFC 8252 §8.1)") == true)
            #expect(entry?["findings"]?.array?.contains { $0["code"] == "code-challenge-missing" } == true, "\(entry ?? .null)")
        }
    }

    /// A defect in the redemption of a public client's code.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isChallenged = true
        var verifier: String? = IdentityClientTests.verifier
        var client: String?
        var secret: String?
        let answer: String
        let cause: String

        static let all = [
            Row(testDescription: "no verifier", verifier: nil, answer: "code-verifier-missing", cause: "no code_verifier came"),
            Row(
                testDescription: "wrong verifier", verifier: String(IdentityClientTests.verifier.reversed()),
                answer: "code-verifier-mismatch",
                cause: "does not match the S256"),
            Row(
                testDescription: "a minted code without challenge", isChallenged: false, verifier: nil, answer: "code-verifier-missing",
                cause: "'brand-app' is a public client, which must use PKCE"),
            Row(
                testDescription: "a secret", secret: "hunter2", answer: "invalid-client",
                cause: "'brand-app' is a public client, which has no secret"),
            Row(testDescription: "no client_id", client: "", answer: "invalid-client", cause: "the request has no client authentication"),
            Row(testDescription: "another client_id", client: "eve", answer: "invalid-client", cause: "no client has the id 'eve'"),
        ]
    }

    @Test(arguments: Row.all)
    func `what a public client does wrong is named`(_ row: Row) async throws {
        try await TestServer.run(tenants: Self.isPublic) { server in
            let scene = try await Scene(server)
            let code = row.isChallenged ? try await scene.code(Self.challenged) : try await scene.mint(["form": "code"])
            let answer = try await redeem(code, scene, client: row.client, verifier: row.verifier, secret: row.secret)
            let entry = try await scene.entry("identity.token")
            #expect(answer.status == (row.answer == "invalid-client" ? 401 : 400))
            #expect(entry?.answerName == row.answer && entry?.cause.contains(row.cause) == true, "\(entry?.cause ?? "")")
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `a confidential client without its secret learns that it is not a public one`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            #expect(try await redeem(scene.code(Self.challenged), scene).status == 401)
            #expect(
                try await scene.entry("identity.token")?.cause
                    == "client_secret is missing: 'brand-app' is not configured as a public client")
        }
    }

    @Test func `an app is a public client beside the brand's own, and neither takes the other's code`() async throws {
        let clients: JSON = [["clientId": "my-app", "redirectURIs": ["my.app:/done"]], ["clientId": "site", "clientSecret": "s3cret"]]
        try await TestServer.run(tenants: ["identity": ["clients": clients]]) { server in
            let scene = try await Scene(server)
            func code(_ client: String, _ uri: String) async throws -> String {
                try await scene.code([
                    "client_id": client, "redirect_uri": uri, "code_challenge": Self.challenge, "code_challenge_method": "S256",
                ])
            }
            let answer = try await redeem(code("my-app", "my.app:/done"), scene, client: "my-app", redirectURI: "my.app:/done")
            #expect(answer.status == 200, "\(answer.text)")
            let claims = try Brand.claims(of: try #require(answer.json?["id_token"]?.string))
            #expect(claims["aud"] == "my-app")
            #expect(try await scene.redeem(code: scene.code()).status == 200)
            let site = try await redeem(code("site", Scene.redirectURI), scene, client: "site", secret: "s3cret")
            #expect(site.status == 200, "\(site.text)")

            // The other client's redirect URI, code and refresh token are none of its own.
            let foreign = try await scene.authorize(["client_id": "my-app"])
            #expect(foreign.status == 400 && foreign.headers[.location] == nil)
            let stolen = try await redeem(scene.code(Self.challenged), scene, client: "my-app")
            #expect(stolen.status == 400)
            #expect(try await scene.entry("identity.token")?.answerName == "code-of-another-client")
            let refresh = try await scene.redeem(
                ["grant_type": "refresh_token", "refresh_token": site.json?["refresh_token"]?.string, "client_id": "my-app"],
                basic: .some(nil))
            #expect(refresh.status == 400)
            #expect(try await scene.entry("identity.token")?.answerName == "refresh-token-unknown")

            let metadata = try await server.send(.get, "\(scene.provider)/.well-known/openid-configuration").json
            #expect(
                metadata?["token_endpoint_auth_methods_supported"]?.strings == ["client_secret_basic", "client_secret_post", "none"])
            #expect(scene.identity["clients"]?.array?.first?["clientSecret"] == nil)
        }
    }

    // MARK: Further parameters

    @Test(arguments: [false, true])
    func `what OpenID Connect defines beyond, and what is unknown, is ignored, strictly or not`(_ isStrict: Bool) async throws {
        try await TestServer.run(configure: { $0.engine.isStrict = isStrict }) { server in
            let scene = try await Scene(server)
            let further =
                "max_age=3600&acr_values=loa1&ui_locales=en%20de&claims=%7B%22userinfo%22%3A%7B%7D%7D&display=touch"
                + "&audience=a&resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example&ext-app=1&ext-app=2"
            let query =
                "response_type=code&client_id=\(scene.clientId)&redirect_uri=\(Form.encoded(Scene.redirectURI))&scope=openid&\(further)"
            let page = try await server.send(.get, "\(scene.provider)/authorize?\(query)")
            #expect(page.status == 200, "\(page.text)")
            let answer = try await server.send(.get, "\(scene.provider)/authorize?\(query)&login_hint=ada")
            let code = try #require(Redirection(answer)?["code"], "\(answer.text)")
            let fields =
                "grant_type=authorization_code&code=\(code)&redirect_uri=\(Form.encoded(Scene.redirectURI))"
                + "&audience=a&resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example&device_id=7"
            let tokens = try await server.send(
                .post, "\(scene.provider)/token",
                headers: [
                    .contentType: "application/x-www-form-urlencoded", .authorization: Form.basic(scene.clientId, scene.clientSecret),
                ], body: Array(fields.utf8))
            #expect(tokens.status == 200, "\(tokens.text)")
            // OpenID Connect Core §2: required where max_age was sent.
            #expect(try Brand.claims(of: try #require(tokens.json?["id_token"]?.string))["auth_time"] == .integer(Scene.now))
            for operation in ["identity.authorize", "identity.token"] {
                for entry in try await server.journal("?operation=\(operation)") {
                    #expect(entry["findings"]?.array?.isEmpty ?? true, "\(entry["findings"] ?? .null)")
                }
            }
        }
    }

    @Test(arguments: [("request", "request_not_supported"), ("request_uri", "request_uri_not_supported")])
    func `a request object is refused by redirect, as the metadata says`(_ name: String, _ error: String) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            #expect(Redirection(try await scene.authorize([name: "x"]))?["error"] == error)
            let metadata = try await server.send(.get, "\(scene.provider)/.well-known/openid-configuration").json
            #expect(metadata?["\(name)_parameter_supported"] == false)
        }
    }
}
