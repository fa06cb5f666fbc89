import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The sign-in to CXone: on the socket, and by the token service (CXone reference 3.6, 6.1 and 8).
@Suite struct ChatSignInTests {
    /// The place that the brand's code is brought to.
    enum Flow: String, CaseIterable, Sendable {
        /// AuthorizeCustomer on the socket.
        case socket
        /// The token service, before the socket.
        case service

        var channels: JSON.Object { ["authorization": "oauth", "securedSessions": .bool(self == .service)] }
        var operation: String { self == .socket ? "authorizeCustomer" : "issueToken" }

        /// The outcome of an attempt with a code: `ok`, or the words of the refusal.
        func attempt(_ code: String?, verifier: String?, _ scene: ChatScene, _ name: String = "ada") async throws -> String {
            switch self {
            case .socket:
                let answer = try await scene.open(.single, name).authorize(
                    .members(["authorizationCode": code.map { .string($0) } ?? .null, "codeVerifier": verifier.map { .string($0) }]))
                return answer.errorWords ?? (answer["status"] == "success" ? "ok" : answer.text)
            case .service:
                let thirdParty = JSON.members([
                    "grant_type": "authorization_code", "authorization_code": code.map { .string($0) },
                    "code_verifier": verifier.map { .string($0) },
                ])
                let answer = try await scene.token(.single, name, ["thirdParty": thirdParty])
                if answer.status == 200 { return "ok" }
                return "\(answer.status) \(answer.json?["error"]?["errorCode"]?.string ?? answer.text)"
            }
        }

        /// The words of a refusal.
        func refused(_ name: String, status: Int = 401) -> String {
            self == .socket ? "ConsumerAuthorizationFailed mock-\(name)" : "\(status) mock-\(name)"
        }
    }

    /// A defect of a code, or of the token that it is worth.
    struct Defect: Sendable, CustomTestStringConvertible {
        var name: String
        var mint: JSON.Object = [:]
        var verifier: String?
        /// nil: the code that was minted.
        var code: String?
        var isTwice = false
        var wait: String?
        var provider: JSON = [:]
        var brand: JSON.Object = [:]
        var fault: String?
        var status = 401
        var testDescription: String { name }

        static let verifierText = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        static let pkce: JSON.Object = ["codeChallenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "codeChallengeMethod": "S256"]

        static let all: [Defect] =
            [
                Defect(name: "code-reused", isTwice: true),
                Defect(name: "code-expired", wait: "61s"),
                Defect(name: "code-unknown", code: "SplxlOBeZQQYbYS6WxSbIA"),
                Defect(name: "code-missing", code: ""),
                Defect(name: "code-verifier-mismatch", mint: pkce, verifier: String(verifierText.reversed())),
                Defect(name: "code-verifier-mismatch", verifier: verifierText),
                Defect(name: "code-verifier-missing", mint: pkce),
                Defect(
                    name: "redirect-uri-mismatch", mint: ["redirectURI": "https://liveperson.net/"],
                    provider: ["redirectURIs": ["https://liveperson.net", "https://liveperson.net/"]]),
                Defect(name: "client-refused", provider: ["clientSecret": "another"]),
                Defect(name: "token-expired", mint: ["defect": "expired"]),
                Defect(name: "token-not-yet-valid", mint: ["defect": "not-yet-valid"]),
                Defect(name: "bad-signature", mint: ["defect": "wrong-key"]),
                Defect(name: "bad-signature", mint: ["defect": "tampered"]),
                Defect(name: "algorithm-refused", mint: ["defect": "alg-none"]),
                Defect(name: "issuer-mismatch", mint: ["defect": "wrong-issuer"]),
                Defect(name: "audience-mismatch", mint: ["defect": "wrong-audience"], brand: ["audience": "brand-app"]),
            ]
            + ["iss", "iat", "exp", "sub"].map {
                Defect(name: "claim-missing", mint: ["defect": "claim-missing", "missingClaim": .string($0)])
            }
            + [
                ("identity.token server-error", "token-endpoint-unreachable", 502),
                ("identity.token CONNECTION_RESET_BY_PEER", "token-endpoint-unreachable", 502),
                ("identity.token status code=418", "token-endpoint-nonsense", 502),
                ("identity.token invalid-scope", "token-endpoint-refused", 401),
            ].map { Defect(name: $1, fault: $0, status: $2) }
    }

    @Test(arguments: Flow.allCases)
    func `a code is good for one sign-in, with its verifier or without one`(_ flow: Flow) async throws {
        try await ChatScene.run(flow.channels) { scene in
            let (plain, bound) = (try await scene.code("ada"), try await scene.code("ada", Defect.pkce))
            #expect(try await flow.attempt(plain, verifier: nil, scene) == "ok")
            #expect(try await flow.attempt(bound, verifier: Defect.verifierText, scene) == "ok")
            // The code was redeemed at the provider by the vendor.
            #expect(try await scene.server.journal("?operation=identity.token").count == 2)
            #expect(try await scene.entry(flow.operation)["cause"]?.string?.hasPrefix("ada: code flow (JWT)") == true)
        }
    }

    @Test(arguments: Flow.allCases, Defect.all)
    func `each defect is found and called by its name`(_ flow: Flow, _ defect: Defect) async throws {
        try await ChatScene.run(flow.channels, brand: defect.brand) { scene in
            if let provider = defect.provider.object, !provider.isEmpty {
                try await scene.server.admin(.patch, "tenants/identity", defect.provider)
            }
            if let fault = defect.fault { try await scene.arm("\(fault) times=1") }
            let minted = defect.code == nil ? try await scene.code("ada", defect.mint) : nil
            let code = defect.code ?? minted
            if defect.isTwice { #expect(try await flow.attempt(code, verifier: defect.verifier, scene) == "ok") }
            if let wait = defect.wait { try await scene.advance(wait) }
            #expect(try await flow.attempt(code, verifier: defect.verifier, scene) == flow.refused(defect.name, status: defect.status))
            #expect(try await scene.entry(flow.operation)["answer"]?["name"]?.string == defect.name)
            if defect.provider == [:], defect.brand.isEmpty {
                let next = try await scene.code("ada")
                #expect(try await flow.attempt(next, verifier: nil, scene) == "ok", "the next code is good")
            }
        }
    }

    @Test(arguments: Flow.allCases)
    func `where the brand says so a visitor may bring the code again, and nobody else`(_ flow: Flow) async throws {
        try await ChatScene.run(flow.channels, brand: ["acceptsRepeatedCodes": true]) { scene in
            let code = try await scene.code("ada")
            for _ in 0..<3 { #expect(try await flow.attempt(code, verifier: nil, scene) == "ok") }
            #expect(try await scene.server.journal("?operation=identity.token").count == 1)
            #expect(try await flow.attempt(code, verifier: nil, scene, "bob") == flow.refused("code-reused"))
        }
    }

    @Test(arguments: [false, true])
    func `an access token that did not reconnect is not brought again`(_ isStubborn: Bool) async throws {
        try await ChatScene.run(["authorization": "oauth"]) { scene in
            let chatter = try await scene.open(.single, "v")
            let authorized = try await chatter.authorize(["authorizationCode": .string(try await scene.code("ada"))])["postback"]?["data"]
            let token = authorized?["accessToken"]?["token"]?.string ?? ""
            let again = try await scene.open(.single, "v")
            for token in ["junk", isStubborn ? "junk" : token] {
                _ = try await again.send("ReconnectCustomer", ["accessToken": ["token": .string(token)]])
            }
            let judged = Judged(try await scene.server.admin(.post, "verdicts", ["timeBasis": "sandbox"]))
            #expect(judged.objected.contains("brings-another-token-after-a-failed-reconnection") == isStubborn)
        }
    }

    @Test func `the access token reconnects, is needed with each message, is refreshed, and runs out`() async throws {
        try await ChatScene.run(Flow.socket.channels) { scene in
            try await scene.server.admin(.patch, "tenants/identity", ["subjects": ["ada": ["given_name": "Ada", "family_name": "King"]]])
            let chatter = try await scene.open(.single, "v")
            let authorized = try await chatter.authorize(["authorizationCode": .string(try await scene.code("ada"))])["postback"]?["data"]
            #expect(authorized?["consumerIdentity"] == ["idOnExternalPlatform": "ada", "firstName": "Ada", "lastName": "King"])
            #expect(authorized?["accessToken"]?["expiresIn"] == 3600)
            let token = authorized?["accessToken"]?["token"] ?? .null
            func with(_ token: JSON) -> JSON.Object { ["accessToken": ["token": token]] }
            #expect(try await chatter.say("x", 1).errorWords == "InconsistentData mock-access-token-missing")
            #expect(try await chatter.say("x", 1, with("junk")).errorWords == "InconsistentData mock-access-token-unknown")
            #expect(try await chatter.say("x", 1, with(token)).object?.count == 1)

            let again = try await scene.open(.single, "v")
            #expect(
                try await again.send("ReconnectCustomer", .object(with("junk"))).errorWords
                    == "ConsumerReconnectionFailed mock-access-token-unknown")
            #expect(try await again.send("ReconnectCustomer").errorWords == "ConsumerReconnectionFailed mock-access-token-missing")
            #expect(try await again.send("ReconnectConsumer", .object(with(token)))["postback"] == ["eventType": "ConsumerReconnected"])
            #expect(try await again.send("RecoverThread")["postback"]?["data"]?["messages"]?.array?.count == 1)

            let refreshed = try await again.send("RefreshToken", .object(with(token)))["postback"]?["data"]?["accessToken"]
            let second = try #require(refreshed?["token"])
            #expect(second != token && refreshed?["expiresIn"] == 3600)
            // The newest refresh token is CXone's to know: an answer that was lost costs nothing.
            #expect(try await again.send("RefreshToken", .object(with(token)))["postback"]?["eventType"] == "TokenRefreshed")
            try await scene.arm("identity.token refresh-token-expired times=1")
            #expect(
                try await again.send("RefreshToken", .object(with(second))).errorWords == "TokenRefreshingFailed mock-refresh-token-refused"
            )
            try await scene.advance("61m")
            #expect(try await again.say("y", 2, with(second)).errorWords == "InconsistentData mock-access-token-expired")
            let late = try await scene.open(.single, "v")
            #expect(
                try await late.send("ReconnectCustomer", .object(with(second))).errorWords
                    == "ConsumerReconnectionFailed mock-access-token-expired")
            // The person is one, under the visitor's id and their own.
            #expect(try await scene.server.journal("?lane=ada").contains { $0["operation"] == "cxone.openGateway" })
        }
    }

    // MARK: Secured sessions

    /// Bodies of all three SDKs.
    @Test(
        arguments: [
            (["type": "anonymous", "customerIdentity": ["idOnExternalPlatform": "ada"]], "ada"),
            (["type": "Anonymous", "customerIdentity": ["idOnExternalPlatform": "ada", "firstName": "", "lastName": ""]], "ada"),
            (["customerIdentity": ["idOnExternalPlatform": "ada"]], "ada"), ([:], nil),
        ] as [(JSON, String?)])
    func `an anonymous customer gets a transaction token, which opens the socket`(_ body: JSON, _ name: String?) async throws {
        try await ChatScene.run(["securedSessions": true]) { scene in
            let answer = try await scene.token(.multi, "ada", body)
            guard let name else {
                #expect(answer.status == 401 && answer.json?["error"]?["errorCode"] == "mock-identity-missing")
                return
            }
            #expect(answer.json?["customerIdentity"]?["idOnExternalPlatform"]?.string == name && answer.json?["expiresIn"] == 600)
            #expect(answer.json?["thirdParty"] == nil)
            let token = answer.json?["accessToken"]?.string ?? ""
            let chatter = try await scene.open(.multi, "ada", more: "&transactionToken=\(token)")
            #expect(try await chatter.send("FetchThreadList")["postback"]?["eventType"] == "ThreadListFetched")
            #expect(
                try await chatter.authorize().errorWords == "InconsistentData mock-inconsistent-data", "the socket is signed in already")
        }
    }

    /// Handshakes that are refused, and how.
    @Test(arguments: [
        ("", "transaction-token-missing"), ("&transactionToken=junk", "transaction-token-unknown"), ("late", "transaction-token-expired"),
        ("other", "transaction-token-unknown"),
    ])
    func `a socket without a transaction token that holds is refused`(_ more: String, _ name: String) async throws {
        try await ChatScene.run(["securedSessions": true]) { scene in
            let body: JSON = ["customerIdentity": ["idOnExternalPlatform": "ada"]]
            var query = more
            if more == "late" || more == "other" {
                let token = try await scene.token(.single, more == "other" ? "bob" : "ada", body).json?["accessToken"]?.string ?? ""
                query = "&transactionToken=\(token)"
                if more == "late" { try await scene.advance("10m") }
            }
            let refused = await #expect(throws: SocketClient.Refused.self) { try await scene.open(.single, "ada", more: query) }
            #expect(refused?.answer.status == 401)
            #expect(try await scene.entry("openGateway")["answer"]?["name"]?.string == name)
        }
    }

    @Test func `a URL of before opens again where the brand does not mind its age`() async throws {
        try await ChatScene.run(["securedSessions": true], brand: ["refusesExpiredTransactionTokens": false]) { scene in
            let token = try await scene.token(.single, "ada", ["customerIdentity": ["idOnExternalPlatform": "ada"]]).json?["accessToken"]?
                .string
            try await scene.advance("1h")
            _ = try await scene.open(.single, "ada", more: "&transactionToken=\(token ?? "")")
        }
    }

    @Test func `a secured cookie stands for who got it`() async throws {
        try await ChatScene.run(["securedSessions": true, "authorization": "securedCookie"]) { scene in
            func customer(_ answer: TestAnswer) -> String? { answer.json?["customerIdentity"]?["idOnExternalPlatform"]?.string }
            let first = try await scene.token(.single, "ada", [:])
            let cookie = String((first.headers[.setCookie] ?? "").prefix { $0 != ";" })
            #expect(cookie.hasPrefix("cxone_identity="))
            #expect(customer(try await scene.token(.single, "ada", [:], headers: [.cookie: "a=b; \(cookie)"])) == customer(first))
            let bearer = "Bearer \(first.json?["identityToken"]?.string ?? "")"
            #expect(customer(try await scene.token(.single, "ada", [:], headers: [.authorization: bearer])) == customer(first))
            #expect(customer(try await scene.token(.single, "ada", [:])) != customer(first))
        }
    }

    @Test func `a refresh answers in both forms, and an old refresh token is refused`() async throws {
        try await ChatScene.run(Flow.service.channels) { scene in
            let body: JSON = [
                "thirdParty": ["grant_type": "authorization_code", "authorization_code": .string(try await scene.code("ada"))]
            ]
            let issued = try await scene.token(.single, "v", body)
            #expect(issued.json?["customerIdentity"]?["idOnExternalPlatform"] == "ada")
            let refresh: JSON = [
                "thirdParty": ["grant_type": "refresh_token", "refresh_token": issued.json?["thirdParty"]?["refresh_token"] ?? .null]
            ]
            let answer = try await scene.token(.single, "v", refresh)
            #expect(answer.json?["access_token"] == answer.json?["thirdParty"]?["access_token"] && answer.json?["access_token"] != nil)
            #expect(answer.json?["refresh_token"] == answer.json?["thirdParty"]?["refresh_token"])
            #expect(answer.json?["access_token"] != issued.json?["thirdParty"]?["access_token"])
            let old = try await scene.token(.single, "v", refresh)
            #expect(old.status == 401 && old.json?["error"]?["errorCode"] == "mock-refresh-token-unknown")
            let chatter = try await scene.open(.single, "v", more: "&transactionToken=\(answer.json?["accessToken"]?.string ?? "")")
            #expect(try await chatter.say("x", 1, ["accessToken": ["token": answer.json?["access_token"] ?? .null]]).object?.count == 1)
        }
    }

    @Test func `a channel without secured sessions has no token service`() async throws {
        try await ChatScene.run { scene in
            let answer = try await scene.token(.single, "ada", [:])
            #expect(answer.status == 403 && answer.json?["error"]?["errorCode"] == "mock-secured-sessions-disabled")
        }
    }
}
