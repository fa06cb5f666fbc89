import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// Consumers without the brand's credential (LivePerson reference 4.1 a, b, f).
@Suite struct AnonymousTests {
    private static let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"

    @Test(arguments: TestServer.Speed.usual)
    func `signing up makes a new consumer each time`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            var consumers: Set<String> = []
            for _ in 1...3 {
                let answer = try await server.send(.post, "/api/account/\(scene.account)/signup")
                #expect(answer.status == 200 && answer.json?.object?.count == 1)
                let claims = try await claims(answer.json?["jwt"], scene)
                consumers.insert(try #require(claims["sub"]?.string))
                #expect(claims["aud"] == .string("acc:\(scene.account)") && claims["iss"] == "https://idp.liveperson.net")
                #expect(claims["iat"] == .integer(Scene.now) && (claims["exp"]?.integer ?? 0) > Scene.now + 10 * 365 * 86_400)
                #expect(claims["lp.ext"] == nil)
            }
            #expect(consumers.count == 3)
            let uuid = try Regex(Self.uuid)
            for consumer in consumers { #expect(consumer.wholeMatch(of: uuid) != nil) }
        }
    }

    @Test func `signing up by script calls the function with the token`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await server.send(.get, "/api/account/\(scene.account)/signup.jsonp?callback=lpTag.done")
            #expect(answer.status == 200 && answer.headers[.contentType]?.hasPrefix("application/javascript") == true)
            let inside = try #require(answer.text.wholeMatch(of: /lpTag\.done\((.*)\);/)?.output.1)
            _ = try await claims(JSON(parsing: String(inside))["jwt"], scene)
        }
    }

    @Test(arguments: TestServer.Speed.usual)
    func `an anonymous consumer is authorized, refreshed, and after 730 hours no more`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let first = try await authorize(nil, scene)
            let claims = try await claims(first["token"], scene)
            #expect(claims["exp"] == .integer(Scene.now + 600))

            // The ten minutes of the token do not count for its refreshing.
            try await scene.advance("729h")
            let second = try await authorize(first["token"], scene)
            let later = try await self.claims(second["token"], scene)
            #expect(later["sub"] == claims["sub"] && later["exp"] == .integer(Scene.now + 729 * 3600 + 600))

            try await scene.advance("1h")
            let answer = try await send(second["token"], scene)
            #expect(answer.status == 500 && answer.text == #"{"internalErrorCode":"mock-token-expired"}"#)
            #expect(
                try await scene.entry("liveperson.authorizeAnonymous")?.cause.hasPrefix("the identity could be refreshed until") == true)
        }
    }

    /// Empty bodies, as axios and other libraries send them, and malformed ones. The number in the query is the web tag's, against caches.
    @Test(
        arguments: [
            ("", 200), ("null", 200), (" null\n", 200), ("{}", 200), (#"{"id_token":null}"#, 500), (#"{"id_token":""}"#, 500), ("[]", 500),
            (#""null""#, 500), ("0", 500), ("false", 500), ("nul", 500),
        ])
    func `a consumer who has no token yet is authorized without a body, or with one that says nothing`(_ body: String, _ status: Int)
        async throws
    {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let answer = try await server.send(
                .post, "/api/account/\(scene.account)/anonymous/authorize?__d=4711", headers: [.contentType: "application/json"],
                body: Array(body.utf8))
            #expect(answer.status == status, "\(answer.text)")
            let entry = try #require(try await scene.entry("liveperson.authorizeAnonymous"))
            if status == 200 {
                _ = try await claims(answer.json?["token"], scene)
                #expect(entry["findings"] == nil, "\(entry)")
            } else {
                #expect(answer.json == ["internalErrorCode": "mock-request-malformed"], "\(answer.text)")
            }
        }
    }

    @Test func `lives of anonymous tokens are the account's`() async throws {
        try await TestServer.run(tenants: ["liveperson": ["anonymousLifetime": "1m", "anonymousRefresh": "1h"]]) { server in
            let scene = try await Scene(server)
            let first = try await authorize(nil, scene)
            #expect(try await claims(first["token"], scene)["exp"] == .integer(Scene.now + 60))
            try await scene.advance("59m")
            _ = try await authorize(first["token"], scene)
            try await scene.advance("1m")
            #expect(try await send(first["token"], scene).json == ["internalErrorCode": "mock-token-expired"])
        }
    }

    /// The flow that v3 is for: authorize, look the connector up, authenticate.
    @Test(arguments: TestServer.Speed.usual)
    func `an anonymous token signs in by v3, the consumer staying who it is`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let authorized = try await authorize(nil, scene)
            let connectors = try await server.send(.get, "/api/account/\(scene.account)/configuration/le-connectors/all-connectors").json
            let connector = connectors?.array?.first {
                $0["configuration"]?["jsMethodName"] == "lpTag.taglets.unAuthMessaging.lpUnauthFunction"
            }
            let id = try #require(connector?["id"])
            let answer = try await scene.signIn(.v3, ["id_token": try #require(authorized["token"])], connector: id.string ?? id.text)
            let cause = try await scene.entry("liveperson.authenticateV3")?.cause ?? ""
            #expect(answer.status == 200, "\(answer.text) \(cause)")
            let claims = try await claims(answer.json?["token"], scene)
            let external = try await self.claims(authorized["token"], scene)
            #expect(claims["sub"]?.string?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
            #expect(claims["lp.ext"]?["sub"] == external["sub"] && claims["lp.ext"]?["iss"] == "https://idp.liveperson.net")
            #expect(claims["exp"] == external["exp"])

            try await scene.advance("10m")
            let late = try await scene.signIn(.v3, token: authorized["token"]?.string ?? "")
            #expect(late.json == ["internalErrorCode": "mock-token-expired"])
            let refreshed = try await authorize(authorized["token"], scene)
            let again = try await scene.signIn(.v3, token: refreshed["token"]?.string ?? "")
            #expect(try await self.claims(again.json?["token"], scene)["sub"] == claims["sub"])
        }
    }

    @Test func `another account's anonymous token does not sign in`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            _ = try await server.send(
                .post, "/__admin/sandboxes", json: ["name": "other", "clock": ["mode": "frozen", "now": "2026-01-01T00:00:00Z"]])
            let other = try await Scene(server, sandbox: "other")
            let token = try await authorize(nil, other)["token"]
            #expect(try await scene.signIn(.v3, token: token?.string ?? "").json == ["internalErrorCode": "mock-audience-mismatch"])
        }
    }

    @Test func `what cannot be refreshed is refused`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            _ = try await server.send(.post, "/__admin/sandboxes", json: ["name": "other"])
            let foreign = try await authorize(nil, try await Scene(server, sandbox: "other"))["token"]
            let signedIn = try await scene.signIn(.v2, token: scene.mint(["form": "jwt"])).json?["jwt"]
            for (token, code) in [
                ("rubbish", "mock-token-malformed"), (.string(try await scene.mint(["form": "jwt"])), "9007"),
                (foreign, "mock-audience-mismatch"),
                (signedIn, "mock-audience-mismatch"),
            ] as [(JSON?, String)] {
                let answer = try await send(token, scene)
                #expect(answer.status == 500 && answer.text == #"{"internalErrorCode":"\#(code)"}"#)
            }
        }
    }

    private func send(_ token: JSON?, _ scene: Scene) async throws -> TestAnswer {
        let path = "/api/account/\(scene.account)/anonymous/authorize"
        guard let token else { return try await scene.server.send(.post, path) }
        return try await scene.server.send(.post, path, json: ["id_token": token])
    }

    private func authorize(_ token: JSON?, _ scene: Scene) async throws -> JSON {
        let answer = try await send(token, scene)
        try #require(answer.status == 200, "\(answer.text)")
        #expect(answer.json?.object?.count == 1)
        return try #require(answer.json)
    }

    private func claims(_ token: JSON?, _ scene: Scene) async throws -> JSON {
        try await Brand.claims(of: try #require(token?.string), verifiedWith: scene.liveperson["publicKey"]?.string ?? "")
    }
}
