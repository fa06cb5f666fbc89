import SparringEngine
import SparringJSON
import SparringSandbox
import SparringTokens

/// An OAuth client of Talkdesk ID, such as the brand's backend: the account's member `clients` (Talkdesk reference 3.4).
struct TalkdeskClient: Sendable {
    enum GrantType: String, CaseIterable, Sendable {
        case clientCredentials = "client_credentials"
        case authorizationCode = "authorization_code"
        case refreshToken = "refresh_token"
    }

    /// The key that checks its assertions.
    struct Key: Sendable {
        var kid: String
        var key: VerificationKey
    }

    var id: String
    /// Nil for one that proves itself with assertions alone.
    var secret: String?
    var keys: [Key]
    var scopes: [String]
    var grantTypes: [GrantType]
    var redirectURIs: [String]

    static let member = "clients"
    /// What interactions need; `media-sessions:execute` until August 2020.
    static let interactions = "visual-sessions:execute"
    static let digital = "digital-connect:write"
    static let callbacks = "callback:write"
    static let openid = "openid"

    private static let known = ["id", "secret", "keys", "scopes", "grantTypes", "redirectURIs"]

    func key(_ kid: String) -> VerificationKey? { keys.first { $0.kid.isSame(as: kid) }?.key }

    static func read(_ account: Members) throws(ConfigurationError) -> [TalkdeskClient] {
        var clients: [TalkdeskClient] = []
        for (index, json) in (try account.array(member) ?? []).enumerated() {
            let members = try Members(json, at: account.pointer.appending(member).appending(index), known: known)
            guard let id = try members.string("id"), !id.isEmpty else { throw members.error("id", "a client needs an id") }
            if clients.contains(where: { $0.id.isSame(as: id) }) { throw members.error("id", "it is another client's already") }
            let secret = try members.string("secret")
            if secret?.isEmpty == true { throw members.error("secret", "it is empty") }
            clients.append(
                TalkdeskClient(
                    id: id, secret: secret, keys: try keys(members), scopes: try members.strings("scopes") ?? standardScopes,
                    grantTypes: try grantTypes(members), redirectURIs: try members.strings("redirectURIs") ?? []))
        }
        return clients
    }

    private static func keys(_ client: Members) throws(ConfigurationError) -> [Key] {
        var keys: [Key] = []
        for (index, json) in (try client.array("keys") ?? []).enumerated() {
            let members = try Members(json, at: client.pointer.appending("keys").appending(index), known: ["kid", "publicKey"])
            guard let kid = try members.string("kid"), !kid.isEmpty else { throw members.error("kid", "a key needs its kid") }
            if keys.contains(where: { $0.kid.isSame(as: kid) }) { throw members.error("kid", "it is another key's already") }
            guard let text = try members.string("publicKey") else {
                throw members.error("publicKey", "a key needs it: a SubjectPublicKeyInfo in PEM, or its base64")
            }
            let key: VerificationKey
            do throws(TokenError) { key = try VerificationKey(pem: text) } catch { throw members.error("publicKey", error.reason) }
            guard key.algorithm == .es256 else { throw members.error("publicKey", "assertions are signed with ES256: a P-256 key") }
            keys.append(Key(kid: kid, key: key))
        }
        return keys
    }

    private static func grantTypes(_ client: Members) throws(ConfigurationError) -> [GrantType] {
        guard let words = try client.strings("grantTypes") else { return GrantType.allCases }
        var types: [GrantType] = []
        for word in words {
            guard let type = GrantType(rawValue: word) else {
                throw client.error("grantTypes", "'\(word)' is not one of \(GrantType.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            types.append(type)
        }
        return types
    }

    private static let standardScopes = [openid, interactions, digital, callbacks]

    /// One that may do everything. Its id depends on the account's alone, so that it is as unique.
    static func standard(for context: TenantContext, key: VerificationKey) -> JSON {
        [
            .members([
                "id": .string(String(Draw(seed: 0, "talkdesk", "client", context.id).hex.prefix(32))), "secret": "talkdesk-secret",
                "keys": [.members(["kid": "key-1", "publicKey": key.publicKeyBase64.map { .string($0) }])],
                "scopes": .array(standardScopes.map { .string($0) }), "redirectURIs": ["https://brand.example/talkdesk/callback"],
            ])
        ]
    }
}
