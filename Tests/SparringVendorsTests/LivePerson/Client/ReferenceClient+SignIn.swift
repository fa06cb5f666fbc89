import Crypto
import Foundation
import HTTPTypes
import SparringJSON
import SparringTokens
import Support

/// The SDK flows' "User Logs into the App 1-2" and "The SDK encounters an authentication failure".
extension ReferenceClient {
    private var account: String { stage.scene.account }

    /// [initialize] Twice at most; after that nothing more is called.
    func initialize() async throws {
        for _ in 1...2 { if try await lookUpAll() { return } }
        isStopped = true
        try await giveUp()
    }

    private func lookUpAll() async throws -> Bool {
        for service in ["idp", "pusher", "asyncMessagingEnt", "smt", "swift"] {
            let answer = try await send(.get, "/api/account/\(account)/service/\(service)/baseURI.json?version=1.0")
            guard case .done(let found) = Self.outcome(answer), found["baseURI"]?.string != nil else { return false }
        }
        return true
    }

    /// Brings the brand's credential to LivePerson.
    ///
    /// - Returns: whether the consumer is signed in now.
    func signIn() async throws -> Bool {
        guard !isStopped else { return false }
        let outcome = try await retrying(renew: { true }) {
            guard let credential = try await self.credential() else { return .refused("no credential") }
            return try await self.authenticate(credential)
        }
        guard case .done(let answer) = outcome, let token = (answer["jwt"] ?? answer["token"])?.string else {
            isStopped = true
            try await giveUp()
            return false
        }
        self.token = token
        return true
    }

    /// Signs in again with everything fresh from the brand, after LivePerson's own token has become worthless.
    func renew() async throws -> Bool {
        (brandToken, token) = (nil, way == .anonymous ? token : nil)
        return try await signIn()
    }

    private func authenticate(_ credential: JSON) async throws -> Decision {
        if way == .anonymous { return Self.outcome(try await send(.post, "/api/account/\(account)/anonymous/authorize", credential)) }
        let answer = try await send(.post, "/api/account/\(account)/app/default/authenticate?v=2.0", credential)
        let outcome = Self.outcome(answer)
        guard case .unavailable(let retryAfter) = outcome, answer?.status == 500,
            let code = answer?.json?["internalErrorCode"]?.string
        else { return outcome }
        switch code {
        case "mock-token-endpoint-unreachable", "mock-token-endpoint-timeout", "mock-token-endpoint-nonsense", "mock-internal-error":
            return .unavailable(retryAfter: retryAfter)
        case "mock-redirect-uri-mismatch":
            namesRedirectURI = true
        default: break
        }
        brandToken = nil
        return .unauthorized(answer?.json ?? .null)
    }

    /// The credential for the sign-in: a code is always fresh, a token is used until it is refused.
    private func credential() async throws -> JSON? {
        switch way {
        case .anonymous: return token.map { ["id_token": .string($0)] } ?? [:]
        case .token:
            if brandToken == nil { brandToken = try await authorize() }
            return brandToken.map { ["id_token": .string($0)] }
        case .backend:
            if brandToken == nil { brandToken = try await redeem() }
            return brandToken.map { ["id_token": .string($0)] }
        case .code, .pkce:
            return try await authorize().map { code in
                .members([
                    "code": .string(code), "redirect_uri": namesRedirectURI ? .string(Scene.redirectURI) : nil,
                    "code_verifier": way == .pkce ? .string(codeVerifier) : nil,
                ])
            }
        }
    }

    /// The brand's server: a refresh token as long as it has one that holds, else a code.
    ///
    /// - Returns: the ID token.
    private func redeem() async throws -> String? {
        if let refreshToken {
            self.refreshToken = nil
            if let token = try await grant([("grant_type", "refresh_token"), ("refresh_token", refreshToken)]) { return token }
        }
        guard let code = try await authorize() else { return nil }
        return try await grant([("grant_type", "authorization_code"), ("code", code)])
    }

    /// RFC 6749 §4.1.3 and §6.
    private func grant(_ form: [(String, String)]) async throws -> String? {
        let scene = stage.scene
        let fields = form + (form[0].1 == "authorization_code" ? [("redirect_uri", Scene.redirectURI)] : [])
        let headers: HTTPFields = [
            .authorization: Form.basic(scene.clientId, scene.clientSecret), .contentType: "application/x-www-form-urlencoded",
        ]
        let body = Array(fields.map { "\($0)=\(Form.encoded($1))" }.joined(separator: "&").utf8)
        let outcome = try await retrying {
            Self.outcome(try await self.send(.post, "\(scene.provider)/token", headers: headers, bytes: body))
        }
        guard case .done(let answer) = outcome else { return nil }
        refreshToken = answer["refresh_token"]?.string ?? refreshToken
        return answer["id_token"]?.string
    }

    /// The brand's own sign-in.
    ///
    /// - Returns: the code or the ID token.
    private func authorize() async throws -> String? {
        let outcome = try await retrying {
            self.states += 1
            let state = "state-\(self.states)"
            var parameters: [(String, String)] = [
                ("client_id", self.stage.scene.clientId),
                ("redirect_uri", Scene.redirectURI), ("scope", "openid"), ("login_hint", ClientStage.lane),
                ("response_type", self.way == .token ? "id_token" : "code"), ("state", state),
            ]
            if self.way == .token { parameters.append(("nonce", "nonce-\(self.states)")) }
            if self.way == .pkce {
                self.codeVerifier = "\(UUID())\(UUID())"
                let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(self.codeVerifier.utf8))))
                parameters += [("code_challenge", challenge), ("code_challenge_method", "S256")]
            }
            let query = parameters.map { "\($0)=\(Form.encoded($1))" }.joined(separator: "&")
            guard let answer = try await self.send(.get, "\(self.stage.scene.provider)/authorize?\(query)") else {
                return .unavailable(retryAfter: nil)
            }
            guard let redirection = Redirection(answer) else { return Self.outcome(answer) }
            guard redirection["state"] == state, let given = redirection["code"] ?? redirection["id_token"] else {
                return .refused(.string(redirection.location))
            }
            return .done(.string(given))
        }
        guard case .done(let given) = outcome else { return nil }
        return given.string
    }
}
