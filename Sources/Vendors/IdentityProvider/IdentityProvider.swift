public import SparringVendorKit

/// The vendor, for the list of all.
public func identityProvider(keys: KeyPool, contract: Contract, parties: [RelyingParty]) -> any Vendor {
    IdentityProvider(keys: keys, contract: contract, parties: parties)
}

/// The brand's own OpenID Connect provider.
struct IdentityProvider: CredentialIssuer, Contracted {
    enum Operation: String, CaseIterable, Sendable {
        case discover, discoverOAuth, discoverOAuthByPath, discoverAtRoot, discoverOAuthAtRoot, readKeys
        case authorize, signIn
        case token, revoke, introspect
        case userinfo, userinfoByPost
        case endSession, endSessionByPost
        case getJWT
    }

    let name = "identity"
    let tenantKey = "tenantId"
    let keys: KeyPool
    let contract: Contract

    /// The vendors that the brand's tokens are for.
    private let parties: [RelyingParty]

    init(keys: KeyPool, contract: Contract, parties: [RelyingParty]) {
        self.keys = keys
        self.contract = contract
        self.parties = parties
    }

    func registerMigrations(in migrator: inout DatabaseMigrator) {
        migrator.register(IdentityProviderState.tables, IdentityProviderState.endings)
    }

    func handler(of operation: Operation) -> Handler {
        switch operation {
        case .discover, .discoverOAuth, .discoverOAuthByPath: .decide { call in .answer(discovered(call)) }
        case .discoverAtRoot, .discoverOAuthAtRoot: .decide(discoveredAtRoot)
        case .readKeys: .decide { call in .answer(try keysPublished(call)) }
        case .authorize, .signIn: .prepare(prepareAuthorization, thenDecide: authorize)
        case .token: .prepare(prepareTokens, thenDecide: redeem)
        case .revoke: .decide(revoke)
        case .introspect: .decide(introspect)
        case .userinfo, .userinfoByPost: .decide(userinfo)
        case .endSession, .endSessionByPost: .decide(endSession)
        case .getJWT: .decide(getJWT)
        }
    }

    func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        func secret(_ purpose: String) -> String { Draw(secretOf: context.sandbox, seed: context.seed, name, purpose).hex }
        return given.filled([
            "tenantId": .string(context.id), "clientSecret": .string(String(secret("clientSecret").prefix(32))),
            "key": .integer(Draw(seed: context.seed, name, "key").number(below: 3)),
            "appKey": [
                "id": .string("app_" + Draw(seed: context.seed, name, "appKeyId").hex.prefix(24)),
                "secret": .string(String(secret("appKeySecret").prefix(48))),
            ],
        ])
    }

    func settings(_ configuration: JSON) throws(ConfigurationError) -> Settings {
        let settings: Settings = try configuration.decoded()
        try settings.check()
        return settings
    }

    func published(_ configuration: JSON, _ settings: Settings, addresses: Addresses) -> JSON {
        let base = addresses.baseURL
        let key = try? signingKey(settings)
        return .members([
            "tenantId": .string(settings.tenantId), "issuer": .string(issuer(settings, base: base)), "clientId": .string(settings.clientId),
            "clientSecret": settings.ownClient.secret.map { .string($0) }, "redirectURI": .string(settings.redirectURIs[0]),
            "redirectURIs": .array(settings.redirectURIs.map { .string($0) }),
            "authorizationEndpoint": .string(base + path(.authorize, settings)), "tokenEndpoint": .string(base + path(.token, settings)),
            "jwksURI": .string(base + path(.readKeys, settings)), "discoveryURL": .string(base + path(.discover, settings)),
            "algorithm": .string(settings.algorithm.rawValue), "kid": (key?.kid).map { .string($0) },
            "publicKey": key?.publicKeyBase64.map { .string($0) },
            "clientAuthentication": .string(settings.clientAuthentication.rawValue),
            "clients": settings.clients.isEmpty ? nil : .array(settings.allClients.dropFirst().map(\.json)),
            "jwtURL": .string(base + path(.getJWT, settings)), "appKey": settings.appKey.json,
        ])
    }

    func facts(_ configuration: JSON, _ settings: Settings) -> IdentityProviderFacts {
        IdentityProviderFacts(
            issuer: issuer(settings, base: ""), tokenEndpoint: path(.token, settings), jwksURI: path(.readKeys, settings),
            clientId: settings.clientId, clientSecret: settings.ownClient.secret ?? "", redirectURI: settings.redirectURIs[0],
            // Others have to look its keys up: vendors take no other kind of key than RSA into their configuration.
            publicKey: settings.algorithm == .rs256 ? (try? signingKey(settings))?.publicKeyBase64 : nil,
            appKey: (settings.appKey.id, settings.appKey.secret))
    }

    func rotateKeys(_ configuration: JSON) throws -> JSON {
        let settings = try settings(configuration)
        var configuration = configuration
        let new = (settings.key + 1) % KeyPool.brandKeys(settings.algorithm)
        // Tokens that the older keys signed can still be checked.
        let earlier = [settings.key] + settings.previousKeys.filter { $0 != new && $0 != settings.key }
        configuration["key"] = .integer(Int64(new))
        configuration["previousKeys"] = .array(earlier.map { .integer(Int64($0)) })
        return configuration
    }

    func look(at token: String, _ configuration: JSON, _ settings: Settings) -> TokenLook? {
        let appKey = try? VerificationKey(secret: Array(settings.appKey.secret.utf8), kid: settings.appKey.id)
        return TokenLook(token, signedWith: publishedKeys(settings) + [appKey].compactMap(\.self), of: name)
    }

    /// RFC 6749 §5.2; at the token endpoint in the tenant's dialect.
    func render(_ refusal: Refusal, for call: Call) -> Answer {
        let example = call.operation.answer(refusal.name)?.example
        var error = example?["error"]?.string ?? "invalid_request"
        if call.operation.id == Operation.token.rawValue {
            let dialect = call.settings(of: self).errorDialect
            error = parties.first { $0.name == dialect }?.tokenError?(refusal.name) ?? error
        }
        let description = refusal.isForced ? example?["error_description"] : .string(Self.errorDescription(refusal.cause))
        let declared = call.operation.answer(refusal.name)
        if declared?.status == 200 {  // a token is not good: that is what was asked (RFC 7662 §2.2)
            return Answer(refusal.name, example ?? [:], headers: Self.noStore, cause: refusal.cause)
        }
        var headers = Self.noStore
        if [Operation.userinfo, .userinfoByPost].map(\.rawValue).contains(call.operation.id),
            declared?.status == 401 || declared?.status == 403
        {
            headers[.wwwAuthenticate] = Self.bearerChallenge(refusal.name, error: error, description: description?.string)
        }
        return Answer(
            refusal.name, .members(["error": .string(error), "error_description": description]), headers: headers,
            cause: refusal.cause)
    }

    /// A reason as `error_description` may have it: ASCII without quotation mark and backslash (RFC 6749 §4.1.2.1, §5.2).
    static func errorDescription(_ reason: String) -> String {
        reason.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "§": text += "section "
            case "\"": text += "'"
            case "\\": text += "/"
            case " "..."~": text.unicodeScalars.append(scalar)
            default: text += "?"
            }
        }
    }
}

extension IdentityProvider {
    /// The issuer: as configured, else the discovery document's URL up to its well-known part (OpenID Connect Discovery §4, RFC 8615).
    func issuer(_ settings: Settings, base: String) -> String {
        if let issuer = settings.issuer { return issuer }
        let segments = path(.discover, settings).split(separator: "/", omittingEmptySubsequences: false)
        return base + segments.prefix { $0 != ".well-known" }.joined(separator: "/")
    }

    func path(_ operation: Operation, _ settings: Settings) -> String {
        path(operation, [tenantKey: settings.tenantId])
    }

    func signingKey(_ settings: Settings, index: Int? = nil) throws(TokenError) -> SigningKey {
        switch settings.algorithm {
        case .rs256, .es256: try keys.brand(settings.algorithm, index ?? settings.key)
        case .hs256: try SigningKey(secret: Array(settings.clientSecret.utf8), kid: "client-secret")  // OpenID Connect Core §10.1
        }
    }

    /// The keys that may have signed a token of the tenant's.
    func publishedKeys(_ settings: Settings) -> [VerificationKey] {
        ([settings.key] + settings.previousKeys).compactMap { try? signingKey(settings, index: $0).verificationKey }
    }

    /// Signs as someone else would.
    private func stranger(_ settings: Settings) throws(TokenError) -> SigningKey {
        switch settings.algorithm {
        case .rs256, .es256: try keys.stranger(settings.algorithm)
        case .hs256: try SigningKey(secret: Array("not \(settings.clientSecret)".utf8), kid: "client-secret")
        }
    }

    func mint(_ settings: Settings, encrypted: Bool) throws(TokenError) -> TokenMint {
        try TokenMint(
            signingKey: signingKey(settings), stranger: stranger(settings), recipient: encrypted ? recipient(settings.encryption) : nil)
    }

    private func recipient(_ encryption: Encryption) throws(TokenError) -> TokenMint.Recipient {
        let key = if let own = encryption.key { own } else { try EncryptionKey(keys.vendorEncryption().verificationKey) }
        return TokenMint.Recipient(key: key, algorithm: encryption.algorithm, encryption: encryption.contentEncryption)
    }
}
