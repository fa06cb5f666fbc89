import Foundation
import HTTPTypes
import SparringJSON
import Support
import Testing

/// Talkdesk ID: who gets an access token, and how each failure looks (Talkdesk reference 3.4; RFC 6749 §5.2, RFC 7523 §3).
@Suite struct TalkdeskIDTests {
    /// How an assertion is made, and the name under which it is refused.
    private struct Assertion: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var name: String
        var claims: JSON.Object = [:]
        var kid: String? = "key-1"
        var key = 4
        var alg = "ES256"
        /// Seconds that claims are off by.
        var times: [String: Int64] = [:]
    }

    private static let assertions: [Assertion] = [
        .init(testDescription: "as it should be", name: "token-issued"),
        .init(
            testDescription: "several audiences", name: "token-issued", claims: ["aud": ["x", "https://acme.talkdeskid.eu/oauth/token"]]),
        .init(testDescription: "iat a minute ahead", name: "token-issued", times: ["iat": 59, "exp": 59]),
        .init(testDescription: "a stranger's key", name: "assertion-bad-signature", key: 3),
        .init(testDescription: "an unknown kid", name: "assertion-key-unknown", kid: "key-2"),
        .init(testDescription: "no kid", name: "assertion-key-unknown", kid: nil),
        .init(testDescription: "alg HS256", name: "assertion-algorithm-refused", alg: "HS256"),
        .init(testDescription: "alg none", name: "assertion-algorithm-refused", alg: "none"),
        .init(testDescription: "another subject", name: "assertion-subject-mismatch", claims: ["sub": "somebody"]),
        .init(testDescription: "another issuer", name: "assertion-subject-mismatch", claims: ["iss": "somebody"]),
        .init(testDescription: "no issuer", name: "assertion-claim-missing", claims: ["iss": .null]),
        .init(testDescription: "no jti", name: "assertion-claim-missing", claims: ["jti": .null]),
        .init(testDescription: "an empty jti", name: "assertion-claim-missing", claims: ["jti": ""]),
        .init(testDescription: "no exp", name: "assertion-claim-missing", claims: ["exp": .null]),
        .init(testDescription: "exp is no number", name: "assertion-malformed", claims: ["exp": "soon"]),
        .init(
            testDescription: "the issuer for an audience", name: "assertion-audience-mismatch",
            claims: ["aud": "https://acme.talkdeskid.com"]),
        .init(
            testDescription: "another account's audience", name: "assertion-audience-mismatch",
            claims: ["aud": "https://other.talkdeskid.com/oauth/token"]),
        .init(testDescription: "expired this second", name: "assertion-expired", times: ["iat": -300, "exp": -300]),
        .init(testDescription: "lives six minutes", name: "assertion-too-long", times: ["exp": 60]),
        .init(testDescription: "issued in two minutes", name: "assertion-from-the-future", times: ["iat": 120, "exp": 120]),
    ]

    @Test(arguments: assertions, TestServer.Speed.usual)
    private func `an assertion is taken, or refused by a name of its own`(_ row: Assertion, _ speed: TestServer.Speed) async throws {
        try await TalkdeskScene.run([:], speed) { scene async throws in
            var claims = row.claims
            let now = try await scene.now()
            for (name, seconds) in row.times { claims[name] = .integer(now + seconds + (name == "exp" ? 300 : 0)) }
            let answer = try await scene.token(
                TalkdeskScene.form(try await scene.assertion(claims, kid: row.kid, key: row.key, alg: row.alg)), basic: nil)
            #expect(try await scene.answer(to: "issueToken") == row.name, "\(answer.text)")
            #expect(answer.talkdeskWords == (row.name == "token-issued" ? "200 " : "401 invalid_client"))
            #expect(answer.headers[.wwwAuthenticate] == nil && answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test func `an assertion that was taken is not taken again, until it would have expired anyway`() async throws {
        try await TalkdeskScene.run { scene async throws in
            let form = TalkdeskScene.form(try await scene.assertion(["jti": "once"]))
            #expect(try await scene.token(form, basic: nil).status == 200)
            #expect(try await scene.token(form, basic: nil).talkdeskWords == "401 invalid_client")
            #expect(try await scene.answer(to: "issueToken") == "assertion-reused")
            // It is the jti that counts.
            _ = try await scene.token(TalkdeskScene.form(try await scene.assertion(["jti": "once"])), basic: nil)
            #expect(try await scene.answer(to: "issueToken") == "assertion-reused")
            try await scene.advance("301s")
            _ = try await scene.token(form, basic: nil)
            #expect(try await scene.answer(to: "issueToken") == "assertion-expired")
            #expect(try await scene.token(TalkdeskScene.form(try await scene.assertion(["jti": "once"])), basic: nil).status == 200)
        }
    }

    /// The fields and the `Authorization` beside the grant, the answer's words, and its name.
    @Test(
        arguments: [
            ([:], TalkdeskScene.basic(TalkdeskScene.client, TalkdeskScene.secret), "200 ", "token-issued"),
            (["client_id": TalkdeskScene.client, "client_secret": TalkdeskScene.secret], nil, "200 ", "token-issued"),
            ([:], TalkdeskScene.basic(TalkdeskScene.client, "wrong"), "401 invalid_client", "client-refused"),
            (["client_id": TalkdeskScene.client, "client_secret": "wrong"], nil, "401 invalid_client", "client-refused"),
            (["client_id": TalkdeskScene.client], nil, "401 invalid_client", "client-authentication-missing"),
            (
                ["client_id": "", "client_secret": "", "scope": ""], TalkdeskScene.basic(TalkdeskScene.client, TalkdeskScene.secret),
                "200 ", "token-issued"
            ),
            (["client_id": TalkdeskScene.account], nil, "401 invalid_client", "client-unknown"),
            (
                ["client_id": "another"], TalkdeskScene.basic(TalkdeskScene.client, TalkdeskScene.secret), "400 invalid_request",
                "client-authentication-ambiguous"
            ),
            (
                ["client_secret": TalkdeskScene.secret], TalkdeskScene.basic(TalkdeskScene.client, TalkdeskScene.secret),
                "400 invalid_request", "client-authentication-ambiguous"
            ),
            (["client_id": TalkdeskScene.client], "Bearer x", "401 invalid_client", "client-authentication-missing"),
            (
                [
                    "client_id": TalkdeskScene.client, "client_assertion": "x.y.z",
                    "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                ], nil, "401 invalid_client", "assertion-malformed"
            ),
            (
                ["client_id": TalkdeskScene.client, "client_assertion": "x.y.z", "client_assertion_type": "jwt"], nil, "401 invalid_client",
                "assertion-type-unsupported"
            ),
        ] as [([String: String], String?, String, String)])
    func `a client proves who it is in one way`(_ form: [String: String], _ basic: String?, _ words: String, _ name: String) async throws {
        try await TalkdeskScene.run { scene async throws in
            let answer = try await scene.token(form.merging(["grant_type": "client_credentials"]) { $1 }, basic: basic)
            #expect(answer.talkdeskWords == words, "\(answer.text)")
            #expect(try await scene.answer(to: "issueToken") == name)
        }
    }

    @Test func `who is unknown everywhere is answered as Talkdesk ID does, though CXone has the same path`() async throws {
        try await TalkdeskScene.run { scene async throws in
            let answer = try await scene.token(["grant_type": "client_credentials"], basic: TalkdeskScene.basic("nobody", "x"))
            #expect(answer.talkdeskWords == "401 invalid_client")
            // Nothing says whose it is.
            #expect(try await scene.token(["grant_type": "client_credentials"], basic: nil).status == 404)
        }
    }

    /// A client's configuration, the form, and the answer.
    @Test(
        arguments: [
            ([:], ["grant_type": "password"], "400 unsupported_grant_type", "unsupported-grant-type"),
            (["grantTypes": ["refresh_token"]], ["grant_type": "client_credentials"], "400 unauthorized_client", "unauthorized-client"),
            ([:], ["grant_type": "client_credentials", "scope": "media-sessions:execute"], "400 invalid_scope", "invalid-scope"),
            (
                ["scopes": ["media-sessions:execute"]], ["grant_type": "client_credentials", "scope": "media-sessions:execute"], "200 ",
                "token-issued"
            ),
            ([:], ["grant_type": "authorization_code"], "400 invalid_request", "request-malformed"),
            ([:], ["grant_type": "authorization_code", "code": "nonsense", "redirect_uri": "x"], "400 invalid_grant", "code-unknown"),
            ([:], ["grant_type": "refresh_token", "refresh_token": "nonsense"], "400 invalid_grant", "refresh-token-unknown"),
            ([:], [:], "400 invalid_request", "request-malformed"),
        ] as [(JSON.Object, [String: String], String, String)])
    func `a grant is refused by its cause`(_ client: JSON.Object, _ form: [String: String], _ words: String, _ name: String) async throws {
        try await TestServer.run(tenants: TalkdeskScene.tenants(["clients": TalkdeskScene.clients(client)])) { server in
            let scene = TalkdeskScene(server: server)
            let answer = try await scene.token(form)
            #expect(answer.talkdeskWords == words, "\(answer.text)")
            #expect(try await scene.answer(to: "issueToken") == name)
        }
    }

    @Test func `a code is good once, for a minute, and for its redirect URI`() async throws {
        try await TalkdeskScene.run { scene async throws in
            let first = try await scene.code()
            let tokens = try await scene.redeem(first)
            #expect(tokens.json?["expires_in"] == 600 && tokens.json?["refresh_token"]?.string != nil)
            let claims = Self.claims(tokens.json?["id_token"]?.string)
            #expect(claims["sub"] == "ada" && claims["aud"]?.string == scene.client)
            #expect(Self.claims(tokens.json?["access_token"]?.string)["account"]?.string == TalkdeskScene.account)
            var names: [String] = []
            func refused(_ answer: TestAnswer) async throws {
                #expect(answer.talkdeskWords == "400 invalid_grant", "\(answer.text)")
                names.append(try await scene.answer(to: "issueToken"))
            }
            try await refused(scene.redeem(first))
            try await refused(scene.redeem(scene.code(), TalkdeskScene.callback + "/"))
            let late = try await scene.code()
            try await scene.advance("60s")
            try await refused(scene.redeem(late))
            #expect(names == ["code-reused", "redirect-uri-mismatch", "code-expired"])
        }
    }

    @Test func `each refresh token is replaced by its use, and none is given for a client's own credentials`() async throws {
        try await TalkdeskScene.run { scene async throws in
            let first = try await scene.redeem(scene.code()).json?["refresh_token"]?.string ?? ""
            let second = try await scene.refresh(first).json?["refresh_token"]?.string ?? ""
            #expect(try await scene.refresh(first).talkdeskWords == "400 invalid_grant")
            #expect(try await scene.answer(to: "issueToken") == "refresh-token-reused")
            let wider = try await scene.token(
                ["grant_type": "refresh_token", "refresh_token": second, "scope": "callback:write"])
            #expect(wider.talkdeskWords == "400 invalid_scope")
            let narrow = try await scene.token(["grant_type": "refresh_token", "refresh_token": second, "scope": "openid"])
            #expect(narrow.json?["scope"] == "openid")
            let third = narrow.json?["refresh_token"]?.string ?? ""
            let whole = try await scene.refresh(third)
            #expect(whole.json?["scope"] == "openid visual-sessions:execute", "a refresh token keeps its scope (RFC 6749 §6)")
            let fourth = whole.json?["refresh_token"]?.string ?? ""
            let unspent = try await scene.code()
            try await scene.act("signOut", ["consumer": "ada"])
            #expect(try await scene.redeem(unspent).status == 400)
            #expect(try await scene.refresh(fourth).talkdeskWords == "400 invalid_grant")
            #expect(try await scene.answer(to: "issueToken") == "refresh-token-revoked")
            let own = try await scene.token(["grant_type": "client_credentials"])
            #expect(own.json?["refresh_token"] == nil && own.json?["id_token"] == nil)
            _ = try await scene.refresh(own.json?["access_token"]?.string ?? "")
            #expect(try await scene.entry("issueToken")["cause"]?.string?.contains("that is an access token") == true)
        }
    }

    /// Parameters of the authorization request, and what comes of them: the status, and the error in the redirect.
    @Test(
        arguments: [
            ([:], "302 "), (["redirect_uri": "https://brand.example/other"], "400 invalid_request"),
            (["redirect_uri": nil], "400 invalid_request"), (["client_id": TalkdeskScene.account], "400 invalid_request"),
            (["response_type": nil], "302 invalid_request"), (["response_type": "token"], "302 unsupported_response_type"),
            (["scope": "everything"], "302 invalid_scope"), (["login_hint": nil], "302 login_required"),
            (["login_hint": "mallory"], "302 access_denied"),
        ] as [([String: String?], String)])
    func `an authorization request is answered by redirect, unless nobody can be trusted with one`(
        _ parameters: [String: String?], _ words: String
    ) async throws {
        try await TalkdeskScene.run(["backend": ["denied": ["mallory"]]]) { scene async throws in
            let answer = try await scene.authorize(parameters)
            let query = answer.headers[.location].flatMap { URLComponents(string: $0)?.queryItems } ?? []
            let error = query.first { $0.name == "error" }?.value ?? answer.json?["error"]?.string ?? ""
            #expect("\(answer.status) \(error)" == words, "\(answer.text)")
            #expect(answer.status == 400 || query.contains { $0.name == "state" && $0.value == "s1" })
        }
    }

    @Test func `tokens live as long as the account says, and as a fault says`() async throws {
        try await TalkdeskScene.run(["tokenLifetime": "90s", "tokenForm": "opaque"]) { scene async throws in
            #expect(try await scene.token(["grant_type": "client_credentials"]).json?["expires_in"] == 90)
            _ = try await scene.server.arm("talkdesk.issueToken mint lifetime=30s times=1")
            let short = try await scene.token(["grant_type": "client_credentials"])
            #expect(short.json?["expires_in"] == 30 && short.json?["access_token"]?.string?.contains(".") == false)
            try await scene.server.admin(.patch, "tenants/talkdesk", ["tokenLifetime": "2m"])
            #expect(try await scene.token(["grant_type": "client_credentials"]).json?["expires_in"] == 120)
        }
    }

    @Test func `a 401 carries a Basic challenge only where the account wants it`() async throws {
        for wants in [false, true] {
            try await TalkdeskScene.run(["sendsBasicChallenge": .bool(wants), "backend": ["sendsBasicChallenge": .bool(wants)]]) {
                scene async throws in
                let id = try await scene.token(["grant_type": "client_credentials"], basic: TalkdeskScene.basic(scene.client, "wrong"))
                let backend = try await scene.server.send(
                    .post, "/token/example-app-ios", headers: [.authorization: TalkdeskScene.basic("a", "b")])
                #expect(id.headers[.wwwAuthenticate] == (wants ? "Basic realm=\"Talkdesk ID\"" : nil))
                #expect(backend.headers[.wwwAuthenticate] == (wants ? "Basic realm=\"API Authorization\"" : nil))
            }
        }
    }

    private static func claims(_ token: String?) -> JSON {
        let part = (token ?? "").split(separator: ".").dropFirst().first.map(String.init) ?? ""
        let padded = part.replacing("-", with: "+").replacing("_", with: "/") + String(repeating: "=", count: (4 - part.count % 4) % 4)
        return Data(base64Encoded: padded).flatMap { try? JSON(parsing: Array($0)) } ?? [:]
    }
}
