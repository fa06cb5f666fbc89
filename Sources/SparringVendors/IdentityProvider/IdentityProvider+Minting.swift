import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringTokens

/// Credentials for a test to give to its client, sound ones and such as must be refused.
extension IdentityProvider {
    private enum Form: String, CaseIterable {
        case jwt, jwe, code
        case appJWT = "app-jwt"
        case accessToken = "access-token"

        /// Members of a request that say something of this form only.
        static let ofCodes = ["redirectURI", "codeChallenge", "codeChallengeMethod"]
        static let ofTokens = ["algorithm", "encryption"]
    }

    func mint(_ json: JSON, for tenant: Tenant, _ minting: Minting, _ db: Database) throws -> JSON {
        let known = ["form", "subject", "defect", "missingClaim", "claims", "clientId", "lifetime", "issuedAt"]
        let request = try Members(json, known: known + Form.ofCodes + Form.ofTokens)
        let form = try request.word("form", Form.self) ?? .jwt
        let foreign =
            switch form {
            case .jwt, .jwe: Form.ofCodes
            case .code: Form.ofTokens
            case .appJWT: Form.ofCodes + Form.ofTokens + ["clientId"]
            case .accessToken: known.filter { !["form", "subject", "lifetime", "issuedAt"].contains($0) } + Form.ofCodes + Form.ofTokens
            }
        for name in foreign where request.object[name] != nil { throw request.error(name, "it means nothing for a \(form.rawValue)") }
        guard let subject = try request.string("subject"), !subject.isEmpty else {
            throw request.error("subject", "somebody must be named")
        }
        let issuedAt = try Self.time(request, "issuedAt") ?? minting.now
        let (credential, expiresAt) =
            switch form {
            case .code: try mintCode(request, tenant, subject, issuedAt, minting, db)
            case .jwt, .jwe: try mintToken(request, tenant, subject, issuedAt, encrypted: form == .jwe, minting)
            case .appJWT: try mintBackendToken(request, tenant, subject, issuedAt, minting)
            case .accessToken: try mintAccessToken(request, tenant, subject, issuedAt, minting, db)
            }
        try minting.sandbox.issued(credential, to: subject, db)
        let condition = form == .appJWT ? nil : TokenWishes.condition(request)
        return .members([
            "credential": .string(credential), "expiresAt": .string(expiresAt.description), "form": .string(form.rawValue),
            "note": condition.map { .string($0) },
        ])
    }

    private func mintToken(
        _ request: Members, _ tenant: Tenant, _ subject: String, _ issuedAt: Timestamp, encrypted: Bool, _ minting: Minting
    ) throws -> (String, Timestamp) {
        var settings = tenant.settings(of: Self.self)
        settings.idToken = encrypted ? .jwe : .jwt
        try Self.choose(request, &settings)
        settings.tokenLifetime = try request.duration("lifetime") ?? settings.tokenLifetime
        let token = try idToken(
            settings, subject: subject, issuer: issuer(settings, base: minting.addresses.baseURL),
            audience: request.string("clientId") ?? settings.clientId, nonce: nil, now: issuedAt,
            id: Draw(seed: minting.sandbox.seed, subject, String(minting.ordinal), "jti"), wishes: TokenWishes(request))
        return (token.compact, Timestamp(seconds: token.expiry))
    }

    private func mintBackendToken(
        _ request: Members, _ tenant: Tenant, _ subject: String, _ issuedAt: Timestamp, _ minting: Minting
    ) throws -> (String, Timestamp) {
        let settings = tenant.settings(of: Self.self)
        var claims = settings.subjects[subject]?.object ?? [:]
        for (name, value) in try request.object("claims") ?? [:] { claims[name] = value }
        var token = BackendToken(
            key: settings.appKey, userId: subject,
            id: Draw(seed: minting.sandbox.seed, subject, String(minting.ordinal), "jti").uuid, issuedAt: issuedAt,
            lifetime: try request.duration("lifetime") ?? settings.appTokenLifetime, claims: claims)
        token.name = claims["givenName"] == nil ? subject : nil
        token.defect = try request.word("defect", AppTokenDefect.self)
        token.missingClaim = try request.string("missingClaim") ?? token.missingClaim
        return (try token.signed(), token.expiresAt)
    }

    private func secret(_ minting: Minting, _ subject: String, _ purpose: String) -> Draw {
        Draw(secretOf: minting.sandbox.id, seed: minting.sandbox.seed, subject, String(minting.ordinal), purpose)
    }

    /// As the token endpoint would have given it.
    private func mintAccessToken(
        _ request: Members, _ tenant: Tenant, _ subject: String, _ issuedAt: Timestamp, _ minting: Minting, _ db: Database
    ) throws -> (String, Timestamp) {
        let settings = tenant.settings(of: Self.self)
        let lifetime = try request.duration("lifetime") ?? settings.tokenLifetime
        let token = IdentityProviderState.AccessToken(
            token: String(secret(minting, subject, "minted access token").hex.prefix(43)),
            subject: subject, client: settings.clientId, scope: "openid", issuer: issuer(settings, base: minting.addresses.baseURL),
            issuedAt: issuedAt, expiresAt: issuedAt + lifetime)
        try token.insert(minting.sandbox.id, db)
        return (token.token, token.expiresAt)
    }

    /// What is wished of a token goes to the one that the code will be redeemed for; the lifetime is the code's own.
    private func mintCode(
        _ request: Members, _ tenant: Tenant, _ subject: String, _ issuedAt: Timestamp, _ minting: Minting, _ db: Database
    ) throws -> (String, Timestamp) {
        let settings = tenant.settings(of: Self.self)
        let challenge = try request.string("codeChallenge")
        let method = try request.word("codeChallengeMethod", PKCE.Method.self)
        guard challenge != nil || method == nil else { throw request.error("codeChallengeMethod", "there is no codeChallenge") }
        let expiresAt = issuedAt + (try request.duration("lifetime") ?? settings.codeLifetime)
        let code = String(secret(minting, subject, "minted code").hex.prefix(43))
        try IdentityProviderState.Code(
            code: code, client: request.string("clientId") ?? settings.clientId,
            redirectURI: request.string("redirectURI") ?? settings.redirectURIs[0], subject: subject,
            issuer: issuer(settings, base: minting.addresses.baseURL), scope: "openid", nonce: nil, challenge: challenge,
            challengeMethod: challenge == nil ? nil : (method ?? .plain).rawValue, wishes: TokenWishes(request).stored.text,
            issuedAt: issuedAt, expiresAt: expiresAt
        ).insert(minting.sandbox.id, db)
        return (code, expiresAt)
    }

    /// `algorithm` names a signature's algorithm or a content key's; `encryption` belongs to JWE only.
    private static func choose(_ request: Members, _ settings: inout Settings) throws(ConfigurationError) {
        let isEncrypted = settings.idToken == .jwe
        if let name = try request.string("algorithm") {
            if let algorithm = SigningAlgorithm(rawValue: name) {
                settings.algorithm = algorithm
            } else if isEncrypted, let algorithm = EncryptionAlgorithm(rawValue: name) {
                settings.encryption.algorithm = algorithm
            } else {
                throw request.error(
                    "algorithm", "'\(name)' does not sign" + (isEncrypted ? " and does not encrypt" : ", and a jwt is not encrypted"))
            }
        }
        guard let encryption = try request.word("encryption", ContentEncryption.self) else { return }
        guard isEncrypted else { throw request.error("encryption", "a jwt is not encrypted") }
        settings.encryption.contentEncryption = encryption
    }

    private static func time(_ request: Members, _ name: String) throws(ConfigurationError) -> Timestamp? {
        guard let text = try request.string(name) else { return nil }
        guard let time = Timestamp(text) else { throw request.error(name, "'\(text)' is not an RFC 3339 time") }
        return time
    }
}
