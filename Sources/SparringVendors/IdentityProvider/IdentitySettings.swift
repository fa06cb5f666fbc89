import SparringJSON
import SparringEngine
import SparringJournal
import SparringTokens

/// One identity provider's configuration.
public struct IdentitySettings: Sendable {
    /// Whose words the token endpoint's errors have.
    enum ErrorDialect: String, CaseIterable {
        /// RFC 6749 §5.2.
        case rfc6749
        /// What LivePerson's documentation tells brands to answer: `invalid_code`.
        case liveperson
    }

    enum RedirectMatch: String, CaseIterable {
        /// Character by character (RFC 6749 §3.1.2.3).
        case exact
        /// One slash at the end makes no difference.
        case slashTolerant
    }

    enum PKCEUse: String, CaseIterable {
        case optional, required
    }

    enum IDTokenForm: String, CaseIterable {
        case jwt, jwe
    }

    var tenantId: String
    var clientId: String
    var clientSecret: String
    var redirectURIs: [String]
    var errorDialect: ErrorDialect
    var redirectMatch: RedirectMatch
    var algorithm: SigningAlgorithm
    var pkce: PKCEUse
    var codeLifetime: Duration
    var tokenLifetime: Duration
    var refreshTokenLifetime: Duration
    var idToken: IDTokenForm
    var recipient: TokenMint.Recipient
    /// The signing key's index in the pool.
    var key: Int
    /// Keys that were rotated away but are still published.
    var previousKeys: [Int]
    /// Claims by subject.
    var subjects: JSON.Object
    /// Nil: the URL by which the client came.
    var issuer: String?

    private static let known = [
        "tenantId", "clientId", "clientSecret", "redirectURIs", "errorDialect", "redirectMatch", "algorithm", "pkce", "codeLifetime",
        "tokenLifetime", "refreshTokenLifetime", "idToken", "encryption", "key", "previousKeys", "subjects", "issuer",
    ]

    /// - Parameter defaultKey: what ID tokens are encrypted for where no key is configured.
    init(_ json: JSON, defaultKey: EncryptionKey) throws(ConfigurationError) {
        let members = try Members(json, known: Self.known)
        tenantId = try members.string("tenantId") ?? ""
        clientId = try members.string("clientId") ?? ""
        clientSecret = try members.string("clientSecret") ?? ""
        redirectURIs = try members.strings("redirectURIs") ?? []
        errorDialect = try members.word("errorDialect", ErrorDialect.self) ?? .rfc6749
        redirectMatch = try members.word("redirectMatch", RedirectMatch.self) ?? .exact
        algorithm = try members.word("algorithm", SigningAlgorithm.self) ?? .rs256
        pkce = try members.word("pkce", PKCEUse.self) ?? .optional
        codeLifetime = try members.duration("codeLifetime") ?? .seconds(60)
        tokenLifetime = try members.duration("tokenLifetime") ?? .seconds(3600)
        refreshTokenLifetime = try members.duration("refreshTokenLifetime") ?? .seconds(30 * 86_400)
        idToken = try members.word("idToken", IDTokenForm.self) ?? .jwt
        recipient = try Self.recipient(members, defaultKey)
        key = try members.integer("key") ?? 0
        previousKeys = try members.array("previousKeys")?.compactMap { $0.integer.map { Int($0) } } ?? []
        subjects = try members.object("subjects") ?? [:]
        issuer = try members.string("issuer")
        for (name, value) in [("clientId", clientId), ("clientSecret", clientSecret)] where value.isEmpty {
            throw members.error(name, "it must not be empty")
        }
        guard !redirectURIs.isEmpty else { throw members.error("redirectURIs", "at least one is needed") }
        for (index, uri) in redirectURIs.enumerated() where !uri.contains(":") || uri.contains("#") {
            throw ConfigurationError(
                JSONPointer(tokens: ["redirectURIs", String(index)]), "'\(uri)' is not an absolute URI without fragment (RFC 6749 §3.1.2)")
        }
        for (subject, claims) in subjects where claims.object == nil {
            throw ConfigurationError(JSONPointer(tokens: ["subjects", subject]), "an object of claims should stand here")
        }
        if let issuer, issuer.contains("?") || issuer.contains("#") || !issuer.contains("://") {
            throw members.error("issuer", "'\(issuer)' is not a URL without query and fragment (OpenID Connect Discovery §3)")
        }
    }

    /// Fills in what a tenant was not given.
    static func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        let members = try Members(given, known: known)
        var complete: JSON = .members([
            "tenantId": .string(context.id), "clientId": "brand-app",
            "clientSecret": .string(String(Draw(seed: context.seed, "identity", "clientSecret").hex.prefix(32))),
            "redirectURIs": ["https://liveperson.net"], "key": .integer(Draw(seed: context.seed, "identity", "key").number(below: 3)),
        ])
        for (name, value) in members.object where !value.isNull { complete[name] = value }
        return complete
    }

    /// `encryption`: `{"publicKey", "kid", "alg", "enc"}`, every member optional.
    private static func recipient(_ members: Members, _ defaultKey: EncryptionKey) throws(ConfigurationError) -> TokenMint.Recipient {
        guard let json = members.object["encryption"], !json.isNull else { return TokenMint.Recipient(key: defaultKey) }
        let encryption = try Members(json, at: members.pointer.appending("encryption"), known: ["publicKey", "kid", "alg", "enc"])
        var recipient = TokenMint.Recipient(key: defaultKey)
        if let text = try encryption.string("publicKey") {
            do throws(TokenError) {
                recipient.key = try EncryptionKey(pem: text, kid: try? encryption.string("kid"))
            } catch {
                throw encryption.error("publicKey", error.reason)
            }
        }
        recipient.algorithm = try encryption.word("alg", EncryptionAlgorithm.self) ?? recipient.algorithm
        recipient.encryption = try encryption.word("enc", ContentEncryption.self) ?? recipient.encryption
        return recipient
    }
}
