import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Sign-out (OpenID Connect RP-Initiated Logout 1.0), and metadata at the root of the host (OpenID Connect Discovery 1.0 §4, RFC 8414 §3).
@Suite struct IdentitySessionTests {
    private func signOut(_ fields: KeyValuePairs<String, String>, _ scene: Scene, byPost: Bool = false) async throws -> TestAnswer {
        let text = fields.map { "\($0.key)=\(Form.encoded($0.value))" }.joined(separator: "&")
        guard byPost else { return try await scene.server.send(.get, "\(scene.provider)/logout?\(text)") }
        return try await scene.server.send(
            .post, "\(scene.provider)/logout", headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(text.utf8))
    }

    @Test(arguments: [false, true])
    func `a sign-out leads back to the client of the ID token, an expired one too`(_ byPost: Bool) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let token = try await scene.mint(["form": "jwt"])
            try await scene.advance("2h")
            let answer = try await signOut(
                ["id_token_hint": token, "post_logout_redirect_uri": Scene.redirectURI, "state": "a b&c", "ui_locales": "en", "x": "y"],
                scene, byPost: byPost)
            #expect(answer.status == 302, "\(answer.text)")
            let redirection = try #require(Redirection(answer))
            #expect(redirection.target == Scene.redirectURI && redirection.names == ["state"] && redirection["state"] == "a b&c")
            let entry = try await scene.entry(byPost ? "identity.endSessionByPost" : "identity.endSession")
            #expect(entry?.cause == "ada signed out" && entry?["lane"] == "ada")
            #expect(entry?["findings"]?.array?.isEmpty ?? true)
        }
    }

    @Test func `without a place to go a page is shown, and a rotated key's token is still known`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let token = try await scene.mint(["form": "jwt"])
            try await server.admin(.post, "tenants/identity/keys/rotate")
            let answer = try await signOut(["id_token_hint": token], scene)
            #expect(answer.status == 200 && answer.headers[.contentType] == "text/html; charset=utf-8", "\(answer.text)")
            let bare = try await server.send(.get, "\(scene.provider)/logout")
            #expect(bare.status == 200)
        }
    }

    /// A sign-out that leads nowhere.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var hint: JSON?
        let fields: KeyValuePairs<String, String>
        let answer: String
        let cause: String

        static let all = [
            Row(
                testDescription: "URI not registered",
                fields: ["client_id": "brand-app", "post_logout_redirect_uri": "https://evil.example"],
                answer: "invalid-redirect-uri", cause: "post_logout_redirect_uri 'https://evil.example' was sent"),
            Row(
                testDescription: "no client", fields: ["post_logout_redirect_uri": "https://liveperson.net"],
                answer: "invalid-redirect-uri", cause: "neither id_token_hint nor client_id"),
            Row(
                testDescription: "client unknown", fields: ["client_id": "eve"], answer: "unknown-client",
                cause: "no client has the id 'eve'"),
            Row(
                testDescription: "token of a stranger", hint: ["form": "jwt", "defect": "wrong-key"], fields: [:],
                answer: "invalid-request", cause: "no key of this provider has signed it"),
            Row(
                testDescription: "no token", fields: ["id_token_hint": "x"], answer: "invalid-request",
                cause: "id_token_hint: not a compact JWS"),
            Row(
                testDescription: "token of another client", hint: ["form": "jwt"], fields: ["client_id": "my-app"],
                answer: "invalid-request", cause: "the id_token_hint was issued to 'brand-app'"),
            Row(
                testDescription: "another client's URI",
                fields: ["client_id": "my-app", "post_logout_redirect_uri": "https://liveperson.net"],
                answer: "invalid-redirect-uri", cause: "'my.app:/bye' is registered"),
        ]
    }

    @Test(arguments: Row.all)
    func `nobody is sent where the client has not registered`(_ row: Row) async throws {
        let clients: JSON = [["clientId": "my-app", "postLogoutRedirectURIs": ["my.app:/bye"]]]
        try await TestServer.run(tenants: ["identity": ["clients": clients]]) { server in
            let scene = try await Scene(server)
            var text = row.fields.map { "\($0.key)=\(Form.encoded($0.value))" }
            if let hint = row.hint { text.append("id_token_hint=\(try await scene.mint(hint))") }
            let answer = try await server.send(.get, "\(scene.provider)/logout?\(text.joined(separator: "&"))")
            #expect(answer.status == 400 && answer.headers[.location] == nil, "\(answer.text)")
            let entry = try await scene.entry("identity.endSession")
            #expect(entry?.answerName == row.answer && entry?.cause.contains(row.cause) == true, "\(entry?.cause ?? "")")
        }
    }

    // MARK: Metadata at the root

    @Test(arguments: ["openid-configuration", "oauth-authorization-server"])
    func `the root of the host has no metadata of an issuer with a path, and says where it is`(_ document: String) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await server.send(.get, "/.well-known/\(document)")
            #expect(answer.status == 404, "\(answer.text)")
            let place = "\(server.addresses.baseURL)\(scene.provider)/.well-known/openid-configuration"
            #expect(answer.json?["error_description"]?.string?.contains(place) == true, "\(answer.text)")
        }
    }

    @Test(arguments: ["https://login.brand.example", "https://login.brand.example/"])
    func `the root of the host has the metadata of an issuer without a path`(_ issuer: String) async throws {
        try await TestServer.run(tenants: ["identity": ["issuer": .string(issuer)]]) { server in
            for document in ["openid-configuration", "oauth-authorization-server"] {
                let answer = try await server.send(.get, "/.well-known/\(document)")
                #expect(answer.status == 200 && answer.json?["issuer"] == .string(issuer), "\(answer.text)")
            }
        }
    }

    @Test func `the metadata is where RFC 8414 has it for an issuer with a path`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await server.send(.get, "/.well-known/oauth-authorization-server\(scene.provider)")
            #expect(answer.status == 200 && answer.json?["issuer"] == .string(server.addresses.baseURL + scene.provider))
            #expect(answer.json?["end_session_endpoint"] == .string(server.addresses.baseURL + scene.provider + "/logout"))
        }
    }
}
