extension Talkdesk {
    /// The brand's backend that Sparring plays for those who test the app: the account's member `backend` (Talkdesk reference 3.3).
    struct Backend: Decodable, Sendable {
        enum Authentication: String, Decodable {
            case privateKeyJWT = "private_key_jwt"
            case clientSecretBasic = "client_secret_basic"
        }

        /// By which it is known at Talkdesk ID; nil: the account's first client.
        var client: String?
        var authentication: Authentication
        var scope: String
        /// The apps that it serves.
        var apps: [String]
        /// By whom apps call it in the form of the published samples, as in HTTP Basic.
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
