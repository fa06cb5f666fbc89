import Crypto
import Foundation
import HTTPTypes
import JWTKit
import SparringJSON
import Support
import Testing

/// The authorization endpoint, against RFC 6749 §4.1 and §4.2, RFC 7636 §4.4.1 and OpenID Connect Core §3.
@Suite struct IdentityAuthorizationTests {
    /// Parameters in place of or beside those of a sound code flow, and the error that the redirect reports.
    struct ErrorRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let parameters: KeyValuePairs<String, String?>
        let error: String
        let reason: String
        let isFragment: Bool

        init(_ name: String, _ parameters: KeyValuePairs<String, String?>, _ error: String, _ reason: String, isFragment: Bool = false) {
            (testDescription, self.parameters, self.error, self.reason, self.isFragment) = (name, parameters, error, reason, isFragment)
        }

        static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        static let all = [
            ErrorRow("response_type missing", ["response_type": nil], "invalid_request", "response_type is missing", isFragment: true),
            ErrorRow(
                "response_type unknown", ["response_type": "magic"], "unsupported_response_type", "'magic' is not one of", isFragment: true),
            ErrorRow(
                "hybrid flow", ["response_type": "code id_token"], "unsupported_response_type", "'code id_token' is not one of",
                isFragment: true),
            ErrorRow("scope that none can be", ["scope": "openid a\\b"], "invalid_scope", "is not a scope"),
            ErrorRow("prompt=none and another", ["prompt": "none login"], "invalid_request", "prompt=none came together"),
            ErrorRow("response_mode unknown", ["response_mode": "pigeon"], "invalid_request", "response_mode 'pigeon'"),
            ErrorRow(
                "challenge method unknown", ["code_challenge": challenge, "code_challenge_method": "S512"], "invalid_request",
                "not supported"),
            ErrorRow(
                "challenge method without challenge", ["code_challenge_method": "S256"], "invalid_request", "came without code_challenge"),
            ErrorRow(
                "S256 challenge too short", ["code_challenge": "abc", "code_challenge_method": "S256"], "invalid_request", "not a S256"),
            ErrorRow("plain challenge too short", ["code_challenge": "abc"], "invalid_request", "not a plain"),
            ErrorRow("prompt=none and nobody named", ["prompt": "none", "login_hint": nil], "login_required", "no login_hint"),
            ErrorRow("implicit without nonce", ["response_type": "id_token"], "invalid_request", "nonce is missing", isFragment: true),
        ]
    }

    @Test(arguments: ErrorRow.all, TestServer.Speed.usual)
    func `an error is reported to the client by redirect, with its state`(_ row: ErrorRow, _ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(row.parameters)
            let redirection = try #require(Redirection(answer), "\(answer.status) \(answer.text)")
            #expect(redirection.target == Scene.redirectURI)
            #expect(redirection.isFragment == row.isFragment)
            #expect(redirection["error"] == row.error)
            #expect(redirection["error_description"]?.contains(row.reason) == true, "\(redirection["error_description"] ?? "")")
            #expect(redirection["state"] == "af0ifjsldkj")
            #expect(redirection["code"] == nil && redirection["id_token"] == nil)
            let entry = try await scene.entry("identity.authorize")
            #expect(entry?.cause.hasPrefix(row.error) == true && entry?.cause.contains(row.reason) == true)
        }
    }

    @Test func `PKCE can be demanded`() async throws {
        try await TestServer.run(tenants: ["identity": ["pkce": "required"]]) { server in
            let scene = try await Scene(server)
            let redirection = try #require(Redirection(try await scene.authorize()))
            #expect(redirection["error"] == "invalid_request" && redirection["error_description"] == "code challenge required")
            #expect(
                Redirection(try await scene.authorize(["code_challenge": ErrorRow.challenge, "code_challenge_method": "S256"]))?["code"]
                    != nil)
        }
    }

    /// A client that cannot be trusted with a redirect (RFC 6749 §4.1.2.1).
    struct UntrustedRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let parameters: KeyValuePairs<String, String?>
        let answer: String
        let cause: String

        static let all = [
            UntrustedRow(
                testDescription: "client_id missing", parameters: ["client_id": nil], answer: "unknown-client",
                cause: "client_id is missing"),
            UntrustedRow(
                testDescription: "client_id unknown", parameters: ["client_id": "eve"], answer: "unknown-client",
                cause: "no client has the id 'eve'"),
            UntrustedRow(
                testDescription: "redirect URI foreign", parameters: ["redirect_uri": "https://evil.example/cb"],
                answer: "invalid-redirect-uri",
                cause: "'https://evil.example/cb' was sent"),
            UntrustedRow(
                testDescription: "redirect URI with a slash", parameters: ["redirect_uri": "https://liveperson.net/"],
                answer: "invalid-redirect-uri",
                cause: "differs by a trailing slash"),
            UntrustedRow(
                testDescription: "redirect URI with user info", parameters: ["redirect_uri": "https://liveperson.net@evil.example"],
                answer: "invalid-redirect-uri", cause: "was sent"),
            UntrustedRow(
                testDescription: "redirect URI with a longer host", parameters: ["redirect_uri": "https://liveperson.net.evil.example"],
                answer: "invalid-redirect-uri", cause: "was sent"),
            UntrustedRow(
                testDescription: "redirect URI of a script", parameters: ["redirect_uri": "javascript:alert(1)"],
                answer: "invalid-redirect-uri",
                cause: "was sent"),
            UntrustedRow(
                testDescription: "redirect URI empty", parameters: ["redirect_uri": ""], answer: "invalid-redirect-uri", cause: "was sent"),
            UntrustedRow(
                testDescription: "everything wrong at once",
                parameters: ["redirect_uri": "https://evil.example", "response_type": "magic"],
                answer: "invalid-redirect-uri", cause: "was sent"),
        ]
    }

    @Test(arguments: UntrustedRow.all, TestServer.Speed.usual)
    func `nobody is ever sent to a redirect URI that is not registered`(_ row: UntrustedRow, _ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(row.parameters)
            #expect(answer.status == 400)
            #expect(answer.headers[.location] == nil)
            #expect(answer.json?["error"] == "invalid_request")
            let entry = try await scene.entry("identity.authorize")
            #expect(entry?.answerName == row.answer && entry?.cause.contains(row.cause) == true, "\(entry?.cause ?? "")")
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `a parameter that comes twice is refused without a redirect`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let query =
                "response_type=code&client_id=\(scene.clientId)&redirect_uri=https%3A%2F%2Fliveperson.net&redirect_uri=https%3A%2F%2Fevil.example"
            let answer = try await server.send(.get, "\(scene.provider)/authorize?\(query)")
            #expect(answer.status == 400 && answer.json?["error"] == "invalid_request" && answer.headers[.location] == nil)
        }
    }

    @Test func `one of several registered redirect URIs must be named, the only one need not be`() async throws {
        let tenants: JSON.Object = ["identity": ["redirectURIs": ["https://a.example/cb?x=1", "app.brand:/done"]]]
        try await TestServer.run(tenants: tenants) { server in
            let scene = try await Scene(server)
            #expect(try await scene.authorize(["redirect_uri": nil]).status == 400)
            // RFC 6749 §3.1.2: a query that the URI has is kept.
            let kept = try #require(Redirection(try await scene.authorize(["redirect_uri": "https://a.example/cb?x=1"])))
            #expect(kept.location.hasPrefix("https://a.example/cb?x=1&code="))
            #expect(
                Redirection(try await scene.authorize(["redirect_uri": "app.brand:/done"]))?.location.hasPrefix("app.brand:/done?code=")
                    == true)
        }
        try await TestServer.run { server in
            let scene = try await Scene(server)
            #expect(Redirection(try await scene.authorize(["redirect_uri": nil]))?.target == Scene.redirectURI)
        }
    }

    // MARK: What is granted

    @Test(arguments: [nil, "query", "fragment"], TestServer.Speed.usual)
    func `a code comes in the query, or in the fragment if that was asked for`(_ mode: String?, _ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(["response_mode": mode, "state": "a b&c=d#é"])
            let redirection = try #require(Redirection(answer))
            #expect(redirection.isFragment == (mode == "fragment"))
            #expect(redirection["state"] == "a b&c=d#é")
            #expect(redirection.names == ["code", "iss", "state"])
            #expect(redirection["iss"] == scene.issuer)  // RFC 9207
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test(arguments: [
        ("id_token", ["id_token", "iss", "state"]), ("token", ["access_token", "expires_in", "iss", "state", "token_type"]),
        ("id_token token", ["access_token", "expires_in", "id_token", "iss", "state", "token_type"]),
        ("token id_token", ["access_token", "expires_in", "id_token", "iss", "state", "token_type"]),
    ])
    func `tokens of the implicit flow come in the fragment`(_ responseType: String, _ names: [String]) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let redirection = try #require(
                Redirection(try await scene.authorize(["response_type": responseType, "nonce": "n-0S6_WzA2Mj"])))
            #expect(redirection.isFragment && redirection.target == Scene.redirectURI)
            #expect(redirection.names == names)
            guard let token = redirection["id_token"] else { return }
            let keys = JWTKeyCollection()
            try await keys.add(jwksJSON: server.send(.get, "\(scene.provider)/jwks.json").text)
            let claims = try await Brand.claims(of: token, verifiedWith: keys)
            #expect(claims["nonce"] == "n-0S6_WzA2Mj" && claims["sub"] == "ada" && claims["aud"] == .string(scene.clientId))
            // OpenID Connect Core §3.2.2.10: required with an access token, and no claim where none comes.
            #expect(claims["at_hash"] == redirection["access_token"].map { JSON.string(Self.halfHash($0)) })
            #expect(try await scene.signIn(.v2, token: token).status == 200)
        }
    }

    /// OpenID Connect Core §3.2.2.9, worked out independently.
    private static func halfHash(_ token: String) -> String {
        Data(SHA256.hash(data: Data(token.utf8)).prefix(16)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A client that compares `at_hash` can be tested with one that does not fit.
    @Test func `the claim can be another token's, for a code that was minted so`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let code = try await scene.mint(["form": "code", "claims": ["at_hash": "MTIzNDU2Nzg5MDEyMzQ1Ng"]])
            let token = try #require(try await scene.redeem(code: code).json?["id_token"]?.string)
            #expect(try Brand.claims(of: token)["at_hash"] == "MTIzNDU2Nzg5MDEyMzQ1Ng")
            #expect(try Brand.claims(of: try await scene.mint(["form": "jwt"]))["at_hash"] == nil)
        }
    }

    @Test func `tokens are never put into a query`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await scene.authorize(["response_type": "id_token", "nonce": "n", "response_mode": "query"])
            let redirection = try #require(Redirection(answer))
            #expect(redirection["error"] == "invalid_request" && redirection["id_token"] == nil)
        }
    }
}
