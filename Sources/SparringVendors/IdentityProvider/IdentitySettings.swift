import SparringJSON
import SparringJournal
import SparringSandbox
import SparringTokens

/// One identity provider's configuration.
public struct IdentitySettings: Sendable {
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
    var clientAuthentication: IdentityClient.Authentication
    var redirectURIs: [String]
    var postLogoutRedirectURIs: [String]
    /// Clients beside the one that ``clientId`` names.
    var otherClients: [IdentityClient]
    /// Whose words the token endpoint's errors have: a relying party's (``RelyingParty/name``), or else RFC 6749 §5.2's.
    var errorDialect: String
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
    var appKey: AppKey
    var appTokenLifetime: Duration

    /// With which the brand's backend signs JWTs for users of its app.
    struct AppKey: Sendable {
        var id: String
        var secret: String

        static let member = "appKey"
        var json: JSON { ["id": .string(id), "secret": .string(secret)] }

        init(_ members: Members) throws(ConfigurationError) {
            let key = try Members(
                members.object[Self.member] ?? [:], at: members.pointer.appending(Self.member), known: ["id", "secret"])
            guard let id = try key.string("id"), !id.isEmpty else { throw key.error("id", "the key needs its id") }
            guard let secret = try key.string("secret"), !secret.isEmpty else { throw key.error("secret", "the key needs its secret") }
            (self.id, self.secret) = (id, secret)
        }
    }

    /// Lists of URIs that a client may send the user to.
    static let uriMembers = ["redirectURIs", "postLogoutRedirectURIs"]
    private static let known =
        uriMembers + [
            "tenantId", "clientId", "clientSecret", "clientAuthentication", IdentityClient.member, "errorDialect", "redirectMatch",
            "algorithm", "pkce", "codeLifetime", "tokenLifetime", "refreshTokenLifetime", "idToken", "encryption", "key", "previousKeys",
            "subjects", "issuer", AppKey.member, "appTokenLifetime",
        ]

    /// - Parameters:
    ///   - defaultKey: what ID tokens are encrypted for where no key is configured.
    ///   - parties: the vendors that brands' tokens are for.
    init(_ json: JSON, defaultKey: EncryptionKey, parties: [RelyingParty]) throws(ConfigurationError) {
        let members = try Members(json, known: Self.known)
        tenantId = try members.string("tenantId") ?? ""
        clientId = try members.string("clientId") ?? ""
        clientSecret = try members.string("clientSecret") ?? ""
        clientAuthentication = try members.word("clientAuthentication", IdentityClient.Authentication.self) ?? .secret
        redirectURIs = try Self.redirectURIs(members) ?? []
        postLogoutRedirectURIs = try Self.redirectURIs(members, "postLogoutRedirectURIs") ?? redirectURIs
        otherClients = try IdentityClient.read(members, first: clientId, redirectURIs: redirectURIs)
        errorDialect = try Self.dialect(members, parties)
        redirectMatch = try members.word("redirectMatch", RedirectMatch.self) ?? .exact
        algorithm = try members.word("algorithm", SigningAlgorithm.self) ?? .rs256
        pkce = try members.word("pkce", PKCEUse.self) ?? .optional
        codeLifetime = try members.lifetime("codeLifetime") ?? .seconds(60)
        tokenLifetime = try members.lifetime("tokenLifetime") ?? .seconds(3600)
        refreshTokenLifetime = try members.lifetime("refreshTokenLifetime") ?? .seconds(30 * 86_400)
        idToken = try members.word("idToken", IDTokenForm.self) ?? .jwt
        recipient = try Self.recipient(members, defaultKey)
        key = try members.integer("key", in: Self.keys) ?? 0
        previousKeys = []
        for (index, json) in (try members.array("previousKeys") ?? []).enumerated() {
            guard let previous = json.integer(in: Self.keys) else {
                throw ConfigurationError(
                    JSONPointer(tokens: ["previousKeys", String(index)]), "\(json.quoted) is not one of the brand's keys, \(Self.keys)")
            }
            previousKeys.append(previous)
        }
        subjects = try members.object("subjects") ?? [:]
        issuer = try members.string("issuer")
        appKey = try AppKey(members)
        appTokenLifetime = try members.lifetime("appTokenLifetime") ?? .seconds(3600)
        for (name, value) in [("tenantId", tenantId), ("clientId", clientId), ("clientSecret", clientSecret)] where value.isEmpty {
            throw members.error(name, "it must not be empty")
        }
        guard !redirectURIs.isEmpty else { throw members.error("redirectURIs", "at least one is needed") }
        if algorithm == .hs256, clientAuthentication == .none || !otherClients.isEmpty {
            throw members.error(
                "algorithm",
                "HS256 is keyed with the client's secret: it needs exactly one client, with a secret (OpenID Connect Core §10.1)")
        }
        for (subject, claims) in subjects where claims.object == nil {
            throw ConfigurationError(JSONPointer(tokens: ["subjects", subject]), "expected an object of claims")
        }
        if let issuer, !Self.isAbsolute(issuer) || issuer.contains("?") || !issuer.contains("://") {
            throw members.error("issuer", "'\(issuer)' is not a URL without query and fragment (OpenID Connect Discovery §3)")
        }
    }

    /// A client's redirect URIs; nil where the member is missing.
    static func redirectURIs(_ members: Members, _ name: String = "redirectURIs") throws(ConfigurationError) -> [String]? {
        guard let uris = try members.strings(name) else { return nil }
        guard !uris.isEmpty else { throw members.error(name, "at least one is needed") }
        for (index, uri) in uris.enumerated() where !isAbsolute(uri) {
            throw ConfigurationError(
                members.pointer.appending(name).appending(index),
                "'\(uri)' is not an absolute URI without fragment (RFC 6749 §3.1.2)")
        }
        return uris
    }

    /// The tenant's own client first.
    var clients: [IdentityClient] {
        let own = IdentityClient(
            id: clientId, secret: clientAuthentication == .none ? nil : clientSecret, redirectURIs: redirectURIs,
            postLogoutRedirectURIs: postLogoutRedirectURIs)
        return [own] + otherClients
    }

    func client(_ id: String) -> IdentityClient? { clients.first { $0.id.isSame(as: id) } }

    /// Which clients there are, for refusals.
    var clientWords: String {
        let ids = clients.map { "'\($0.id)'" }
        return ids.count == 1 ? "it is \(ids[0])" : "there are \(ids.joined(separator: ", "))"
    }

    /// RFC 6749 §5.2's own words.
    private static let standardDialect = "rfc6749"

    private static func dialect(_ members: Members, _ parties: [RelyingParty]) throws(ConfigurationError) -> String {
        guard let dialect = try members.string("errorDialect") else { return standardDialect }
        let known = [standardDialect] + parties.filter { $0.tokenError != nil }.map(\.name)
        guard known.contains(dialect) else {
            throw members.error(
                "errorDialect", "\(dialect.quoted) is not \(known.map { "'\($0)'" }.joined(separator: " or "))")
        }
        return dialect
    }

    /// The brand's keys in the order of their rotation. Where there are fewer of a kind they are counted round.
    private static let keys = 0...KeyPool.brandKeys(.rs256) - 1

    /// A URI with a scheme and without a fragment (RFC 3986 §4.3), in characters that a header can carry.
    private static func isAbsolute(_ uri: String) -> Bool {
        guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")), colon > uri.startIndex else { return false }
        return uri.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }
    }

    /// A tenant's configuration with what cannot be a constant filled in: what differs from tenant to tenant.
    static func complete(_ given: JSON, for context: TenantContext, parties: [RelyingParty]) throws(ConfigurationError) -> JSON {
        let members = try Members(given, known: known)
        var complete: JSON = .members([
            "tenantId": .string(context.id), "clientId": "brand-app",
            "clientSecret": .string(String(Draw(secretOf: context.sandbox, seed: context.seed, "identity", "clientSecret").hex.prefix(32))),
            "redirectURIs": .array(parties.map { .string($0.redirectURI) }),
            "key": .integer(Draw(seed: context.seed, "identity", "key").number(below: 3)),
            AppKey.member: [
                "id": .string("app_" + Draw(seed: context.seed, "identity", "appKeyId").hex.prefix(24)),
                "secret": .string(String(Draw(secretOf: context.sandbox, seed: context.seed, "identity", "appKeySecret").hex.prefix(48))),
            ],
        ])
        for (name, value) in members.object where !value.isNull { complete[name] = value }
        return complete
    }

    /// The configuration with the constants filled in that apply where nothing was given, so that its readers see them.
    func filling(_ configuration: JSON) -> JSON {
        let effective: JSON = [
            "clientAuthentication": .string(clientAuthentication.rawValue), IdentityClient.member: [],
            "errorDialect": .string(errorDialect), "redirectMatch": .string(redirectMatch.rawValue),
            "algorithm": .string(algorithm.rawValue), "pkce": .string(pkce.rawValue), "idToken": .string(idToken.rawValue),
            "codeLifetime": .string(codeLifetime.shortText), "tokenLifetime": .string(tokenLifetime.shortText),
            "refreshTokenLifetime": .string(refreshTokenLifetime.shortText), "previousKeys": [], "subjects": [:],
            "appTokenLifetime": .string(appTokenLifetime.shortText),
        ]
        var filled = configuration
        for (name, value) in effective.object ?? [:] where filled[name] == nil { filled[name] = value }
        return filled
    }

    /// `encryption`: `{"publicKey", "kid", "alg", "enc"}`, every member optional.
    private static func recipient(_ members: Members, _ defaultKey: EncryptionKey) throws(ConfigurationError) -> TokenMint.Recipient {
        guard let json = members.object["encryption"], !json.isNull else { return TokenMint.Recipient(key: defaultKey) }
        let encryption = try Members(json, at: members.pointer.appending("encryption"), known: ["publicKey", "kid", "alg", "enc"])
        var recipient = TokenMint.Recipient(key: defaultKey)
        let kid = try encryption.string("kid")
        if let text = try encryption.string("publicKey") {
            do throws(TokenError) { recipient.key = try EncryptionKey(pem: text, kid: kid) } catch {
                throw encryption.error("publicKey", error.reason)
            }
        } else if kid != nil {
            throw encryption.error("kid", "it names a publicKey, and none is given")
        }
        recipient.algorithm = try encryption.word("alg", EncryptionAlgorithm.self) ?? recipient.algorithm
        recipient.encryption = try encryption.word("enc", ContentEncryption.self) ?? recipient.encryption
        return recipient
    }
}
