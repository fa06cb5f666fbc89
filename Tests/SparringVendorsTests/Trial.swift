import Foundation
import JWTKit
import SparringJSON
import SparringTokens
import Support
import Testing

/// A cell of the table: one way to sign in, with one thing wrong, and what comes of it.
struct Trial: Sendable, CustomTestStringConvertible {
    let flow: Flow
    let defect: Defect
    let outcome: Outcome
    var testDescription: String { "\(flow.rawValue), \(defect): \(outcome.brief)" }

    enum Flow: String, Sendable, CaseIterable {
        case jwtV1 = "implicit JWT v1"
        case jwtV2 = "implicit JWT v2"
        case jwtV3 = "implicit JWT v3"
        case jweV2 = "implicit JWE v2"
        case code = "code v2"
        case codeS256 = "code with PKCE S256 v2"
        case codePlain = "code with PKCE plain v2"
        case client = "OIDC client at the token endpoint"

        static let implicit = [jwtV1, jwtV2, jwtV3, jweV2]
        static let codes = [code, codeS256, codePlain]
        static let pkce = [codeS256, codePlain]

        var isImplicit: Bool { Self.implicit.contains(self) }
        var version: Scene.Version { self == .jwtV1 ? .v1 : self == .jwtV3 ? .v3 : .v2 }
        var challengeMethod: String? { self == .codeS256 ? "S256" : self == .codePlain ? "plain" : nil }
    }

    enum Defect: Sendable {
        case none
        /// The token itself: of the brand's own making in implicit flow, minted by Sparring's provider in code flow.
        case token(TokenDefect, claim: String = "exp")
        case numericDatesAsStrings, es256, hs256OfPublicKey, malformed(String), issuerWithSlash
        /// On an account that asks for an audience, or takes keys from a JWKS endpoint.
        case wrongAudienceAsked, rightAudienceAsked, keySet(kid: String?), wrongKeyOfSet
        case keysUnavailable(ScriptedServer.Script?)
        case otherRecipient, jweAlgorithm(String), jweTampered, jweOfNoToken
        case codeTwice, codeExpired, codeUnknown, codeNotYetExpired
        case redirectURI(String), slashTolerated
        case verifierWrong, verifierMissing, verifierUnasked, pkceSwitchedOn
        case wrongSecret, noClientAuthentication
        case issuerName(String), accountUnknown, connectorUnknown
        case endpoint(ScriptedServer.Script?)
        case both, neither
    }

    enum Party: Sendable { case identity, liveperson }

    enum Outcome: Sendable {
        case accepted(String)
        case refused(by: Party, Int, String, String)

        var brief: String { if case .refused(_, let status, let body, _) = self { "\(status) \(body)" } else { "accepted" } }
    }

    /// LivePerson's own refusal.
    static func refused(_ code: String, _ cause: String) -> Outcome { .refused(by: .liveperson, 500, #"{"internalErrorCode":"\#(code)"}"#, cause) }
    /// The provider's refusal, as LivePerson's client sees it.
    static func relayed(_ code: String, _ cause: String) -> Outcome { .refused(by: .identity, 500, #"{"internalErrorCode":"\#(code)"}"#, cause) }
    /// The provider's refusal, as its own client sees it: its description is the cause.
    static func direct(_ error: String, _ cause: String, status: Int = 400) -> Outcome {
        .refused(by: .identity, status, #"{"error":"\#(error)","error_description":"\#(cause)"}"#, cause)
    }
}

/// Plays a trial.
struct Attempt {
    let trial: Trial
    private(set) var scene: Scene
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// RFC 7636 appendix B.
    private static let challenges = ["S256": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "plain": verifier]

    init(_ trial: Trial, _ server: TestServer) async throws {
        self.trial = trial
        scene = try await Scene(server)
    }

    mutating func play() async throws -> TestAnswer {
        if trial.flow == .client { return try await playClient() }
        return trial.flow.isImplicit ? try await playImplicit() : try await playCode()
    }

    // MARK: Implicit flow, with a brand that is not Sparring

    private mutating func playImplicit() async throws -> TestAnswer {
        try await configureBrand([:])
        switch trial.defect {
        case .wrongAudienceAsked, .rightAudienceAsked: try await configure(["audience": "acc:brand"])
        case .keySet, .wrongKeyOfSet:
            let trial = trial
            return try await ScriptedServer.run({ _ in .answer(200, Brand.keySet.text) }) { [self] server in
                var copy = self
                try await copy.configureBrand(["certificate": "jwks", "jwksURI": .string(server.url("/keys"))])
                let answer = try await copy.send(token: copy.token())
                #expect(server.requests.map(\.line) == ["GET /keys HTTP/1.1"], "\(trial.defect)")
                return answer
            }
        case .keysUnavailable(let script):
            guard let script else {
                try await configureBrand(["certificate": "jwks", "jwksURI": .string(ScriptedServer.closedPort())])
                break
            }
            return try await ScriptedServer.run({ _ in script }) { [self] server in
                var copy = self
                try await copy.configureBrand(["certificate": "jwks", "jwksURI": .string(server.url("/keys"))])
                try await copy.configure(["tokenEndpointTimeout": "300ms"])
                return try await copy.send(token: copy.token())
            }
        default: break
        }
        return try await send(token: try await token())
    }

    private func send(token: String) async throws -> TestAnswer {
        let version = trial.flow.version
        switch trial.defect {
        case .accountUnknown: return try await scene.signIn(version, [version == .v1 ? "authCode" : "id_token": .string(token)], account: "nobody")
        case .connectorUnknown: return try await scene.signIn(version, ["id_token": .string(token)], connector: "4711")
        case .issuerName(let name): return try await scene.signIn(version, ["id_token": .string(token), "issuerDisplayName": .string(name)])
        case .both: return try await scene.signIn(version, ["id_token": .string(token), "code": "SplxlOBeZQQYbYS6WxSbIA"])
        case .neither: return try await scene.signIn(version, [:])
        default: return try await scene.signIn(version, token: token)
        }
    }

    private func token() async throws -> String {
        if case .malformed(let text) = trial.defect { return text }
        let signed = try await signed()
        guard trial.flow == .jweV2 else { return signed }
        let recipient = try EncryptionKey(pem: scene.liveperson["encryptionPublicKey"]?.string ?? "", kid: scene.liveperson["encryptionKid"]?.string)
        switch trial.defect {
        case .otherRecipient: return try JWE.encrypt(Array(signed.utf8), to: EncryptionKey(Brand.pool.rsa(1).verificationKey))
        case .jweOfNoToken: return try JWE.encrypt(Array("no token".utf8), to: recipient)
        case .jweTampered:
            var parts = try JWE.encrypt(Array(signed.utf8), to: recipient, encryption: .a256GCM).split(separator: ".").map(String.init)
            parts[4] = String(repeating: "A", count: parts[4].count - 1) + "Q"
            return parts.joined(separator: ".")
        case .jweAlgorithm(let header):
            var parts = try JWE.encrypt(Array(signed.utf8), to: recipient).split(separator: ".").map(String.init)
            parts[0] = Base64URL.encode(header.utf8)
            return parts.joined(separator: ".")
        default: return try JWE.encrypt(Array(signed.utf8), to: recipient, header: ["cty": "JWT"])
        }
    }

    private func signed() async throws -> String {
        let now = Scene.now
        switch trial.defect {
        case .token(.expired, _): return try await Brand.token(["iat": .integer(now - 7200), "exp": .integer(now - 3600)])
        case .token(.notYetValid, _): return try await Brand.token(["iat": .integer(now + 3600), "exp": .integer(now + 7200)])
        case .token(.wrongKey, _), .wrongKeyOfSet: return try await Brand.token(signature: .stranger)
        case .token(.unknownKid, _): return try await Brand.token(kid: "unheard-of")
        case .token(.wrongIssuer, _): return try await Brand.token(["iss": "https://wrong-issuer.invalid"])
        case .token(.wrongAudience, _), .wrongAudienceAsked: return try await Brand.token(["aud": "somebody else"])
        case .rightAudienceAsked: return try await Brand.token(["aud": ["somebody else", "acc:brand"]])
        case .token(.claimMissing, let claim): return try await Brand.token([claim: .null])
        case .token(.algNone, _): return try await Brand.token(signature: .none)
        case .token(.tampered, _):
            var parts = try await Brand.token().split(separator: ".").map(String.init)
            var claims = try Brand.claims(of: parts.joined(separator: "."))
            claims["sub"] = "eve"
            parts[1] = Base64URL.encode(claims.bytes)
            return parts.joined(separator: ".")
        case .hs256OfPublicKey: return try await Brand.token(signature: .hs256OfPublicKey)
        case .es256: return try await Brand.token(signature: .es256)
        case .issuerWithSlash: return try await Brand.token(["iss": .string(Brand.issuer + "/")])
        case .numericDatesAsStrings: return try await Brand.token(["iat": .string(String(now)), "exp": .integer((now + 3600) * 1000)])
        case .keySet(let kid): return try await Brand.token(kid: kid)
        default: return try await Brand.token()
        }
    }

    // MARK: Code flow, with Sparring's own provider or a scripted token endpoint

    private mutating func playCode() async throws -> TestAnswer {
        switch trial.defect {
        case .endpoint(let script):
            guard let script else {
                try await configureBrand(["tokenEndpoint": .string(ScriptedServer.closedPort()), "clientId": "us", "clientSecret": "s:e c"])
                return try await scene.signIn(.v2, ["code": "SplxlOBeZQQYbYS6WxSbIA"])
            }
            return try await ScriptedServer.run({ _ in script }) { [self] server in
                var copy = self
                try await copy.configureBrand(["tokenEndpoint": .string(server.url("/token")), "clientId": "us", "clientSecret": "s:e c"])
                try await copy.configure(["tokenEndpointTimeout": "300ms"])
                let answer = try await copy.scene.signIn(.v2, ["code": "SplxlOBe=ZQQ&"])
                let request = try #require(server.requests.first)
                #expect(request.line == "POST /token HTTP/1.1" && server.requests.count == 1)
                #expect(request.headers["authorization"] == Form.basic("us", "s:e c"))
                #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
                #expect(request.body == "code=SplxlOBe%3DZQQ%26&grant_type=authorization_code&redirect_uri=https%3A%2F%2Fliveperson.net")
                return answer
            }
        case .wrongSecret: try await changeIssuer(["clientSecret": "another"])
        case .pkceSwitchedOn: try await changeIssuer(["pkce": true])
        case .wrongAudienceAsked, .rightAudienceAsked: try await configure(["audience": "brand-app"])
        case .keySet, .wrongKeyOfSet: try await changeIssuer(["certificate": "jwks"])
        case .slashTolerated: scene = try await scene.configure("identity", ["redirectMatch": "slashTolerant"])
        default: break
        }
        var body: JSON = ["code": .string(try await code())]
        if trial.flow.challengeMethod != nil { body["code_verifier"] = .string(Self.verifier) }
        switch trial.defect {
        case .codeTwice: try await expectAccepted(scene.signIn(.v2, body))
        case .codeExpired: try await scene.advance("61s")
        case .codeNotYetExpired: try await scene.advance("59s")
        case .codeUnknown: body["code"] = "SplxlOBeZQQYbYS6WxSbIA"
        case .redirectURI(let uri): body["redirect_uri"] = .string(uri)
        case .slashTolerated: body["redirect_uri"] = "https://liveperson.net/"
        case .verifierWrong: body["code_verifier"] = .string(String(Self.verifier.reversed()))
        case .verifierMissing: body["code_verifier"] = Optional.none
        case .verifierUnasked: body["code_verifier"] = .string(Self.verifier)
        case .issuerName(let name): body["issuerDisplayName"] = .string(name)
        case .accountUnknown: return try await scene.signIn(.v2, body, account: "nobody")
        default: break
        }
        return try await scene.signIn(.v2, body)
    }

    private func playClient() async throws -> TestAnswer {
        var scene = scene
        if case .slashTolerated = trial.defect { scene = try await scene.configure("identity", ["redirectMatch": "slashTolerant"]) }
        var code = try await code()
        var redirectURI = Scene.redirectURI
        var verifier: String?
        var client: (id: String, secret: String)? = (scene.clientId, scene.clientSecret)
        switch trial.defect {
        case .codeTwice: try await expectAccepted(scene.redeem(code: code))
        case .codeExpired: try await scene.advance("61s")
        case .codeUnknown: code = "SplxlOBeZQQYbYS6WxSbIA"
        case .redirectURI(let uri): redirectURI = uri
        case .slashTolerated: redirectURI = "https://liveperson.net/"
        case .verifierWrong: verifier = String(Self.verifier.reversed())
        case .verifierUnasked: verifier = Self.verifier
        case .wrongSecret: client?.secret = "another"
        case .noClientAuthentication: client = nil
        default: break
        }
        return try await scene.redeem(
            ["grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "code_verifier": verifier], basic: .some(client))
    }

    /// By the authorization endpoint where the token is to be sound, else minted.
    private func code() async throws -> String {
        let method: String? =
            switch (trial.flow, trial.defect) {
            case (.client, .verifierWrong), (.client, .verifierMissing): "S256"
            default: trial.flow.challengeMethod
            }
        var form: JSON = ["form": "code", "redirectURI": .string(Scene.redirectURI)]
        if let method {
            form["codeChallenge"] = Self.challenges[method].map { .string($0) }
            form["codeChallengeMethod"] = .string(method)
        }
        switch trial.defect {
        case .token(let defect, let claim):
            form["defect"] = .string(defect.rawValue)
            form["missingClaim"] = .string(claim)
        case .wrongAudienceAsked: form["defect"] = "wrong-audience"
        case .keySet(let kid): if kid == "unheard-of" { form["defect"] = "unknown-kid" }
        case .wrongKeyOfSet: form["defect"] = "wrong-key"
        default: return try await scene.code(["code_challenge": method.flatMap { Self.challenges[$0] }, "code_challenge_method": method])
        }
        return try await scene.mint(form)
    }

    // MARK: Configuring

    private mutating func configureBrand(_ members: JSON) async throws { try await configure(["issuers": [Brand.configured(members)]]) }

    private mutating func changeIssuer(_ members: JSON) async throws {
        var issuer = try #require(scene.liveperson["issuers"]?.array?.first)
        for (name, value) in members.object ?? [:] { issuer[name] = value }
        try await configure(["issuers": [issuer]])
    }

    private mutating func configure(_ patch: JSON) async throws { scene = try await scene.configure("liveperson", patch) }

    private func expectAccepted(_ answer: TestAnswer) { #expect(answer.status == 200, "\(answer.text)") }
}
