import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The user's identity: sessions and their context (ASAPP reference 2.2).
@Suite struct ChatSessionTests {
    struct Trial: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How the token is minted; nil: there is none.
        let wishes: JSON.Object?
        let code: String
        let answer: String
    }

    static let trials = [
        Trial(testDescription: "sound", wishes: [:], code: "", answer: "session-started"),
        Trial(testDescription: "JWE", wishes: ["form": "jwe"], code: "", answer: "session-started"),
        Trial(testDescription: "expired", wishes: ["defect": "expired"], code: "401-02", answer: "context-token-expired"),
        Trial(testDescription: "not valid yet", wishes: ["defect": "not-yet-valid"], code: "401-01", answer: "context-not-yet-valid"),
        Trial(testDescription: "another key", wishes: ["defect": "wrong-key"], code: "401-01", answer: "context-bad-signature"),
        Trial(testDescription: "changed", wishes: ["defect": "tampered"], code: "401-01", answer: "context-bad-signature"),
        Trial(testDescription: "another issuer", wishes: ["defect": "wrong-issuer"], code: "401-01", answer: "context-issuer-mismatch"),
        Trial(
            testDescription: "another audience", wishes: ["defect": "wrong-audience"], code: "401-01", answer: "context-audience-mismatch"),
        Trial(
            testDescription: "no issuer", wishes: ["defect": "claim-missing", "missingClaim": "iss"], code: "401-01",
            answer: "context-claim-missing"),
        Trial(testDescription: "no algorithm", wishes: ["defect": "alg-none"], code: "401-01", answer: "context-algorithm-refused"),
        Trial(testDescription: "somebody else's", wishes: ["subject": "eve"], code: "401-01", answer: "context-user-mismatch"),
        Trial(testDescription: "none", wishes: nil, code: "401-01", answer: "context-token-missing"),
    ]

    @Test(arguments: trials)
    func `a token is decoded, and each defect has its name and code`(_ trial: Trial) async throws {
        try await CompanyScene.run(["audience": "brand-app"], identity: ["clientId": "brand-app"]) { scene async throws in
            var token: String?
            if let wishes = trial.wishes { token = try await scene.token("ann", wishes) }
            let answer = try await scene.start("ann", CompanyScene.context(token))
            #expect((answer.code ?? "") == trial.code, "\(answer.text)")
            #expect(try await scene.entry("startSession")["answer"]?["name"]?.string == trial.answer)
            if !trial.code.isEmpty {
                #expect(answer.status == 401 && answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            }
        }
    }

    static let shapes: [(String, JSON, JSON, String)] = [
        ("another place", ["token": "/session/jwt"], ["session": ["jwt": "TOKEN"]], "session-started"),
        ("where it was not agreed", ["token": "/session/jwt"], ["Auth": ["Token": "TOKEN"]], "context-token-missing"),
        ("a number", [:], ["Auth": ["Token": 7]], "context-token-malformed"),
        ("nothing", [:], ["Auth": ["Token": ""]], "context-token-malformed"),
        ("no token", [:], ["Auth": ["Token": "abc"]], "context-token-malformed"),
    ]

    @Test(arguments: shapes)
    func `the token stands where the company has agreed on it`(_ what: String, _ settings: JSON, _ context: JSON, _ name: String)
        async throws
    {
        try await CompanyScene.run(["context": settings]) { scene async throws in
            let token = try await scene.token("ann")
            let filled = try JSON(parsing: Array(context.text.replacing("TOKEN", with: token).utf8))
            _ = try await scene.start("ann", filled)
            #expect(try await scene.entry("startSession")["answer"]?["name"]?.string == name, "\(what)")
        }
    }

    static let validations: [(String, String, JSON.Object, String)] = [
        ("access-token", "ann", [:], "session-started"), ("jwt", "ann", [:], "session-started"),
        ("jwt", "ann", ["defect": "expired"], "context-token-expired"), ("jwt", "ann", ["defect": "wrong-key"], "context-refused"),
        ("access-token", "eve", [:], "context-user-mismatch"),
    ]

    @Test(arguments: validations)
    func `the customer's own API is asked`(_ form: String, _ owner: String, _ wishes: JSON.Object, _ name: String) async throws {
        try await CompanyScene.run(["context": ["validation": "api"]]) { scene async throws in
            _ = try await scene.start("ann", CompanyScene.context(try await scene.token(owner, wishes, form: form)))
            #expect(try await scene.entry("startSession")["answer"]?["name"]?.string == name)
            #expect(try await scene.entries("validateContext").count == 1)
        }
    }

    @Test func `an access token that has expired is reported as expired, and one that nobody issued is refused`() async throws {
        try await CompanyScene.run(["context": ["validation": "api"]]) { scene async throws in
            let token = try await scene.token("ann", ["lifetime": "10s"], form: "access-token")
            try await scene.advance("11s")
            #expect(try await scene.start("ann", CompanyScene.context(token)).code == "401-02")
            #expect(try await scene.start("ann", CompanyScene.context("made-up")).code == "401-01")
        }
    }

    static let backends: [(ScriptedServer.Script, Int, String)] = [
        (.answer(200, #"{"valid":true,"userIdentifier":"ann"}"#), 200, "session-started"),
        (.answer(200, #"{"valid":false,"userIdentifier":"ann"}"#), 401, "context-refused"),
        (.answer(200, #"{"valid":true}"#), 502, "validation-nonsense"), (.answer(200, "no JSON"), 502, "validation-nonsense"),
        (.answer(401, #"{"error":"token-expired"}"#), 401, "context-token-expired"), (.answer(403, ""), 401, "context-refused"),
        (.answer(429, ""), 502, "validation-unreachable"), (.answer(500, ""), 502, "validation-unreachable"),
    ]

    @Test(arguments: backends)
    func `a customer's API on the network is asked, and its failures are no refusals`(
        _ script: ScriptedServer.Script, _ status: Int, _ name: String
    ) async throws {
        try await ScriptedServer.run({ _ in script }) { api async throws in
            try await CompanyScene.run(["context": ["validation": "api", "url": .string(api.url("/validate"))]]) { scene async throws in
                let answer = try await scene.start("ann", CompanyScene.context("opaque"))
                #expect(answer.status == status, "\(answer.text)")
                #expect(try await scene.entry("startSession")["answer"]?["name"]?.string == name)
                let request = try #require(api.requests.first)
                #expect(try JSON(parsing: request.body) == ["token": "opaque", "userIdentifier": "ann"])
            }
        }
    }

    @Test func `the token is only compared, no matter who signed it`() async throws {
        try await CompanyScene.run(["context": ["validation": "compare"]]) { scene async throws in
            for (wishes, status) in [(["defect": "wrong-key"], 200), (["defect": "expired"], 401), (["subject": "eve"], 401)]
                as [(JSON.Object, Int)]
            {
                let answer = try await scene.start("ann", CompanyScene.context(try await scene.token("ann", wishes)))
                #expect(answer.status == status, "\(answer.text)")
            }
        }
    }

    @Test func `an anonymous session goes on under the name of who signs in`() async throws {
        try await CompanyScene.run { scene async throws in
            let somebody = try await scene.person(nil)
            #expect(try await somebody.say("hello").status == 201)
            #expect(try await somebody.register("d-1").status == 204)
            let again = try await scene.person(nil, after: somebody.session)
            #expect(again.name == somebody.name)
            let ann = try await scene.person("ann", after: somebody.session)
            #expect(try await ann.texts() == ["hello"])
            // Somebody else who turns out to be ann keeps what was said too.
            let other = try await scene.person(nil)
            #expect(try await other.say("from the web", id: "hello").status == 201)
            try await scene.act("push", ["consumer": .string(other.name), "text": "welcome"])
            let both = try await scene.person("ann", after: other.session)
            #expect(try await both.texts() == ["hello", "from the web", "welcome"])
            #expect(try await both.status() == "1 live")
            let consumers = try await scene.server.admin(.get, "consumers")["consumers"]?.array ?? []
            #expect(consumers.contains { $0["consumer"] == "ann" && $0["anonymous"] == false })
        }
    }

    @Test func `a session ends by its time, and by ASAPP's hand`() async throws {
        try await CompanyScene.run(["sessionLifetime": "60s"], .socket) { scene async throws in
            let ann = try await scene.person("ann")
            let socket = try await ann.enter()
            try await scene.advance("61s")
            #expect(try await ann.call(.get, "/status").code == "401-04")
            let again = try await scene.person("ann", after: ann.session)
            let url = try await again.socketURL()
            let done = try await scene.act("signOut", ["consumer": "ann", "reason": "revoked"])
            #expect(done["done"]?.array?.last == "socket 1 closed with 1008")
            #expect(try await socket.end() == .closed(code: 1008, reason: "Signed out"))
            #expect(try await again.call(.get, "/status").code == "401-03")
            #expect(try await scene.entry("readStatus")["answer"]?["name"] == "session-revoked")
            #expect(try await scene.refusal(of: url) == "401-05")
            #expect(try await scene.call(.get, "/status", by: "nobody's").code == "401-03")
            #expect(try await scene.call(.get, "/status").code == "401-03")
        }
    }

    @Test func `a secret is checked where the company has one`() async throws {
        try await CompanyScene.run(["clientSecret": "s3cret"]) { scene async throws in
            for (secret, status) in [(nil, 403), ("wrong", 403), ("s3cret", 200)] as [(String?, Int)] {
                #expect(try await scene.start(nil, secret: secret).status == status)
            }
        }
        try await CompanyScene.run { scene async throws in
            #expect(try await scene.start(nil, secret: "anything").status == 200)
            var stranger = scene
            stranger.company = "nobody"
            #expect(try await stranger.start(nil).code == "404-01")
        }
    }

    @Test(arguments: [("ann@example.com", true), ("+41 79 123 45 67", true), ("u-17", false), ("8f14e45f", false), ("1234567", false)])
    func `an identifier that looks personal is noted`(_ user: String, _ isPersonal: Bool) async throws {
        try await CompanyScene.run { scene async throws in
            #expect(try await scene.start(user, CompanyScene.context(try await scene.token(user))).status == 200)
            #expect(try await scene.findings("startSession") == (isPersonal ? ["personal-data-in-identifier"] : []))
        }
    }
}
