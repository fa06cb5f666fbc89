import SparringJSON

/// A client that may ask the brand's provider for tokens (RFC 6749 §2).
struct IdentityClient: Sendable {
    /// How the client of ``IdentitySettings/clientId`` proves who it is.
    enum Authentication: String, CaseIterable {
        /// By its secret, in Basic or in the body (RFC 6749 §2.3.1).
        case secret
        /// Not at all: a public client (RFC 6749 §2.1, RFC 7591 §2).
        case none
    }

    var id: String
    /// Nil for a public client, such as a native app, which cannot keep one (RFC 8252 §8.4).
    var secret: String?
    var redirectURIs: [String]
    /// Where the user may be sent after a sign-out (RP-Initiated Logout §3.1).
    var postLogoutRedirectURIs: [String]

    var isPublic: Bool { secret == nil }

    /// As the admin API shows it.
    var json: JSON {
        .members([
            "clientId": .string(id), "clientSecret": secret.map { .string($0) },
            "redirectURIs": .array(redirectURIs.map { .string($0) }),
        ])
    }

    static let member = "clients"

    /// Reads the clients beside the tenant's first one.
    ///
    /// - Parameters:
    ///   - first: the id of that client.
    ///   - redirectURIs: what applies to a client that has none of its own.
    static func read(_ tenant: Members, first: String, redirectURIs: [String]) throws(ConfigurationError) -> [IdentityClient] {
        var clients: [IdentityClient] = []
        for (index, json) in (try tenant.array(member) ?? []).enumerated() {
            let members = try Members(
                json, at: tenant.pointer.appending(member).appending(index),
                known: ["clientId", "clientSecret"] + IdentitySettings.uriMembers)
            guard let id = try members.string("clientId"), !id.isEmpty else { throw members.error("clientId", "a client needs its id") }
            guard !id.isSame(as: first), !clients.contains(where: { $0.id.isSame(as: id) }) else {
                throw members.error("clientId", "it is another client's already")
            }
            let secret = try members.string("clientSecret")
            guard secret?.isEmpty != true else {
                throw members.error("clientSecret", "it is empty; a public client has none: leave the member out")
            }
            let own = try IdentitySettings.redirectURIs(members) ?? redirectURIs
            clients.append(
                IdentityClient(
                    id: id, secret: secret, redirectURIs: own,
                    postLogoutRedirectURIs: try IdentitySettings.redirectURIs(members, "postLogoutRedirectURIs") ?? own))
        }
        return clients
    }
}
