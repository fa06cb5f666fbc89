import SparringVendorKit

/// The authentication of clients at the token endpoint (RFC 6749 §2.3): by Basic, or by the body.
enum ClientAuthentication {
    /// The client that calls, which has proved it unless it is a public one; or else why it is refused.
    static func client(_ call: Call, _ settings: IdentityProvider.Settings) throws(Refusal) -> IdentityProvider.Client {
        let basic = call.header(.authorization)
        let (bodyId, bodySecret) = (call.parameter("client_id"), call.parameter("client_secret"))
        if let basic {
            guard bodySecret == nil else {
                throw Refusal("invalid-request", "client authentication came twice, in Authorization and in the body (RFC 6749 §2.3)")
            }
            guard let (id, secret) = BasicCredentials.read(basic) else {
                throw Refusal("invalid-client", "Authorization is not 'Basic ' and base64 of id:secret (RFC 7617 §2)")
            }
            if let bodyId, !bodyId.isSame(as: id) {
                throw Refusal("invalid-request", "client_id is \(bodyId.quoted) in the body and \(id.quoted) in Authorization")
            }
            return try judge(id, secret, settings)
        }
        if call.parameter("client_assertion") != nil {
            throw Refusal("invalid-client", "a client_assertion came; clients prove themselves by a secret, or are public (RFC 6749 §2.3)")
        }
        guard let id = bodyId else {
            let hint =
                settings.allClients.contains(where: \.isPublic) ? "; a public client names itself by client_id (RFC 6749 §3.2.1)" : ""
            throw Refusal("invalid-client", "the request has no client authentication\(hint)")
        }
        return try judge(id, bodySecret ?? "", settings)
    }

    /// - Parameter secret: empty where none came: the two mean the same (RFC 6749 §2.3.1).
    private static func judge(_ id: String, _ secret: String, _ settings: IdentityProvider.Settings) throws(Refusal)
        -> IdentityProvider.Client
    {
        guard let client = settings.client(id) else {
            throw Refusal("invalid-client", "no client has the id \(id.quoted); \(settings.clientWords)")
        }
        guard let known = client.secret else {
            if secret.isEmpty { return client }
            throw Refusal("invalid-client", "'\(client.id)' is a public client, which has no secret, and a client_secret came")
        }
        guard !secret.isEmpty else {
            throw Refusal("invalid-client", "client_secret is missing: '\(client.id)' is not configured as a public client")
        }
        guard secret.isSame(as: known) else { throw Refusal("client-refused", "client_secret is wrong") }
        return client
    }
}
