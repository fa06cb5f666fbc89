import SparringJSON
import SparringTokens
import Support
import Testing

/// Code flow, with Sparring's own provider or a scripted token endpoint.
extension Attempt {
    mutating func playCode() async throws -> TestAnswer {
        switch trial.defect {
        case .endpoint(let script):
            guard let script else {
                return try await ScriptedServer.runClosed { [self] url in
                    var copy = self
                    try await copy.configureBrand(["tokenEndpoint": .string(url)])
                    // A refused connection is known at once.
                    try await copy.configure(["tokenEndpointTimeout": "2s"])
                    return try await copy.scene.signIn(.v2, ["code": "SplxlOBeZQQYbYS6WxSbIA"])
                }
            }
            return try await ScriptedServer.run({ _ in script }) { [self] server in
                var copy = self
                try await copy.configureBrand(["tokenEndpoint": .string(server.url("/token")), "clientId": "us", "clientSecret": "s:e c"])
                try await copy.configure(["tokenEndpointTimeout": script.patience])
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
        case .verifierMissing: body["code_verifier"] = nil
        case .verifierUnasked: body["code_verifier"] = .string(Self.verifier)
        case .issuerName(let name): body["issuerDisplayName"] = .string(name)
        case .accountUnknown: return try await scene.signIn(.v2, body, account: "nobody")
        default: break
        }
        return try await scene.signIn(.v2, body)
    }

    func playClient() async throws -> TestAnswer {
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
            ["grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "code_verifier": verifier], basic: .some(client)
        )
    }

    /// A code from the authorization endpoint where the token is to be sound, else a minted one.
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
            form["missingClaim"] = defect == .claimMissing ? .string(claim) : nil
        case .wrongAudienceAsked: form["defect"] = "wrong-audience"
        case .keySet(let kid): if kid == "unheard-of" { form["defect"] = "unknown-kid" }
        case .wrongKeyOfSet: form["defect"] = "wrong-key"
        default: return try await scene.code(["code_challenge": method.flatMap { Self.challenges[$0] }, "code_challenge_method": method])
        }
        return try await scene.mint(form)
    }
}
