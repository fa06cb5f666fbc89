import SparringVendorKit

extension IdentityProvider {
    /// A client that may ask for tokens (RFC 6749 §2).
    struct Client: Sendable {
        /// How the client of ``Settings/clientId`` proves who it is.
        enum Authentication: String, Decodable {
            /// The client's secret, in Basic or in the body (RFC 6749 §2.3.1).
            case secret
            /// No authentication: a public client (RFC 6749 §2.1, RFC 7591 §2).
            case none
        }

        var id: String
        /// Nil for a public client, such as a native app, which cannot keep one (RFC 8252 §8.4).
        var secret: String?
        var redirectURIs: [String]
        /// The URIs to which the user may be sent after a sign-out (RP-Initiated Logout §3.1).
        var postLogoutRedirectURIs: [String]

        var isPublic: Bool { secret == nil }

        /// The client as the admin API shows it.
        var json: JSON {
            .members([
                "clientId": .string(id), "clientSecret": secret.map { .string($0) },
                "redirectURIs": .array(redirectURIs.map { .string($0) }),
            ])
        }
    }

    /// A client beside the tenant's own one: of the tenant's member `clients`.
    struct OtherClient: Decodable, Sendable {
        var clientId: String
        /// Nil for a public client.
        var clientSecret: String?
        /// Nil: those of the tenant.
        var redirectURIs: [String]?
        /// Nil: those for a sign-in.
        var postLogoutRedirectURIs: [String]?
    }
}

extension IdentityProvider.Client {
    init(_ other: IdentityProvider.OtherClient, beside settings: IdentityProvider.Settings) {
        let redirectURIs = other.redirectURIs ?? settings.redirectURIs
        self.init(
            id: other.clientId, secret: other.clientSecret, redirectURIs: redirectURIs,
            postLogoutRedirectURIs: other.postLogoutRedirectURIs ?? redirectURIs)
    }
}
