import Foundation
import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// The token endpoint, against RFC 6749 §2.3.1, §4.1.3, §5 and §6.
@Suite struct IdentityTokenTests {
    private static let secret = "s:e c%+&=ret/é"

    @Test(arguments: TestServer.Speed.usual)
    func `a client says who it is by Basic or in the body, and never by both`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed, tenants: ["identity": ["clientId": "brand app:ü", "clientSecret": .string(Self.secret)]]) {
            server in
            let scene = try await Scene(server)
            // A colon within the id is what form-encoding is for (RFC 6749 §2.3.1).
            #expect(try await scene.redeem(code: scene.code()).status == 200)
            let byBody = try await scene.redeem(
                [
                    "grant_type": "authorization_code", "code": scene.code(), "redirect_uri": Scene.redirectURI,
                    "client_id": scene.clientId,
                    "client_secret": scene.clientSecret,
                ], basic: .some(nil))
            #expect(byBody.status == 200, "\(byBody.text)")
            let both = try await scene.redeem([
                "grant_type": "authorization_code", "code": scene.code(), "redirect_uri": Scene.redirectURI, "client_id": scene.clientId,
                "client_secret": scene.clientSecret,
            ])
            #expect(both.status == 400 && both.json?["error"] == "invalid_request")
        }
    }

    @Test func `a secret that was not form-encoded is taken as it is`() async throws {
        try await TestServer.run(tenants: ["identity": ["clientSecret": "50%/off"]]) { server in
            let scene = try await Scene(server)
            let raw = "Basic " + Data("brand-app:50%/off".utf8).base64EncodedString()
            let answer = try await scene.redeem(
                ["grant_type": "authorization_code", "code": scene.code(), "redirect_uri": Scene.redirectURI], basic: .some(nil),
                headers: [.authorization: raw])
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    /// A defect in the token request of a sound code.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var authorization: String?
        var form: KeyValuePairs<String, String?>
        let status: Int
        let error: String
        let answer: String

        static let code: KeyValuePairs<String, String?> = [
            "grant_type": "authorization_code", "code": "SplxlOBeZQQYbYS6WxSbIA", "redirect_uri": Scene.redirectURI,
        ]
        static let all = [
            Row(testDescription: "no authentication", form: code, status: 401, error: "invalid_client", answer: "invalid-client"),
            Row(
                testDescription: "bearer", authorization: "Bearer abc", form: code, status: 401, error: "invalid_client",
                answer: "invalid-client"),
            Row(
                testDescription: "Basic of rubbish", authorization: "Basic !!!", form: code, status: 401, error: "invalid_client",
                answer: "invalid-client"),
            Row(
                testDescription: "Basic without colon", authorization: "Basic YWJj", form: code, status: 401, error: "invalid_client",
                answer: "invalid-client"),
            Row(
                testDescription: "unknown client", authorization: Form.basic("eve", "brand-secret"), form: code, status: 401,
                error: "invalid_client",
                answer: "invalid-client"),
            Row(
                testDescription: "wrong secret", authorization: Form.basic("brand-app", "wrong"), form: code, status: 401,
                error: "invalid_client",
                answer: "client-refused"),
            Row(
                testDescription: "client_id without secret",
                form: ["grant_type": "authorization_code", "client_id": "brand-app", "code": "x"], status: 401,
                error: "invalid_client", answer: "invalid-client"),
            Row(
                testDescription: "grant_type missing", authorization: sound, form: ["code": "x"], status: 400, error: "invalid_request",
                answer: "invalid-request"),
            Row(
                testDescription: "grant_type unknown", authorization: sound, form: ["grant_type": "password", "username": "ada"],
                status: 400,
                error: "unsupported_grant_type", answer: "unsupported-grant-type"),
            Row(
                testDescription: "code missing", authorization: sound, form: ["grant_type": "authorization_code"], status: 400,
                error: "invalid_request",
                answer: "invalid-request"),
            Row(
                testDescription: "code unknown", authorization: sound, form: code, status: 400, error: "invalid_grant",
                answer: "code-unknown"),
            Row(
                testDescription: "refresh_token missing", authorization: sound, form: ["grant_type": "refresh_token"], status: 400,
                error: "invalid_request", answer: "invalid-request"),
            Row(
                testDescription: "refresh_token unknown", authorization: sound,
                form: ["grant_type": "refresh_token", "refresh_token": "x"], status: 400,
                error: "invalid_grant", answer: "refresh-token-unknown"),
            Row(
                testDescription: "grant_type twice", authorization: sound,
                form: ["grant_type": "authorization_code", "grant_type": "authorization_code", "code": "x"], status: 400,
                error: "invalid_request",
                answer: "invalid-request"),
        ]
        private static let sound = Form.basic("brand-app", "brand-secret")
    }

    @Test(arguments: Row.all, TestServer.Speed.usual)
    func `what is wrong with a token request is named as RFC 6749 has it`(_ row: Row, _ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed, tenants: ContractExamples.tenants) { server in
            let scene = try await Scene(server)
            let headers: HTTPFields = row.authorization.map { [.authorization: $0] } ?? [:]
            let answer = try await scene.redeem(row.form, basic: .some(nil), headers: headers)
            #expect(answer.status == row.status)
            #expect(answer.json?["error"] == .string(row.error), "\(answer.text)")
            #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.init("Pragma")!] == "no-cache")
            // RFC 6749 §5.2: the scheme that the client used.
            #expect((answer.headers[.wwwAuthenticate]?.hasPrefix("Basic ") == true) == (row.status == 401))
            let entry = try #require(try await scene.entry("identity.token"))
            #expect(entry.answerName == row.answer && !entry.cause.isEmpty)
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test func `a redeemed code gives tokens that no cache keeps`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await scene.redeem(code: scene.code(["scope": "openid profile"]))
            let body = try #require(answer.json)
            #expect(body["token_type"] == "Bearer" && body["expires_in"] == 3600 && body["scope"] == "openid profile")
            #expect(body["access_token"]?.string != nil && body["refresh_token"]?.string != nil && body["id_token"]?.string != nil)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.init("Pragma")!] == "no-cache")
        }
    }

    // MARK: Refreshing

    @Test func `each refresh token is good once and is replaced`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let first = try #require(try await scene.redeem(code: scene.code()).json?["refresh_token"]?.string)
            try await scene.advance("10m")
            let refreshed = try await scene.redeem(["grant_type": "refresh_token", "refresh_token": first])
            #expect(refreshed.status == 200)
            let second = try #require(refreshed.json?["refresh_token"]?.string)
            #expect(second != first)
            let claims = try Brand.claims(of: try #require(refreshed.json?["id_token"]?.string))
            #expect(claims["sub"] == "ada" && claims["iat"] == .integer(Scene.now + 600) && claims["exp"] == .integer(Scene.now + 4200))
            let access = try #require(refreshed.json?["access_token"]?.string)
            #expect(claims["at_hash"] == .string(SigningAlgorithm.rs256.halfHash(of: access)))

            try await scene.advance("12s")
            let again = try await scene.redeem(["grant_type": "refresh_token", "refresh_token": first])
            #expect(again.status == 400 && again.json?["error"] == "invalid_grant")
            let used = try #require(try await server.journal("?operation=identity.token").dropLast().last?["number"]?.integer)
            let cause = try await scene.entry("identity.token")?.cause
            #expect(
                cause?.hasPrefix("refresh_token was used by entry \(used), 12 s ago, and replaced; what replaced it is revoked") == true)
        }
    }

    /// RFC 9700 §4.14.2.
    @Test func `a refresh token that is used twice ends its family, and no other`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            func refresh(_ token: String) async throws -> (status: Int, next: String?) {
                let answer = try await scene.redeem(["grant_type": "refresh_token", "refresh_token": token])
                return (answer.status, answer.json?["refresh_token"]?.string)
            }
            let first = try #require(try await scene.redeem(code: scene.code()).json?["refresh_token"]?.string)
            let other = try #require(try await scene.redeem(code: scene.code()).json?["refresh_token"]?.string)
            let second = try #require(try await refresh(first).next)
            let third = try #require(try await refresh(second).next)
            #expect(try await refresh(first).status == 400)
            let reuse = try #require(try await server.journal("?operation=identity.token").last?["number"]?.integer)
            #expect(try await refresh(third).status == 400)
            #expect(
                try await scene.entry("identity.token")?.cause
                    == "refresh_token was revoked when entry \(reuse) used an earlier one again (RFC 9700 §4.14.2)")
            #expect(try await refresh(other).status == 200)
        }
    }

    @Test func `a refresh token expires, and its scope can only shrink`() async throws {
        try await TestServer.run(tenants: ["identity": ["refreshTokenLifetime": "1h"]]) { server in
            let scene = try await Scene(server)
            let token = try #require(try await scene.redeem(code: scene.code(["scope": "openid email"])).json?["refresh_token"]?.string)
            let wider = try await scene.redeem(["grant_type": "refresh_token", "refresh_token": token, "scope": "openid profile"])
            #expect(wider.status == 400 && wider.json?["error"] == "invalid_scope")
            let narrower = try await scene.redeem(["grant_type": "refresh_token", "refresh_token": token, "scope": "openid"])
            #expect(narrower.status == 200 && narrower.json?["scope"] == "openid")
            let next = try #require(narrower.json?["refresh_token"]?.string)
            try await scene.advance("1h")
            let late = try await scene.redeem(["grant_type": "refresh_token", "refresh_token": next])
            #expect(late.status == 400 && late.json?["error"] == "invalid_grant")
            #expect(try await scene.entry("identity.token")?.answerName == "refresh-token-expired")
        }
    }

    // MARK: Codes

    @Test(arguments: TestServer.Speed.usual)
    func `of sixteen who redeem one code at once, one is served`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let code = try await scene.code()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 1...16 { group.addTask { try await scene.redeem(code: code).status } }
                return try await group.reduce(into: []) { $0.append($1) }.sorted()
            }
            #expect(statuses == [200] + Array(repeating: 400, count: 15))
        }
    }

    @Test func `a refused attempt does not spend the code`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let code = try await scene.code()
            #expect(
                try await scene.redeem(["grant_type": "authorization_code", "code": code, "redirect_uri": "https://example.org"]).status
                    == 400)
            #expect(try await scene.redeem(code: code).status == 200)
        }
    }

    @Test func `a code that was minted for another client is not this one's`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let code = try await scene.mint(["form": "code", "clientId": "another"])
            let answer = try await scene.redeem(code: code)
            #expect(answer.status == 400 && answer.json?["error"] == "invalid_grant")
            #expect(try await scene.entry("identity.token")?.answerName == "code-of-another-client")
            #expect(try await scene.signIn(.v2, ["code": .string(code)]).json == ["internalErrorCode": "mock-token-endpoint-refused"])
        }
    }

    /// LivePerson's documentation names the errors of brands in this way (LivePerson reference 3.4).
    @Test func `the error dialect is the tenant's`() async throws {
        try await TestServer.run(tenants: ["identity": ["errorDialect": "liveperson"]]) { server in
            let scene = try await Scene(server)
            #expect(try await scene.redeem(code: "SplxlOBeZQQYbYS6WxSbIA").json?["error"] == "invalid_code")
            #expect(try await scene.redeem(["grant_type": "authorization_code"]).json?["error"] == "json_parse_error")
            #expect(try await scene.redeem(["grant_type": "password"]).json?["error"] == "unsupported_grant_type")
            let answer = try await scene.signIn(.v2, ["code": "SplxlOBeZQQYbYS6WxSbIA"])
            #expect(answer.json == ["internalErrorCode": "mock-code-unknown"])
        }
    }

    @Test func `time is the sandbox's alone`() async throws {
        try await TestServer.run(clock: ["mode": "frozen", "now": "2001-09-09T01:46:40Z"]) { server in
            let scene = try await Scene(server)
            let tokens = try await scene.redeem(code: scene.code())
            let claims = try Brand.claims(of: try #require(tokens.json?["id_token"]?.string))
            #expect(claims["iat"] == 1_000_000_000 && claims["exp"] == 1_000_003_600)
            let answer = try await scene.signIn(.v2, token: try #require(tokens.json?["id_token"]?.string))
            let token = try #require(answer.json?["jwt"]?.string)
            #expect(try Brand.claims(of: token)["exp"] == 1_000_003_600)
            let minted = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])
            #expect(minted["expiresAt"] == "2001-09-09T01:47:40.000Z")
        }
    }

    @Test func `a minted code after a restart is a new one`() async throws {
        try await TemporaryFolder.database { database in
            let first = try await TestServer.run(database: database) { try await Scene($0).mint(["form": "code"]) }
            try await TestServer.run(database: database) { server in
                let scene = try await Scene(server)
                let second = try await scene.mint(["form": "code"])
                #expect(second != first)
                #expect(try await scene.redeem(code: first).status == 200)
                #expect(try await scene.redeem(code: second).status == 200)
            }
        }
    }
}
