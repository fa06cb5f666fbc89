import SparringJSON
import SparringTokens
import Support
import Testing

/// Plays a trial.
struct Attempt {
    let trial: Trial
    var scene: Scene
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// RFC 7636 appendix B.
    static let challenges = ["S256": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "plain": verifier]

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
                // Without a kid there is nothing to look for.
                if case .keySet(kid: nil) = trial.defect {
                    #expect(server.requests.isEmpty)
                } else {
                    #expect(server.requests.map(\.line) == ["GET /keys HTTP/1.1"])
                }
                return answer
            }
        case .keysUnavailable(let script):
            guard let script else {
                return try await ScriptedServer.runClosed { [self] url in
                    var copy = self
                    try await copy.configureBrand(["certificate": "jwks", "jwksURI": .string(url)])
                    return try await copy.send(token: copy.token())
                }
            }
            return try await ScriptedServer.run({ _ in script }) { [self] server in
                var copy = self
                try await copy.configureBrand(["certificate": "jwks", "jwksURI": .string(server.url("/keys"))])
                try await copy.configure(["tokenEndpointTimeout": script.patience])
                return try await copy.send(token: copy.token())
            }
        default: break
        }
        return try await send(token: try await token())
    }

    private func send(token: String) async throws -> TestAnswer {
        let version = trial.flow.version
        switch trial.defect {
        case .accountUnknown:
            return try await scene.signIn(version, [version == .v1 ? "authCode" : "id_token": .string(token)], account: "nobody")
        case .connectorUnknown: return try await scene.signIn(version, ["id_token": .string(token)], connector: "4711")
        case .issuerName(let name):
            return try await scene.signIn(version, ["id_token": .string(token), "issuerDisplayName": .string(name)])
        case .both: return try await scene.signIn(version, ["id_token": .string(token), "code": "SplxlOBeZQQYbYS6WxSbIA"])
        case .neither: return try await scene.signIn(version, [:])
        default: return try await scene.signIn(version, token: token)
        }
    }

    private func token() async throws -> String {
        if case .malformed(let text) = trial.defect { return text }
        let signed = try await signed()
        guard trial.flow == .jweV2 else { return signed }
        let recipient = try EncryptionKey(
            pem: scene.liveperson["encryptionPublicKey"]?.string ?? "", kid: scene.liveperson["encryptionKid"]?.string)
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
        default: return try JWE.encrypt(Array(signed.utf8), to: recipient, contentType: "JWT")
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

    // MARK: Configuring

    mutating func configureBrand(_ members: JSON) async throws { try await configure(["issuers": [Brand.configured(members)]]) }

    mutating func changeIssuer(_ members: JSON) async throws {
        var issuer = try #require(scene.liveperson["issuers"]?.array?.first)
        for (name, value) in members.object ?? [:] { issuer[name] = value }
        try await configure(["issuers": [issuer]])
    }

    mutating func configure(_ patch: JSON) async throws { scene = try await scene.configure("liveperson", patch) }

    func expectAccepted(_ answer: TestAnswer) { #expect(answer.status == 200, "\(answer.text)") }
}
