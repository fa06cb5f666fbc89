import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// Native apps that listen on a port of their own device (RFC 8252 §7.3).
@Suite struct IdentityLoopbackTests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let registered: JSON = ["http://127.0.0.1:5000/callback", "http://[::1]/callback?x=1", "http://localhost:5000/callback"]

    private func authorize(_ uri: String, _ scene: Scene) async throws -> TestAnswer {
        try await scene.authorize([
            "redirect_uri": uri, "code_challenge": PKCE.challenge(for: Self.verifier, method: .s256), "code_challenge_method": "S256",
        ])
    }

    private func redeem(_ code: String, _ uri: String, _ scene: Scene) async throws -> TestAnswer {
        try await scene.redeem(
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": uri, "code_verifier": Self.verifier,
                "client_id": scene.clientId,
            ], basic: .some(nil))
    }

    @Test(arguments: [
        "http://127.0.0.1:5000/callback", "http://127.0.0.1:5999/callback", "http://127.0.0.1/callback", "http://127.0.0.1:65535/callback",
        "http://[::1]:61023/callback?x=1",
    ])
    func `a public client gets its code at any port, and redeems it with that one`(_ uri: String) async throws {
        try await TestServer.run(tenants: ["identity": ["clientAuthentication": "none", "redirectURIs": Self.registered]]) { server in
            let scene = try await Scene(server)
            let redirection = try #require(Redirection(try await authorize(uri, scene)))
            #expect(redirection.location.hasPrefix(uri + (uri.contains("?") ? "&" : "?") + "code="))
            let code = try #require(redirection["code"])
            let other = try await redeem(code, "http://127.0.0.1:4999/callback", scene)
            #expect(other.status == 400)
            #expect(try await scene.entry("identity.token")?.answerName == "redirect-uri-mismatch")
            #expect(try await redeem(code, uri, scene).status == 200)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:5999/other", "http://127.0.0.1:5999/callback/", "http://127.0.0.1:5999/callback?x=1", "http://127.0.0.1:5999",
        "https://127.0.0.1:5999/callback", "HTTP://127.0.0.1:5999/callback", "http://127.0.0.2:5999/callback",
        "http://localhost:5999/callback", "http://127.0.0.1:5999@evil.example/callback", "http://127.0.0.1@evil.example/callback",
        "http://127.0.0.1.evil.example/callback", "http://127.0.0.1:5999.evil.example/callback", "http://127.0.0.1:/callback",
        "http://127.0.0.1:0/callback", "http://127.0.0.1:65536/callback", "http://127.0.0.1:+80/callback",
        "http://127.0.0.1:5999#/callback", "http://[::1]:61023/callback", "http://[::2]:61023/callback?x=1",
    ])
    func `nothing but the port may differ, and of an address of the loopback only`(_ uri: String) async throws {
        try await TestServer.run(tenants: ["identity": ["clientAuthentication": "none", "redirectURIs": Self.registered]]) { server in
            let scene = try await Scene(server)
            let answer = try await authorize(uri, scene)
            #expect(answer.status == 400 && answer.headers[.location] == nil, "\(answer.status)")
            #expect(try await scene.entry("identity.authorize")?.answerName == "invalid-redirect-uri")
        }
    }

    @Test func `a client with a secret is held to the port, and the journal says so`() async throws {
        try await TestServer.run(tenants: ["identity": ["redirectURIs": Self.registered]]) { server in
            let scene = try await Scene(server)
            #expect(try await authorize("http://127.0.0.1:5999/callback", scene).status == 400)
            #expect(
                try await scene.entry("identity.authorize")?.cause
                    == "redirect_uri differs in its port: 'http://127.0.0.1:5999/callback' was sent, 'http://127.0.0.1:5000/callback' is registered"
            )
        }
    }
}
