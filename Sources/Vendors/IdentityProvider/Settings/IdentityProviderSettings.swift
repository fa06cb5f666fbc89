import SparringVendorKit

extension IdentityProvider {
    /// One provider's configuration (`contracts/identity.tenant.schema.yaml`).
    struct Settings: Decodable, Sendable {
        enum PKCEUse: String, Decodable {
            case optional, required
        }

        enum IDTokenForm: String, Decodable {
            case jwt, jwe
        }

        var tenantId: String
        var clientId: String
        var clientSecret: String
        var clientAuthentication: Client.Authentication
        var redirectURIs: [String]
        /// Nil: ``redirectURIs``.
        var postLogoutRedirectURIs: [String]?
        /// Clients beside the one that ``clientId`` names.
        var clients: [OtherClient]
        /// The dialect of the token endpoint's errors: a relying party's (``RelyingParty/name``), or else RFC 6749 §5.2's.
        var errorDialect: String
        var redirectMatch: RedirectURI.Match
        var algorithm: SigningAlgorithm
        var pkce: PKCEUse
        var codeLifetime: Duration
        var tokenLifetime: Duration
        var refreshTokenLifetime: Duration
        var idToken: IDTokenForm
        var encryption: Encryption
        /// The signing key's index in the pool. Where there are fewer of a kind they are counted round.
        var key: Int
        /// Keys that were rotated away but are still published.
        var previousKeys: [Int]
        /// Claims by subject.
        var subjects: JSON
        /// Nil: the URL by which the client came.
        var issuer: String?
        var appKey: AppKey
        var appTokenLifetime: Duration

        /// The client that ``clientId`` names.
        var ownClient: Client {
            Client(
                id: clientId, secret: clientAuthentication == .none ? nil : clientSecret, redirectURIs: redirectURIs,
                postLogoutRedirectURIs: postLogoutRedirectURIs ?? redirectURIs)
        }

        /// The tenant's own client first.
        var allClients: [Client] { [ownClient] + clients.map { Client($0, beside: self) } }

        func client(_ id: String) -> Client? { allClients.first { $0.id.isSame(as: id) } }

        /// The ids of the clients that there are, for refusals.
        var clientWords: String {
            let ids = allClients.map { "'\($0.id)'" }
            return ids.count == 1 ? "it is \(ids[0])" : "there are \(ids.joined(separator: ", "))"
        }

        func check() throws(ConfigurationError) {
            if let index = clients.firstIndex(where: { $0.clientId.isSame(as: clientId) }) {
                throw ConfigurationError(JSONPointer(tokens: ["clients", String(index), "clientId"]), "it is another client's already")
            }
            if algorithm == .hs256, clientAuthentication == .none || !clients.isEmpty {
                throw ConfigurationError(
                    JSONPointer(tokens: ["algorithm"]),
                    "HS256 is keyed with the client's secret: it needs exactly one client, with a secret (OpenID Connect Core §10.1)")
            }
        }
    }

    /// The key with which the brand's backend signs JWTs for users of its app: the tenant's member `appKey`.
    struct AppKey: Decodable, Sendable {
        var id: String
        var secret: String

        var json: JSON { ["id": .string(id), "secret": .string(secret)] }
    }

    /// How ID tokens are encrypted: the tenant's member `encryption`.
    struct Encryption: Decodable, Sendable {
        /// The recipient's; nil: the pool's key of the messaging vendors.
        var key: EncryptionKey?
        var algorithm: EncryptionAlgorithm
        var contentEncryption: ContentEncryption

        private enum CodingKeys: String, CodingKey {
            case publicKey, kid, alg, enc
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let kid = try members.decodeIfPresent(String.self, forKey: .kid)
            if let text = try members.decodeIfPresent(String.self, forKey: .publicKey) {
                do throws(TokenError) { key = try EncryptionKey(pem: text, kid: kid) } catch {
                    throw members.refusal(of: .publicKey, error.reason)
                }
            }
            algorithm = try members.decode(EncryptionAlgorithm.self, forKey: .alg)
            contentEncryption = try members.decode(ContentEncryption.self, forKey: .enc)
        }
    }
}
