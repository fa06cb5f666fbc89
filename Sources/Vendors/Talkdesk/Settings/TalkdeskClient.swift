import SparringVendorKit

extension Talkdesk {
    /// An OAuth client of Talkdesk ID, such as the brand's backend: the account's member `clients` (Talkdesk reference 3.4).
    struct Client: Decodable, Sendable {
        enum GrantType: String, Decodable, Sendable {
            case clientCredentials = "client_credentials"
            case authorizationCode = "authorization_code"
            case refreshToken = "refresh_token"
        }

        /// The key that checks its assertions.
        struct Key: Decodable, Sendable {
            var kid: String
            var publicKey: VerificationKey

            private enum CodingKeys: String, CodingKey {
                case kid, publicKey
            }

            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: CodingKeys.self)
                kid = try members.decode(String.self, forKey: .kid)
                publicKey = try members.publicKey(
                    forKey: .publicKey, for: .es256, otherwise: "assertions are signed with ES256: a P-256 key")
            }
        }

        var id: String
        /// Nil for one that proves itself with assertions alone.
        var secret: String?
        var keys: [Key]
        var scopes: [String]
        var grantTypes: [GrantType]
        var redirectURIs: [String]

        /// The scope that interactions need; `media-sessions:execute` until August 2020.
        static let interactions = "visual-sessions:execute"
        static let digital = "digital-connect:write"
        static let callbacks = "callback:write"
        static let openid = "openid"

        func key(_ kid: String) -> VerificationKey? { keys.first { $0.kid.isSame(as: kid) }?.publicKey }

        /// One that may do everything. Its id depends on the account's alone, so that it is as unique.
        static func standard(for context: TenantContext, key: VerificationKey) -> JSON {
            [
                "id": .string(String(Draw(seed: 0, "talkdesk", "client", context.id).hex.prefix(32))), "secret": "talkdesk-secret",
                "keys": [.members(["kid": "key-1", "publicKey": key.publicKeyBase64.map { .string($0) }])],
                "redirectURIs": ["https://brand.example/talkdesk/callback"],
            ]
        }
    }
}
