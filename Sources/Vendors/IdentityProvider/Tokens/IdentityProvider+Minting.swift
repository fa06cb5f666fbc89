import SparringVendorKit

/// Credentials for a test to give to its client, sound ones and such as must be refused.
extension IdentityProvider {
    func mint(_ json: JSON, for tenant: Tenant, _ minting: Minting, _ db: Database) throws -> JSON {
        let form = try CredentialForm.read(json)
        let settings = tenant.settings(of: Self.self)
        let issuedAt = try form.time(or: minting.now)
        let (credential, expiresAt) =
            switch form.form {
            case .code: try mintCode(form, settings, issuedAt, minting, db)
            case .jwt, .jwe: try mintToken(form, settings, issuedAt, minting)
            case .appJWT: try mintBackendToken(form, settings, issuedAt, minting)
            case .accessToken: try mintAccessToken(form, settings, issuedAt, minting, db)
            }
        try minting.sandbox.issued(credential, to: form.subject, db)
        let condition = form.form == .appJWT ? nil : form.defect.flatMap(TokenDefect.init(rawValue:))?.condition
        return .members([
            "credential": .string(credential), "expiresAt": .string(expiresAt.description), "form": .string(form.form.rawValue),
            "note": (condition ?? Self.doubt(about: form, settings)).map { .string($0) },
        ])
    }

    /// A code is bound to any redirect URI that is wanted, so that a client's mistakes can be tried.
    private static func doubt(about form: CredentialForm, _ settings: Settings) -> String? {
        guard form.form == .code, let uri = form.redirectURI, (form.clientId ?? settings.clientId).isSame(as: settings.clientId),
            !settings.redirectURIs.contains(where: { $0.isSame(as: uri) })
        else { return nil }
        return "no code is issued for '\(uri)' at a sign-in: registered are \(settings.redirectURIs.joined(separator: ", "))"
    }

    private func mintToken(
        _ form: CredentialForm, _ settings: Settings, _ issuedAt: Timestamp, _ minting: Minting
    ) throws -> (String, Timestamp) {
        var settings = settings
        settings.idToken = form.form == .jwe ? .jwe : .jwt
        try Self.choose(form, &settings)
        settings.tokenLifetime = form.lifetime ?? settings.tokenLifetime
        let token = try idToken(
            settings, subject: form.subject, issuer: issuer(settings, base: minting.addresses.baseURL),
            audience: form.clientId ?? settings.clientId, nonce: nil, now: issuedAt, id: draw(minting, form.subject, "jti"),
            wishes: TokenWishes(form))
        return (token.compact, Timestamp(seconds: token.expiry))
    }

    private func mintBackendToken(
        _ form: CredentialForm, _ settings: Settings, _ issuedAt: Timestamp, _ minting: Minting
    ) throws -> (String, Timestamp) {
        var claims = settings.subjects[form.subject]?.object ?? [:]
        for (name, value) in form.claims?.object ?? [:] { claims[name] = value }
        var token = BackendToken(
            key: settings.appKey, userId: form.subject, id: draw(minting, form.subject, "jti").uuid, issuedAt: issuedAt,
            lifetime: form.lifetime ?? settings.appTokenLifetime, claims: claims)
        token.name = claims["givenName"] == nil ? form.subject : nil
        token.defect = try form.defect(AppTokenDefect.self)
        token.missingClaim = form.missingClaim ?? token.missingClaim
        return (try token.signed(), token.expiresAt)
    }

    private func draw(_ minting: Minting, _ subject: String, _ purpose: String) -> Draw {
        Draw(seed: minting.sandbox.idSeed, subject, String(minting.ordinal), purpose)
    }

    private func secret(_ minting: Minting, _ subject: String, _ purpose: String) -> String {
        let draw = Draw(secretOf: minting.sandbox.id, seed: minting.sandbox.idSeed, subject, String(minting.ordinal), purpose)
        return String(draw.hex.prefix(43))
    }

    /// An access token as the token endpoint would have issued it, and when it expires.
    private func mintAccessToken(
        _ form: CredentialForm, _ settings: Settings, _ issuedAt: Timestamp, _ minting: Minting, _ db: Database
    ) throws -> (String, Timestamp) {
        let token = BrandAccessToken(
            token: secret(minting, form.subject, "minted access token"), subject: form.subject, client: settings.clientId, scope: "openid",
            issuer: issuer(settings, base: minting.addresses.baseURL), issuedAt: issuedAt,
            expiresAt: issuedAt + (form.lifetime ?? settings.tokenLifetime))
        try token.insert(minting.sandbox.id, db)
        return (token.token, token.expiresAt)
    }

    /// A code. The wishes for a token go to the one that the code will be redeemed for; the lifetime is the code's own.
    private func mintCode(
        _ form: CredentialForm, _ settings: Settings, _ issuedAt: Timestamp, _ minting: Minting, _ db: Database
    ) throws -> (String, Timestamp) {
        let expiresAt = issuedAt + (form.lifetime ?? settings.codeLifetime)
        let code = secret(minting, form.subject, "minted code")
        try IdentityProviderState.Code(
            code: code, client: form.clientId ?? settings.clientId, redirectURI: form.redirectURI ?? settings.redirectURIs[0],
            subject: form.subject, issuer: issuer(settings, base: minting.addresses.baseURL), scope: "openid", nonce: nil,
            challenge: form.codeChallenge,
            challengeMethod: form.codeChallenge == nil ? nil : form.codeChallengeMethod ?? PKCE.Method.plain.rawValue,
            wishes: TokenWishes(form).stored.text, issuedAt: issuedAt, expiresAt: expiresAt
        ).insert(minting.sandbox.id, db)
        return (code, expiresAt)
    }

    /// `algorithm` names a signature's algorithm or a content key's; `encryption` belongs to JWE only.
    private static func choose(_ form: CredentialForm, _ settings: inout Settings) throws(ConfigurationError) {
        let isEncrypted = form.form == .jwe
        if let name = form.algorithm {
            if let algorithm = SigningAlgorithm(rawValue: name) {
                settings.algorithm = algorithm
            } else if isEncrypted, let algorithm = EncryptionAlgorithm(rawValue: name) {
                settings.encryption.algorithm = algorithm
            } else {
                throw CredentialForm.error(
                    "algorithm", "'\(name)' does not sign" + (isEncrypted ? " and does not encrypt" : ", and a jwt is not encrypted"))
            }
        }
        guard let encryption = form.encryption.flatMap(ContentEncryption.init(rawValue:)) else { return }
        guard isEncrypted else { throw CredentialForm.error("encryption", "a jwt is not encrypted") }
        settings.encryption.contentEncryption = encryption
    }
}
