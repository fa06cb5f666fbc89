import SparringVendorKit

extension Talkdesk {
    /// One account's configuration (`contracts/talkdesk.tenant.schema.yaml`).
    final class Settings: Decodable, DeskSettings, TenantNames {
        enum TokenForm: String, Decodable {
            /// A JWT by ES256 (Talkdesk reference 3.4, inferred); clients take it for text.
            case jwt
            /// A JWT that tells neither when it was issued nor when it ends: only a refusal does.
            case jwtWithoutTimes = "jwt-without-times"
            /// Random text. It does not tell its account, so that calls of the public API which bring it need the sandbox's host.
            case opaque
        }

        let account: String
        let clients: [Client]
        let backend: Backend
        let agents: [Agent]
        /// The lifetime of access tokens. It can change at any time (Authorization).
        let tokenLifetime: Duration
        let tokenForm: TokenForm
        let codeLifetime: Duration
        let refreshTokenLifetime: Duration
        /// How far `iat` of an assertion may be ahead, and how long an assertion may live (Talkdesk reference 3.4; assumed).
        let assertionAhead: Duration
        let assertionLifetime: Duration
        /// Whether a 401 of Talkdesk ID carries `WWW-Authenticate: Basic`, on which clients in Swift on Linux hang (Talkdesk reference 4.2).
        let sendsBasicChallenge: Bool
        /// The touchpoints where conversations can begin.
        let touchpoints: [String]
        /// The account's own.
        let phoneNumbers: [String]

        /// Calls for Talkdesk ID name a client and not the account.
        var names: [String] { clients.map(\.id) }

        func client(_ id: String) -> Client? { clients.first { $0.id.isSame(as: id) } }

        /// The client that the brand's backend is.
        var backendClient: Client? { backend.client.flatMap(client) ?? clients.first }

        func check() throws(ConfigurationError) {
            guard let wanted = backend.client, client(wanted) == nil else { return }
            throw ConfigurationError(
                JSONPointer(tokens: ["backend", "client"]),
                "no client has the id '\(wanted)'" + Nearest.hint(for: wanted, in: clients.map(\.id)))
        }
    }

    /// The brand's backend that Sparring plays for those who test the app: the account's member `backend` (Talkdesk reference 3.3).
    struct Backend: Decodable, Sendable {
        enum Authentication: String, Decodable {
            case privateKeyJWT = "private_key_jwt"
            case clientSecretBasic = "client_secret_basic"
        }

        /// The id of its client at Talkdesk ID; nil: the account's first client.
        var client: String?
        var authentication: Authentication
        var scope: String
        /// The apps that it serves.
        var apps: [String]
        /// The user name with which apps call it in the form of the published samples, as in HTTP Basic.
        var user: String
        var password: String
        /// Whether only people get a token who are signed in at the brand's identity provider.
        var requiresSession: Bool
        /// People who get no token, for reasons of the brand's business.
        var denied: [String]
        /// Whether a 401 carries `WWW-Authenticate: Basic`, on which clients in Swift on Linux hang (Talkdesk reference 4.2).
        var sendsBasicChallenge: Bool
    }
}
