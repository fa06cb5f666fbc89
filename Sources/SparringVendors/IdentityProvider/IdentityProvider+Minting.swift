public import GRDB
public import SparringEngine
public import SparringJSON
import SparringJournal
import SparringTokens

/// Credentials for a test to give to its client, sound ones and such as must be refused.
extension IdentityProvider {
    public func mint(_ request: JSON, for tenant: Tenant, _ minting: Minting, _ db: Database) throws -> JSON {
        var settings = tenant.settings(of: Self.self)
        let subject = request["subject"]?.string ?? ""
        var asked = MintedCode()
        asked.claims = request["claims"]?.object ?? [:]
        asked.defect = request["defect"]?.string.flatMap(TokenDefect.init(rawValue:))
        asked.missingClaim = request["missingClaim"]?.string ?? "exp"
        asked.lifetime = try Self.duration(request, "lifetime")
        if let issuedAt = request["issuedAt"]?.string, Timestamp(issuedAt) == nil {
            throw ConfigurationError(JSONPointer(tokens: ["issuedAt"]), "'\(issuedAt)' is not an RFC 3339 time")
        }
        let issuedAt = request["issuedAt"]?.string.flatMap { Timestamp($0) } ?? minting.now
        let client = request["clientId"]?.string ?? settings.clientId
        let form = request["form"]?.string ?? "jwt"

        let credential: String
        let expiresAt: Timestamp
        if form == "code" {
            let lifetime = settings.codeLifetime
            let code = String(Draw(seed: minting.sandbox.seed, "minting", String(minting.ordinal), "code").hex.prefix(43))
            try IdentityProviderState.Code(
                code: code, client: client, redirectURI: request["redirectURI"]?.string ?? settings.redirectURIs[0], subject: subject,
                issuer: issuer(settings, base: minting.addresses.baseURL), scope: "openid", nonce: nil,
                challenge: request["codeChallenge"]?.string,
                challengeMethod: request["codeChallenge"] == nil
                    ? nil : request["codeChallengeMethod"]?.string ?? PKCE.Method.plain.rawValue,
                claims: asked.stored.text, issuedAt: issuedAt, expiresAt: issuedAt + lifetime
            ).insert(minting.sandbox.id, db)
            (credential, expiresAt) = (code, issuedAt + lifetime)
        } else {
            try Self.choose(request, form, &settings)
            if let lifetime = asked.lifetime { settings.tokenLifetime = lifetime }
            let token = try idToken(
                settings, subject: subject, issuer: issuer(settings, base: minting.addresses.baseURL), audience: client, nonce: nil,
                now: issuedAt, extra: asked.claims, defect: asked.defect, missingClaim: asked.missingClaim)
            (credential, expiresAt) = (token.compact, Timestamp(seconds: token.expiry))
        }
        try minting.sandbox.issued(credential, to: subject, db)
        return ["credential": .string(credential), "expiresAt": .string(expiresAt.description), "form": .string(form)]
    }

    /// `algorithm` names a signature's algorithm or a content key's; `encryption` belongs to JWE only.
    private static func choose(_ request: JSON, _ form: String, _ settings: inout IdentitySettings) throws {
        settings.idToken = form == "jwe" ? .jwe : .jwt
        if let name = request["algorithm"]?.string {
            if let algorithm = SigningAlgorithm(rawValue: name) {
                settings.algorithm = algorithm
            } else if form == "jwe", let algorithm = EncryptionAlgorithm(rawValue: name) {
                settings.recipient.algorithm = algorithm
            } else {
                throw ConfigurationError(JSONPointer(tokens: ["algorithm"]), "'\(name)' does not sign, and a \(form) is not encrypted")
            }
        }
        guard let name = request["encryption"]?.string else { return }
        guard form == "jwe", let encryption = ContentEncryption(rawValue: name) else {
            throw ConfigurationError(JSONPointer(tokens: ["encryption"]), "a \(form) is not encrypted")
        }
        settings.recipient.encryption = encryption
    }

    private static func duration(_ request: JSON, _ name: String) throws -> Duration? {
        guard let value = request[name] else { return nil }
        guard let duration = value.string.flatMap({ Duration(text: $0) }) ?? value.integer.map({ .seconds($0) }) else {
            throw ConfigurationError(JSONPointer(tokens: [name]), "\(value.text) is not a duration such as 60s, 10m or PT1H")
        }
        return duration
    }
}
