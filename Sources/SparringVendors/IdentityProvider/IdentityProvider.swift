public import GRDB
public import SparringContract
public import SparringEngine
public import SparringJSON
import Foundation
import SparringJournal
public import SparringTokens

/// The brand's own OpenID Connect provider.
public struct IdentityProvider: CredentialIssuer {
    public enum Operation: String, CaseIterable, Sendable {
        case discover, discoverOAuth, readKeys
        case authorize, signIn
        case token
    }

    public let name = "identity"
    public let tenantKey = "tenantId"
    let keys: KeyPool
    let contract: Contract

    /// Which keys of the pool belong to whom: those below this are the brand's, in the order of their rotation.
    static let brandKeys = 4
    private static let vendorKey = 7
    private static let strangersKey = 6

    public init(keys: KeyPool, contract: Contract) {
        self.keys = keys
        self.contract = contract
    }

    public func registerMigrations(in migrator: inout DatabaseMigrator) { IdentityProviderState.registerMigrations(in: &migrator) }

    public func behaviour(of operation: Operation) -> Behaviour {
        switch operation {
        case .discover, .discoverOAuth: .decide { _, call in .answer(discovered(call)) }
        case .readKeys: .decide { _, call in .answer(try keysPublished(call)) }
        case .authorize, .signIn: .prepare(prepareAuthorization, thenDecide: authorize)
        case .token: .prepare(prepareTokens, thenDecide: redeem)
        }
    }

    public func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        try IdentitySettings.complete(given, for: context)
    }

    public func settings(_ configuration: JSON) throws(ConfigurationError) -> IdentitySettings {
        let defaultKey: EncryptionKey
        do throws(TokenError) {
            defaultKey = try EncryptionKey(keys.rsa(Self.vendorKey).verificationKey)
        } catch {
            throw ConfigurationError(.root, "the key pool: \(error)")
        }
        return try IdentitySettings(configuration, defaultKey: defaultKey)
    }

    public func published(_ configuration: JSON, _ settings: IdentitySettings, addresses: Addresses) -> JSON {
        let base = addresses.baseURL
        let key = try? signingKey(settings)
        return .members([
            "tenantId": .string(settings.tenantId), "issuer": .string(issuer(settings, base: base)), "clientId": .string(settings.clientId),
            "clientSecret": .string(settings.clientSecret), "redirectURI": .string(settings.redirectURIs[0]),
            "redirectURIs": .array(settings.redirectURIs.map { .string($0) }),
            "authorizationEndpoint": .string(base + path(.authorize, settings)), "tokenEndpoint": .string(base + path(.token, settings)),
            "jwksURI": .string(base + path(.readKeys, settings)), "discoveryURL": .string(base + path(.discover, settings)),
            "algorithm": .string(settings.algorithm.rawValue), "kid": (key?.kid).map { .string($0) },
            "publicKey": key?.publicKeyBase64.map { .string($0) },
        ])
    }

    public func facts(_ configuration: JSON, _ settings: IdentitySettings) -> IdentityProviderFacts {
        IdentityProviderFacts(
            issuer: issuer(settings, base: ""), tokenEndpoint: path(.token, settings), jwksURI: path(.readKeys, settings),
            clientId: settings.clientId, clientSecret: settings.clientSecret, redirectURI: settings.redirectURIs[0],
            publicKey: (try? signingKey(settings))?.publicKeyBase64)
    }

    public func rotateKeys(_ configuration: JSON) throws -> JSON {
        var configuration = configuration
        let old = configuration["key"]?.integer ?? 0
        configuration["key"] = .integer((old + 1) % Int64(Self.brandKeys))
        configuration["previousKeys"] = [.integer(old)]
        return configuration
    }

    /// RFC 6749 §5.2, in the tenant's dialect.
    public func draw(_ refusal: Refusal, for call: Call) -> Answer {
        let example = call.operation.answer(refusal.name)?.example
        var error = example?["error"]?.string ?? "invalid_request"
        if call.settings(of: self).errorDialect == .liveperson {
            if error == "invalid_grant" { error = "invalid_code" }
            if refusal.name == "invalid-request" { error = "json_parse_error" }
        }
        return Answer(
            refusal.name, ["error": .string(error), "error_description": .string(refusal.cause)], headers: Self.noStore,
            cause: refusal.cause)
    }
}

extension IdentityProvider {
    /// The issuer: as configured, else the URL of the discovery document up to its well-known part.
    func issuer(_ settings: IdentitySettings, base: String) -> String {
        if let issuer = settings.issuer { return issuer }
        let discovery = path(.discover, settings)
        let end = discovery.range(of: Self.wellKnown)?.lowerBound ?? discovery.endIndex
        return base + discovery[..<end]
    }

    /// RFC 8615: what follows an issuer in its metadata's URL.
    private static let wellKnown = ["", ".well-known", ""].joined(separator: "/")

    func path(_ operation: Operation, _ settings: IdentitySettings) -> String {
        contract.operation(operation.rawValue)?.path([tenantKey: settings.tenantId]) ?? ""
    }

    func signingKey(_ settings: IdentitySettings, index: Int? = nil) throws(TokenError) -> SigningKey {
        switch settings.algorithm {
        case .rs256: try keys.rsa((index ?? settings.key) % Self.brandKeys)
        case .es256: try keys.ec((index ?? settings.key) % (Self.brandKeys - 1))
        case .hs256: try SigningKey(secret: Array(settings.clientSecret.utf8), kid: "client-secret")  // OpenID Connect Core §10.1
        }
    }

    /// Signs as someone else would.
    private func stranger(_ settings: IdentitySettings) throws(TokenError) -> SigningKey {
        switch settings.algorithm {
        case .rs256: try keys.rsa(Self.strangersKey)
        case .es256: try keys.ec(Self.brandKeys - 1)
        case .hs256: try SigningKey(secret: Array("not \(settings.clientSecret)".utf8), kid: "client-secret")
        }
    }

    func mint(_ settings: IdentitySettings, encrypted: Bool) throws(TokenError) -> TokenMint {
        try TokenMint(signingKey: signingKey(settings), stranger: stranger(settings), recipient: encrypted ? settings.recipient : nil)
    }
}
