import HTTPTypes
import SparringJSON
import SparringSandbox
import SparringTokens
import Support
import Testing

/// The steps of an app before it can speak for a consumer (LivePerson reference 4.4, 4.1 g).
@Suite struct SentinelTests {
    private static let account: JSON = [
        "accountId": "acme", "appInstallations": [["id": "app-1", "clientId": "bot", "clientSecret": "s3cret"]],
    ]

    private func run(_ speed: TestServer.Speed = .pipeline, _ body: (TestServer) async throws -> Void) async throws {
        try await TestServer.run(speed, tenants: ["liveperson": Self.account], body)
    }

    private func appToken(
        _ server: TestServer, id: String = "bot", secret: String = "s3cret", query: String = "v=1.0&grant_type=client_credentials"
    ) async throws -> TestAnswer {
        try await server.send(
            "/sentinel/api/account/acme/app/token?\(query)", form: ["client_id": id, "client_secret": secret])
    }

    private func consumer(
        _ server: TestServer, _ authorization: String?, query: String = "?v=1.0", body: JSON = ["ext_consumer_id": "ada"]
    ) async throws -> TestAnswer {
        try await server.send(
            .post, "/api/account/acme/consumer\(query)", headers: authorization.map { [.authorization: $0] } ?? [:], json: body)
    }

    @Test(arguments: TestServer.Speed.usual)
    func `an app gets a token for an hour, and with it one for a consumer`(_ speed: TestServer.Speed) async throws {
        try await run(speed) { server in
            let answer = try await appToken(server)
            #expect(answer.status == 200 && answer.json?["token_type"] == "Bearer", "\(answer.text)")
            let token = try #require(answer.json?["access_token"]?.string)
            let app = try JWS(parsing: token)
            #expect(app.algorithm == .rs256 && app.kid?.hasPrefix("appjwt-") == true)
            #expect(
                app.payload == [
                    "aud": "acme", "azp": "app-1", "scope": "msg.consumer", "iss": "Sentinel", "iat": .integer(Scene.now),
                    "exp": .integer(Scene.now + 3600),
                ])
            var consumers: [String] = []
            for (authorization, query) in [(token, "?v=1.0"), ("Bearer \(token)", ""), ("bearer \(token)", "?v=1.0")] {
                let made = try await consumer(server, authorization, query: query)
                #expect(made.status == 201, "\(made.text)")
                let claims = try JWS(parsing: try #require(made.json?["token"]?.string)).payload
                #expect(claims["account_id"] == "acme" && claims["ext_consumer_id"] == "ada" && claims["exp"] == nil)
                consumers.append(try #require(claims["lp_consumer_id"]?.string))
            }
            #expect(Set(consumers).count == 1 && consumers[0].wholeMatch(of: /[0-9a-f]{64}/) != nil)
            let other = try await consumer(server, token, body: ["ext_consumer_id": "eve"])
            #expect(try JWS(parsing: try #require(other.json?["token"]?.string)).payload["lp_consumer_id"]?.string != consumers[0])
            let entries = try await server.journal("?operation=liveperson.createConsumer")
            #expect(entries.map { $0["lane"] } == ["ada", "ada", "ada", "eve"])
            #expect(try await server.journal("?operation=liveperson.issueAppToken").first?["lane"] == "bot")
            #expect(try await server.journal("?kind=finding") == [] && entries.allSatisfy { $0["findings"] == nil })
        }
    }

    @Test(
        arguments: [
            (
                "bot", "wrong", "v=1.0&grant_type=client_credentials", 401, "invalid_client",
                "client_secret is not that of app installation app-1"
            ),
            (
                "tob", "s3cret", "v=1.0&grant_type=client_credentials", 401, "invalid_client",
                "no app installation has the client_id 'tob'; there is bot"
            ),
            (
                "", "", "v=1.0&grant_type=client_credentials", 401, "invalid_client",
                "no app installation has the client_id ''; there is bot"
            ),
            (
                "bot", "s3cret", "v=1.0&grant_type=password", 400, "unsupported_grant_type",
                "grant_type is 'password', not 'client_credentials'"
            ),
            ("bot", "s3cret", "v=1.0", 400, "invalid_request", "grant_type is missing"),
        ] as [(String, String, String, Int, String, String)])
    func `a client that is not right is refused as RFC 6749 has it`(
        _ id: String, _ secret: String, _ query: String, _ status: Int, _ error: String, _ cause: String
    ) async throws {
        try await run { server in
            let answer = try await appToken(server, id: id, secret: secret, query: query)
            #expect(answer.status == status && answer.json?["error"] == .string(error), "\(answer.text)")
            let entry = try await server.journal("?operation=liveperson.issueAppToken").last
            #expect(entry?.cause == cause)
        }
    }

    @Test(arguments: ["client_id", "client_secret"])
    func `a field that is missing makes an invalid request`(_ present: String) async throws {
        try await run { server in
            let answer = try await server.send(
                "/sentinel/api/account/acme/app/token?v=1.0&grant_type=client_credentials", form: ["\(present)": "bot"])
            #expect(answer.status == 400 && answer.json?["error"] == "invalid_request", "\(answer.text)")
        }
    }

    // MARK: An AppJWT that is not right

    enum Defect: String, CaseIterable {
        case missing, empty, nonsense, strangersKey, algNone, lpToken, consumerToken, expired, issuer, otherAccount, noAccount, noApp
        case unknownApp, noScope, otherScope, noEnd, endOfTime

        /// Status, errorCode and cause.
        var refusal: (Int, Int64, String) {
            switch self {
            case .missing, .empty: (401, 40105, "no Authorization came")
            case .nonsense: (401, 40102, "Authorization is no AppJWT: ")
            case .strangersKey, .algNone: (401, 40102, "the AppJWT was not signed by LivePerson")
            case .lpToken: (400, 40001, "the AppJWT has no claim azp")
            case .consumerToken: (400, 40001, "the AppJWT has no claim iss")
            case .expired: (401, 40102, "the AppJWT expired 0 ms ago")
            case .endOfTime: (401, 40102, "the AppJWT expired long ago")
            case .issuer: (401, 40102, "iss of the AppJWT is 'Sentinal', not 'Sentinel'")
            case .otherAccount: (401, 40102, "aud of the AppJWT is 'other', not 'acme'")
            case .noAccount: (400, 40001, "the AppJWT has no claim aud")
            case .noApp: (400, 40001, "the AppJWT has no claim azp")
            case .unknownApp: (401, 40102, "azp of the AppJWT is 'app-2', which is not an app installation of the account")
            case .noScope: (400, 40001, "the AppJWT has no claim scope")
            case .otherScope: (401, 40102, "scope of the AppJWT is 'msg.agent', without msg.consumer")
            case .noEnd: (400, 40001, "the AppJWT has no claim exp")
            }
        }

        func token() throws -> String? {
            var claims: JSON = [
                "aud": "acme", "azp": "app-1", "scope": "msg.consumer", "iss": "Sentinel", "exp": .integer(Scene.now + 3600),
            ]
            switch self {
            case .missing: return nil
            case .empty: return "Bearer "
            case .nonsense: return "Bearer a.b"
            case .strangersKey: return JWS.sign(payload: claims, with: try Brand.pool.rsa(5))
            case .algNone:
                let parts = [JSON.members(["alg": "none"]), claims].map { Base64URL.encode($0.bytes) }
                return parts.joined(separator: ".") + "."
            case .lpToken: claims = ["aud": "acc:acme", "iss": "https://idp.liveperson.net", "sub": "ada", "exp": claims["exp"] ?? 0]
            case .consumerToken: claims = ["account_id": "acme", "ext_consumer_id": "ada", "lp_consumer_id": "0"]
            case .expired: claims["exp"] = .integer(Scene.now)
            case .endOfTime: claims["exp"] = .integer(.min)
            case .issuer: claims["iss"] = "Sentinal"
            case .otherAccount: claims["aud"] = "other"
            case .noAccount: claims["aud"] = Optional<JSON>.none
            case .noApp: claims["azp"] = Optional<JSON>.none
            case .unknownApp: claims["azp"] = "app-2"
            case .noScope: claims["scope"] = Optional<JSON>.none
            case .otherScope: claims["scope"] = "msg.agent"
            case .noEnd: claims["exp"] = Optional<JSON>.none
            }
            // The keys are public: anyone can sign as LivePerson.
            return JWS.sign(payload: claims, with: try Brand.pool.rsa(4))
        }
    }

    @Test(arguments: Defect.allCases)
    func `an AppJWT that is not right opens nothing`(_ defect: Defect) async throws {
        try await run { server in
            let answer = try await consumer(server, try defect.token())
            let (status, code, cause) = defect.refusal
            #expect(answer.status == status && answer.json?["code"] == .integer(Int64(status)), "\(answer.text)")
            #expect(answer.json?["kind"] == "resp" && answer.json?["type"] == ".ReqBody$ErrorResp")
            #expect(answer.json?["body"]?["errorCode"] == .integer(code), "\(answer.text)")
            let entry = try await server.journal("?operation=liveperson.createConsumer").last
            #expect(entry?.cause.hasPrefix(cause) == true, "\(entry?.cause ?? "")")
            #expect(try await server.journal("?kind=finding") == [])
        }
    }

    @Test func `an AppJWT lasts an hour of the sandbox's clock, a ConsumerJWS for ever`() async throws {
        try await run { server in
            let token = try #require(try await appToken(server).json?["access_token"]?.string)
            try await server.admin(.post, "clock/advance", ["by": "3599s"])
            #expect(try await consumer(server, token).status == 201)
            try await server.admin(.post, "clock/advance", ["by": "1s"])
            let late = try await consumer(server, token)
            #expect(late.status == 401 && late.json?["body"]?["errorCode"] == 40102)
        }
    }

    @Test(arguments: [[:], ["ext_consumer_id": ""], ["ext_consumer_id": 7]] as [JSON])
    func `without a consumer's name nobody is made`(_ body: JSON) async throws {
        try await run { server in
            let token = try #require(try await appToken(server).json?["access_token"]?.string)
            let answer = try await consumer(server, token, body: body)
            #expect(answer.status == 400 && answer.json?["body"]?["errorCode"] == 40001, "\(answer.text)")
        }
    }

    @Test func `an app that was removed is let in no longer`() async throws {
        try await run { server in
            let token = try #require(try await appToken(server).json?["access_token"]?.string)
            try await server.admin(.patch, "tenants/liveperson", ["appInstallations": []])
            #expect(try await consumer(server, token).status == 401)
            #expect(try await appToken(server).json?["error"] == "invalid_client")
        }
    }

    // MARK: Configuration

    @Test func `an account that was given none has an installation, which it publishes`() async throws {
        try await TestServer.run(.pipeline) { server in
            let scene = try await Scene(server)
            let (id, secret) = (scene.liveperson["appClientId"]?.string ?? "", scene.liveperson["appClientSecret"]?.string ?? "")
            #expect(
                scene.liveperson["appInstallations"] == [["id": .string(id), "clientId": .string(id), "clientSecret": .string(secret)]])
            let answer = try await server.send(
                "/sentinel/api/account/\(scene.account)/app/token?v=1.0&grant_type=client_credentials",
                form: ["client_id": id, "client_secret": secret])
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    private static let changes = "cqm.ExConversationChangeNotification"

    private static func app(_ more: JSON.Object) -> JSON {
        .array([.object((["clientId": "a", "clientSecret": "s"] as JSON.Object).merging(more, uniquingKeysWith: { $1 }))])
    }

    private static func webhooks(_ place: String, _ members: JSON) -> (String, JSON) {
        ("/0/capabilities/webhooks\(place)", app(["capabilities": ["webhooks": members]]))
    }

    @Test(
        arguments: [
            ("/0/clientId", [["clientSecret": "s"]]), ("/0/clientId", [["clientId": "", "clientSecret": "s"]]),
            ("/0/clientSecret", [["clientId": "a"]]), ("/0/secret", app(["secret": "s"])),
            ("/1/clientId", [["clientId": "a", "clientSecret": "s"], ["clientId": "a", "clientSecret": "t"]]),
            ("/1/id", [["clientId": "a", "clientSecret": "s"], ["clientId": "b", "clientSecret": "t", "id": "a"]]), ("", "bot"),
            ("/0/signature", app(["signature": "md5"])), ("/0/capabilities", app(["capabilities": []])),
            ("/0/capabilities/webhook", app(["capabilities": ["webhook": [:]]])), webhooks("/ms.ContentEvent", ["ms.ContentEvent": [:]]),
            webhooks("/\(changes)/endpoint", [changes: [:]]), webhooks("/\(changes)/endpoint", [changes: ["endpoint": "brand.test/hook"]]),
            webhooks("/\(changes)/max_retries", [changes: ["endpoint": "/hook", "max_retries": 6]]),
            webhooks("/\(changes)/retries", [changes: ["endpoint": "/hook", "retries": 1]]),
            webhooks("/retry/retention_time", ["retry": [:]]), webhooks("/retry/retention_time", ["retry": ["retention_time": 1]]),
            webhooks("/retry/retention_time", ["retry": ["retention_time": 259_201]]),
        ] as [(String, JSON)])
    func `nonsense is refused with its place`(_ place: String, _ installations: JSON) async throws {
        try await run { server in
            let answer = try await server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["appInstallations": installations])
            #expect(answer.status == 422 && answer.text.contains("/appInstallations\(place)\""), "\(answer.text)")
            #expect(try await appToken(server).status == 200)
        }
    }
}
