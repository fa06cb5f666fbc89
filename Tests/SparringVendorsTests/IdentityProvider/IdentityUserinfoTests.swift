import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Userinfo, against OpenID Connect Core §5.3 and RFC 6750.
@Suite struct IdentityUserinfoTests {
    private static let tenants: JSON.Object = ["identity": ["subjects": ["ada": ["given_name": "Ada", "sub": "other"]]]]

    private func userinfo(_ token: String, _ scene: Scene) async throws -> TestAnswer {
        try await scene.server.send(.get, "\(scene.provider)/userinfo", headers: [.authorization: "Bearer \(token)"])
    }

    private func access(_ scene: Scene, scope: String = "openid") async throws -> String {
        try #require(try await scene.redeem(code: scene.code(["scope": scope])).json?["access_token"]?.string)
    }

    @Test(arguments: TestServer.Speed.usual)
    func `an access token reads the claims of its user, by GET and by POST`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed, tenants: Self.tenants) { server in
            let scene = try await Scene(server)
            let token = try await access(scene, scope: "openid profile")
            let claims: JSON = ["sub": "ada", "given_name": "Ada"]
            let answer = try await userinfo(token, scene)
            #expect(answer.status == 200 && answer.json == claims && answer.headers[.cacheControl] == "no-store", "\(answer.text)")
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let posted = try await server.send(
                .post, "\(scene.provider)/userinfo", headers: form, body: Array("access_token=\(token)".utf8))
            #expect(posted.status == 200 && posted.json == claims, "\(posted.text)")
            let byHeader = try await server.send(.post, "\(scene.provider)/userinfo", headers: [.authorization: "bearer \(token)"])
            #expect(byHeader.json == claims)
            #expect(try await scene.entry("identity.userinfo")?["lane"] == "ada")
            let minted = try await scene.mint(["form": "access-token", "subject": "grace"])
            #expect(try await userinfo(minted, scene).json == ["sub": "grace"])
            let implicit = try #require(Redirection(try await scene.authorize(["response_type": "token", "scope": "openid"])))
            #expect(try await userinfo(try #require(implicit["access_token"]), scene).json == claims)
            let metadata = try await server.send(.get, "\(scene.provider)/.well-known/openid-configuration").json
            #expect(metadata?["userinfo_endpoint"] == .string(server.addresses.baseURL + scene.provider + "/userinfo"))
        }
    }

    /// A defect of the access token, and the words of `WWW-Authenticate`.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let token: @Sendable (Scene) async throws -> HTTPFields
        var body = ""
        let status: Int
        let answer: String
        /// Nil: the scheme and the realm alone (RFC 6750 §3.1).
        let error: String?
        let cause: String

        static let all = [
            Row(
                testDescription: "none", token: { _ in [:] }, status: 401, answer: "access-token-missing", error: nil,
                cause: "no access token came"),
            Row(
                testDescription: "Basic", token: { [.authorization: Form.basic($0.clientId, $0.clientSecret)] }, status: 401,
                answer: "access-token-missing", error: nil, cause: "Authorization is not 'Bearer '"),
            Row(
                testDescription: "unknown", token: { _ in [.authorization: "Bearer nope"] }, status: 401, answer: "access-token-unknown",
                error: "invalid_token", cause: "not one that this provider issued"),
            Row(
                testDescription: "an ID token",
                token: { scene in
                    let token = try await scene.mint(["form": "jwt"])
                    return [.authorization: "Bearer \(token)"]
                }, status: 401,
                answer: "access-token-unknown", error: "invalid_token", cause: "such as an ID token"),
            Row(
                testDescription: "a refresh token",
                token: { scene in
                    let answer = try await scene.redeem(code: scene.code())
                    return [.authorization: "Bearer \(answer.json?["refresh_token"]?.string ?? "")"]
                },
                status: 401, answer: "access-token-unknown", error: "invalid_token", cause: "a refresh token came"),
            Row(
                testDescription: "expired",
                token: { scene in
                    let token = try await scene.mint(["form": "access-token", "lifetime": "0s"])
                    return [.authorization: "Bearer \(token)"]
                }, status: 401,
                answer: "access-token-expired", error: "invalid_token", cause: "the access token expired"),
            Row(
                testDescription: "without openid",
                token: {
                    let answer = try await $0.redeem(code: $0.code(["scope": "email"]))
                    return [.authorization: "Bearer \(answer.json?["access_token"]?.string ?? "")"]
                }, status: 403, answer: "insufficient-scope", error: "insufficient_scope", cause: "without openid"),
            Row(
                testDescription: "a client's own",
                token: {
                    let answer = try await $0.redeem(["grant_type": "client_credentials", "scope": "openid"])
                    return [.authorization: "Bearer \(answer.json?["access_token"]?.string ?? "")"]
                }, status: 403, answer: "insufficient-scope", error: "insufficient_scope", cause: "no user has signed in"),
            Row(
                testDescription: "twice", token: { _ in [.authorization: "Bearer a"] }, body: "access_token=a", status: 400,
                answer: "invalid-request", error: nil, cause: "came twice"),
        ]
    }

    @Test(arguments: Row.all)
    func `an access token that is not good is refused as RFC 6750 has it`(_ row: Row) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            var headers = try await row.token(scene)
            if !row.body.isEmpty { headers[.contentType] = "application/x-www-form-urlencoded" }
            let answer = try await server.send(
                row.body.isEmpty ? .get : .post, "\(scene.provider)/userinfo", headers: headers, body: Array(row.body.utf8))
            #expect(answer.status == row.status, "\(answer.text)")
            let entry = try await scene.entry(row.body.isEmpty ? "identity.userinfo" : "identity.userinfoByPost")
            #expect(entry?.answerName == row.answer && entry?.cause.contains(row.cause) == true, "\(entry?.cause ?? "")")
            #expect(try await scene.findings().isEmpty)
            guard row.status != 400 else { return }
            let challenge = try #require(answer.headers[.wwwAuthenticate])
            if let error = row.error {
                #expect(challenge.hasPrefix("Bearer realm=\"identity\", error=\"\(error)\", error_description=\""), "\(challenge)")
                #expect(answer.json?["error"] == .string(error))
            } else {
                #expect(challenge == "Bearer realm=\"identity\"")
            }
        }
    }
}
