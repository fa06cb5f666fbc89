import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// LivePerson's identity service beyond the table of flows and defects (LivePerson reference 4).
@Suite struct LoginTests {
    // MARK: The token

    @Test(arguments: Scene.Version.allCases, TestServer.Speed.usual)
    func `a consumer is the same after each sign-in, and another at each account`(_ version: Scene.Version, _ speed: TestServer.Speed)
        async throws
    {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            _ = try await server.send(.post, "/__admin/sandboxes", json: ["name": "other", "seed": 1])
            let other = try await Scene(server, sandbox: "other")
            let first = try await consumer(scene, version, scene.mint(["form": "jwt"]))
            try await scene.advance("30m")
            #expect(try await consumer(scene, version, scene.mint(["form": "jwt"])) == first)
            #expect(try await scene.entry(version.operation)?.cause == "ada signed in by implicit flow (JWT), sign-in 2 of this consumer")
            #expect(try await consumer(scene, .v2, scene.mint(["form": "jwe"])) == first)
            #expect(try await consumer(scene, version, scene.mint(["form": "jwt", "subject": "grace"])) != first)
            #expect(try await consumer(other, version, other.mint(["form": "jwt"])) != first)
        }
    }

    private func consumer(_ scene: Scene, _ version: Scene.Version, _ token: String) async throws -> String {
        let answer = try await scene.signIn(version, token: token)
        let issued = try #require(answer.json?[version.member]?.string, "\(answer.text)")
        return try #require(try Brand.claims(of: issued)["sub"]?.string)
    }

    /// Lives of the brand's token, of LivePerson's cap, and of what comes of them.
    @Test(arguments: [("1h", nil, 3600), ("1h", "10m", 600), ("1h", "2h", 3600), ("5m", "10m", 300)])
    func `LivePerson's token lives as long as the brand's, and no longer than configured`(_ brand: String, _ cap: String?, _ life: Int64)
        async throws
    {
        try await TestServer.run { server in
            let scene = try await Scene(server).configure("liveperson", cap.map { ["tokenLifetime": .string($0)] } ?? [:])
            let token = try await scene.mint(["form": "jwt", "lifetime": .string(brand)])
            try await scene.advance("60s")
            let claims = try Brand.claims(of: try #require(try await scene.signIn(.v2, token: token).json?["jwt"]?.string))
            #expect(claims["iat"] == .integer(Scene.now))
            // Of the brand's token sixty seconds are over.
            #expect(claims["exp"] == .integer(cap != nil && life == 600 ? Scene.now + 60 + life : Scene.now + life))
        }
    }

    @Test func `custom claims are carried in an opaque form`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let sdes: JSON = [["type": "ctmrinfo", "info": ["ctype": "vip", "balance": -1.5]]]
            let token = try await scene.mint(["form": "jwt", "claims": ["lp_sdes": sdes, "given_name": "Ada", "phone_number": "123"]])
            let ext = try Brand.claims(of: try #require(try await scene.signIn(.v2, token: token).json?["jwt"]?.string))["lp.ext"]
            #expect(ext?["lp_sdes"]?.string?.wholeMatch(of: /[0-9a-f]+/) != nil)
            #expect(ext?["sub"] == "ada" && ext?["iss"] == .string(scene.issuer))
        }
    }

    // MARK: What an account can ask for

    @Test(arguments: [("token-expired", "9012"), ("bad-signature", "4711"), ("code-unknown", "mock-my-own")])
    func `the codes of refusals can be configured`(_ name: String, _ code: String) async throws {
        try await TestServer.run(tenants: ["liveperson": ["errorCodes": [name: .string(code)]]]) { server in
            let scene = try await Scene(server)
            let answer =
                switch name {
                case "token-expired": try await scene.signIn(.v1, token: scene.mint(["form": "jwt", "defect": "expired"]))
                case "bad-signature": try await scene.signIn(.v2, token: scene.mint(["form": "jwt", "defect": "tampered"]))
                default: try await scene.signIn(.v2, ["code": "unheard-of"])
                }
            #expect(answer.status == 500 && answer.text == #"{"internalErrorCode":"\#(code)"}"#)
            #expect(try await scene.entry("liveperson.authenticateV\(name == "token-expired" ? 1 : 2)")?.answerName == name)
            #expect(try await scene.findings().isEmpty)
        }
    }

    @Test(arguments: ["no such refusal", "token-expierd"])
    func `a code for a refusal that does not exist is refused`(_ name: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["errorCodes": [name: "9012"]])
            #expect(answer.status == 422, "\(answer.text)")
        }
    }

    @Test func `a code that could not stand in an answer is refused`() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["errorCodes": ["token-expired": "not a code"]])
            #expect(answer.status == 422, "\(answer.text)")
        }
    }

    /// The documentation's samples have dates as strings and in milliseconds (LivePerson reference 3.5).
    @Test(arguments: [
        ("exp", JSON.string("1767229200")), ("iat", .string("1767225600")), ("exp", .integer(1_767_229_200_000)),
        ("iat", .integer(1_767_225_600_000)),
    ])
    func `dates of the wrong kind are tolerated unless the account is strict`(_ claim: String, _ value: JSON) async throws {
        try await TestServer.run(tenants: ["liveperson": ["issuers": [Brand.configured()]]]) { server in
            let token = try await Brand.token([claim: value])
            let scene = try await Scene(server)
            let answer = try await scene.signIn(.v2, token: token)
            let claims = try Brand.claims(of: try #require(answer.json?["jwt"]?.string))
            #expect(claims["exp"] == .integer(Scene.now + 3600) && claims["iat"] == .integer(Scene.now))
            #expect(
                try await scene.entry("liveperson.authenticateV2")?.cause.contains(
                    "\(claim) \(value.string == nil ? "in milliseconds" : "as a string")") == true)
            let strict = try await scene.configure("liveperson", ["strictNumericDates": true])
            #expect(try await strict.signIn(.v2, token: token).json == ["internalErrorCode": "mock-token-malformed"])
            #expect(try await strict.entry("liveperson.authenticateV2")?.cause.hasPrefix("claim \(claim) is") == true)
        }
    }

    @Test(arguments: [
        JSON.string("tomorrow"), .bool(true), .array([]), .number(1e300), .number(-1e300), .integer(.max), .integer(.min),
        .string("9223372036854775807"),
    ])
    func `dates that are no dates are refused`(_ value: JSON) async throws {
        try await TestServer.run(tenants: ["liveperson": ["issuers": [Brand.configured()]]]) { server in
            let scene = try await Scene(server)
            for claim in ["exp", "iat", "nbf"] {
                let answer = try await scene.signIn(.v2, token: Brand.token([claim: value]))
                #expect(answer.json == ["internalErrorCode": "mock-token-malformed"], "\(claim)")
            }
        }
    }

    @Test func `a token ends with its second, unless the account allows for wrong clocks`() async throws {
        try await TestServer.run(tenants: ["liveperson": ["issuers": [Brand.configured()]]]) { server in
            var scene = try await Scene(server)
            let token = try await Brand.token()
            let early = try await Brand.token(["iat": .integer(Scene.now + 3599 + 30), "exp": .integer(Scene.now + 9000)])
            try await scene.advance("3599s")
            #expect(try await scene.signIn(.v2, token: token).status == 200)
            #expect(try await scene.signIn(.v2, token: early).json == ["internalErrorCode": "mock-token-not-yet-valid"])
            try await scene.advance("1s")
            #expect(try await scene.signIn(.v2, token: token).json == ["internalErrorCode": "mock-token-expired"])
            scene = try await scene.configure("liveperson", ["clockSkew": "60s"])
            #expect(try await scene.signIn(.v2, token: token).status == 200)
            #expect(try await scene.signIn(.v2, token: early).status == 200)
            try await scene.advance("60s")
            #expect(try await scene.signIn(.v2, token: token).json == ["internalErrorCode": "mock-token-expired"])
        }
    }

    @Test func `a token is tried with the issuer that it names, or with the one that is chosen`() async throws {
        let issuers: JSON = [
            Brand.configured(["displayName": "A", "iss": "https://a.example"]),
            Brand.configured(["displayName": "B", "iss": "https://b.example", "publicKey": .string(try Brand.pool.rsa(6).publicKeyBase64!)]
            ),
        ]
        try await TestServer.run(tenants: ["liveperson": ["issuers": issuers]]) { server in
            let scene = try await Scene(server)
            let a = try await Brand.token(["iss": "https://a.example"])
            let b = try await Brand.token(["iss": "https://b.example"], signature: .stranger)
            #expect(try await scene.signIn(.v2, token: a).status == 200)
            #expect(try await scene.signIn(.v2, token: b).status == 200)
            #expect(try await scene.signIn(.v2, ["id_token": .string(b), "issuerDisplayName": "B"]).status == 200)
            let chosen = try await scene.signIn(.v2, ["id_token": .string(a), "issuerDisplayName": "B"])
            #expect(chosen.json == ["internalErrorCode": "mock-issuer-mismatch"])
            let crossed = try await scene.signIn(.v2, token: Brand.token(["iss": "https://b.example"]))
            #expect(crossed.json == ["internalErrorCode": "9007"])
        }
    }

    // MARK: Every form of JWE

    @Test(arguments: EncryptionAlgorithm.allCases, ContentEncryption.allCases)
    func `a JWE of every form signs in`(_ algorithm: EncryptionAlgorithm, _ encryption: ContentEncryption) async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let minted = try await scene.mint([
                "form": "jwe", "algorithm": .string(algorithm.rawValue), "encryption": .string(encryption.rawValue),
            ])
            let header = try JWE(parsing: minted).header
            #expect(header["alg"] == .string(algorithm.rawValue) && header["enc"] == .string(encryption.rawValue) && header["cty"] == "JWT")
            #expect(header["kid"] == scene.liveperson["encryptionKid"])
            #expect(try await scene.signIn(.v2, token: minted).status == 200)
        }
    }

    @Test func `a provider that encrypts its tokens is understood in the code flow`() async throws {
        let tenants: JSON.Object = ["identity": ["idToken": "jwe", "encryption": ["alg": "RSA-OAEP", "enc": "A256GCM"]]]
        try await TestServer.run(tenants: tenants) { server in
            let scene = try await Scene(server)
            #expect(try await scene.signIn(.v2, ["code": .string(scene.code())]).status == 200)
            #expect(try await scene.entry("liveperson.authenticateV2")?.cause == "ada signed in by code flow (JWE)")
        }
    }
}
