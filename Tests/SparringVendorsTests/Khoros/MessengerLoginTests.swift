import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The sign-in at Khoros, and the form of a refusal to the two mobile SDKs: iOS goes by the body's code, Android by the status.
@Suite struct MessengerLoginTests {
    /// The wishes for a JWT, and the name under which it is refused.
    private static let defects: [(JSON.Object, String)] = [
        (["defect": "expired"], "token-expired"), (["defect": "not-yet-valid"], "token-not-yet-valid"),
        (["defect": "wrong-key"], "bad-signature"), (["defect": "unknown-kid"], "unknown-key"),
        (["defect": "kid-missing"], "key-id-missing"), (["defect": "wrong-scope"], "account-scope-refused"),
        (["claims": ["scope": "user"]], "scope-refused"), (["defect": "claim-missing", "missingClaim": "scope"], "scope-refused"),
        (["defect": "claim-missing"], "claim-missing"), (["defect": "numeric-user-id"], "user-id-not-a-string"),
        (["claims": ["userId": ""]], "user-id-not-a-string"), (["defect": "another-user"], "user-mismatch"),
        (["defect": "alg-none"], "algorithm-refused"), (["defect": "tampered"], "bad-signature"),
        (["claims": ["exp": "soon"]], "token-malformed"), (["lifetime": "1s", "issuedAt": "2025-12-31T23:59:59Z"], "token-expired"),
    ]

    @Test(arguments: defects, TestServer.Speed.usual)
    func `a JWT is refused for each defect, by its own name, with the status and the code that the SDKs react to`(
        _ defect: (wishes: JSON.Object, name: String), _ speed: TestServer.Speed
    ) async throws {
        try await TestServer.run(speed, tenants: MessengerScene.tenants()) { server in
            let scene = MessengerScene(server: server)
            let answer = try await scene.logIn("ann", try await scene.jwt("ann", defect.wishes))
            #expect(answer.refusalWords == "401 invalid_auth", "\(answer.text)")
            let entry = try await scene.entry("logIn")
            #expect(entry["answer"]?["name"]?.string == defect.name, "\(entry.text)")
            // Sparring signed it, so nobody is to be blamed.
            #expect(entry["findings"] == nil)
        }
    }

    /// The forms of `Authorization`, the refusal's name, and the body's code.
    @Test(arguments: [
        (nil, "authorization-missing unauthorized"), ("Bearer nonsense", "token-malformed invalid_auth"),
        ("Digest x", "authorization-malformed invalid_auth"), ("Basic bm9ib2R5Onh4", "session-unknown unauthorized"),
        ("Bearer", "authorization-malformed invalid_auth"),
    ])
    func `a call without a credential that can be read is refused`(_ authorization: String?, _ words: String) async throws {
        try await MessengerScene.run { scene async throws in
            let answer = try await scene.call(.get, "/appusers/5f0c0e1a2b3c4d5e6f7081bb", by: authorization)
            let name = try await scene.entry("readUser")["answer"]?["name"]?.string ?? ""
            #expect(answer.status == 401 && "\(name) \(answer.json?["error"]?["code"]?.string ?? "")" == words, "\(answer.text)")
        }
    }

    @Test func `what is missing has the vendor's own words`() async throws {
        try await MessengerScene.run { scene async throws in
            let words: KeyValuePairs = [
                "kid-missing": "Invalid JWT header. Missing key id (kid)", "wrong-key": "Invalid JWT",
                "wrong-scope": "Invalid JWT body. Cannot use account scope with app secret key",
            ]
            for (defect, description) in words {
                let answer = try await scene.logIn("ann", scene.jwt("ann", ["defect": .string(defect)]))
                #expect(answer.json?["error"]?["description"]?.string == description)
            }
            let bare = try await scene.call(.get, "/appusers/x")
            #expect(bare.json?["error"]?["description"] == "Authorization is required")
        }
    }

    /// The claims, the refusal's name, the body's text and the cause.
    @Test(
        arguments: [
            (
                ["scope": "account"], "account-scope-refused", "Invalid JWT body. Cannot use account scope with app secret key",
                "scope is 'account', an app's key signs for 'appUser' only"
            ),
            (
                ["scope": "user", "external_id": "ann"], "scope-refused", "Invalid JWT",
                "scope is 'user', an app's key signs for 'appUser' only; 'user' with external_id is the form of the vendor's API v2, this SDK's has userId"
            ),
            (["scope": "app"], "scope-refused", "Invalid JWT", "scope is 'app', an app's key signs for 'appUser' only"),
            (["scope": ["appUser"]], "scope-refused", "Invalid JWT", "scope is [\"appUser\"], an app's key signs for 'appUser' only"),
        ] as [(JSON, String, String, String)])
    func `the text about the account's scope is for that scope alone`(_ claims: JSON, _ name: String, _ text: String, _ cause: String)
        async throws
    {
        try await MessengerScene.run { scene async throws in
            let jwt = try await scene.jwt("ann", ["claims": claims])
            let answer = try await scene.logIn("ann", jwt)
            #expect(answer.refusalWords == "401 invalid_auth" && answer.json?["error"]?["description"]?.string == text, "\(answer.text)")
            #expect(try await scene.entry("logIn")["answer"]?["name"]?.string == name)
            #expect(try await scene.entry("logIn").cause == cause)
            let faye = try await scene.faye()
            #expect(try await faye.subscribe(to: "5f0c0e1a2b3c4d5e6f7081bb", ["jwt": .string(jwt)])["error"] == "401::invalid_auth")
            #expect(try await scene.entry("subscribe")["answer"]?["name"]?.string == name)
        }
    }

    @Test func `a JWT without end is good until its key is deleted`() async throws {
        try await MessengerScene.run { scene async throws in
            var ann = try await scene.member("ann")
            ann.jwt = try await scene.jwt("ann", ["defect": "claim-missing", "missingClaim": "exp"])
            try await scene.advance("400d")
            #expect(try await ann.read().status == 200)
            try await scene.server.admin(.patch, "tenants/khoros", ["keys": [["id": "app_2", "secret": "another"]]])
            #expect(try await ann.read().refusalWords == "401 invalid_auth")
            #expect(try await scene.entry("readUser")["answer"]?["name"] == "unknown-key")
        }
    }

    /// The mistakes of a brand's own backend in a JWT that is accepted all the same, and the codes of the findings.
    @Test(
        arguments: [
            (["claims": ["iat": 1_767_225_600_000]], ["jwt-time-in-milliseconds"]),
            (["claims": ["iat": 1_767_226_600]], ["jwt-issued-in-the-future"]),
            (["defect": "claim-missing", "missingClaim": "platform"], ["jwt-claim-left-out"]),
            (["defect": "claim-missing", "missingClaim": "givenName"], ["jwt-claim-left-out"]), ([:], []),
        ] as [(JSON.Object, [String])])
    func `a JWT that is taken is looked at all the same`(_ wishes: JSON.Object, _ codes: [String]) async throws {
        // Another sandbox of the same seed has the same key: what its backend signs is a stranger's here.
        try await MessengerScene.run { scene async throws in
            let other = MessengerScene.tenants()["identity"]?.merging(["tenantId": "elsewhere"]) ?? [:]
            _ = try await scene.server.send(
                .post, "/__admin/sandboxes",
                json: ["name": "elsewhere", "tenants": ["identity": other], "clock": ["mode": "frozen", "now": "2026-01-01T00:00:00Z"]])
            let jwt = try await MessengerScene(server: scene.server, sandbox: "elsewhere").jwt("ann", wishes)
            #expect(try await scene.logIn("ann", jwt).status == 200)
            let found = try await scene.entry("logIn")["findings"]?.array ?? []
            #expect(found.compactMap { $0["code"]?.string } == codes, "\(found)")
        }
    }

    @Test func `a JWT that a stranger signed badly is the brand's doing, and so is a secret that is sent`() async throws {
        try await MessengerScene.run { scene async throws in
            #expect(try await scene.logIn("ann", "e30.e30.e30").status == 401)
            #expect(try await scene.entry("logIn")["findings"]?.array?.first?["code"] == "brand-jwt-refused")
            let jwt = try await scene.jwt("ann")
            _ = try await scene.logIn("ann", jwt, more: ["note": "khoros-example-secret"])
            #expect(try await scene.entry("logIn")["findings"]?.array?.contains { $0["code"] == "app-secret-sent" } == true)
        }
    }

    @Test func `a future iat is refused where the app is configured so`() async throws {
        try await MessengerScene.run(["refusesFutureIssuedAt": true]) { scene async throws in
            #expect(try await scene.logIn("ann", scene.jwt("ann", ["claims": ["iat": 1_767_225_650]])).status == 200)
            let answer = try await scene.logIn("ann", scene.jwt("ann", ["claims": ["iat": 1_767_225_670]]))
            #expect(answer.refusalWords == "401 invalid_auth")
            #expect(try await scene.entry("logIn")["answer"]?["name"] == "token-not-yet-valid")
        }
    }

    @Test func `a client names the integration of its platform`() async throws {
        try await MessengerScene.run { scene async throws in
            let jwt = try await scene.jwt("ann")
            var client = MessengerScene.client("ios")
            client["platform"] = "android"
            #expect(try await scene.logIn("ann", jwt, client).refusalWords == "400 bad_request")
            client["integrationId"] = "5f0c0e1a2b3c4d5e6f708199"
            #expect(try await scene.logIn("ann", jwt, client).json?["error"]?["description"] == "Invalid integrationId or platform.")
        }
    }

    // MARK: The brand's backend

    @Test func `the brand's API gives a JWT to the user who signed in, and to nobody else`() async throws {
        try await MessengerScene.run(identity: ["tokenLifetime": "10m", "appTokenLifetime": "90s"]) { scene async throws in
            func getJWT(_ token: String?, _ user: String) async throws -> TestAnswer {
                var headers: HTTPFields = [:]
                headers[.authorization] = token.map { "Bearer \($0)" }
                return try await scene.server.send(
                    .post, "/identity/brand/jwt", headers: headers, json: ["userId": .string(user), "name": "Ann", "platform": "android"])
            }
            let token = try await scene.credential("access-token", "ann")
            let given = try await getJWT(token, "ann")
            #expect(given.status == 200 && given.json?["expiresIn"] == 90)
            let login = try await scene.logIn("ann", given.json?["jwt"]?.string ?? "")
            #expect(login.json?["appUser"]?["givenName"] == "Ann", "\(login.text)")
            #expect(try await getJWT(token, "bea").json?["error"] == "user_of_another")
            #expect(try await getJWT(nil, "ann").json?["error"] == "session_required")
            #expect(try await getJWT("stranger", "ann").json?["error"] == "invalid_token")
            try await scene.advance("10m")
            #expect(try await getJWT(token, "ann").status == 401)
            let last = try await scene.server.journal("?operation=identity.getJWT").last
            #expect(last?["answer"]?["name"] == "session-expired")
        }
    }

    @Test func `the access token of a real sign-in opens the brand's API`() async throws {
        try await MessengerScene.run { scene async throws in
            let code = try await scene.credential("code", "ann", ["redirectURI": "https://liveperson.net"])
            let identity = try await scene.server.admin(.get, "tenants/identity")
            let form = [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", "https://liveperson.net"),
                ("client_id", identity["clientId"]?.string ?? ""), ("client_secret", identity["clientSecret"]?.string ?? ""),
            ]
            let body = form.map { "\($0.0)=\(Form.encoded($0.1))" }.joined(separator: "&")
            let tokens = try await scene.server.send(
                .post, "/identity/brand/token", headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(body.utf8))
            let token = try #require(tokens.json?["access_token"]?.string, "\(tokens.text)")
            let given = try await scene.server.send(
                .post, "/identity/brand/jwt", headers: [.authorization: "Bearer \(token)"], json: ["userId": "ann"])
            #expect(given.status == 200, "\(given.text)")
        }
    }
}
