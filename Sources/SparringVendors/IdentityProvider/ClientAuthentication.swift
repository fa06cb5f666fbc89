import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON

/// Who calls the token endpoint (RFC 6749 §2.3): by Basic, or by the body.
enum ClientAuthentication {
    /// - Returns: nil for the tenant's client with its secret, else why not.
    static func refusal(_ call: Call, _ settings: IdentitySettings) -> Refusal? {
        let basic = call.header(.authorization)
        let (bodyId, bodySecret) = (call.parameter("client_id"), call.parameter("client_secret"))
        if let basic {
            guard bodySecret == nil else {
                return Refusal("invalid-request", "client authentication came twice, in Authorization and in the body (RFC 6749 §2.3)")
            }
            guard let (id, secret) = BasicCredentials.read(basic) else {
                return Refusal("invalid-client", "Authorization is not 'Basic ' and base64 of id:secret (RFC 7617 §2)")
            }
            if let bodyId, !bodyId.isSame(as: id) {
                return Refusal("invalid-request", "client_id is \(bodyId.quoted) in the body and \(id.quoted) in Authorization")
            }
            return judge(id, secret, settings)
        }
        guard let id = bodyId else { return Refusal("invalid-client", "no client authentication came") }
        guard let bodySecret else { return Refusal("invalid-client", "client_secret is missing") }
        return judge(id, bodySecret, settings)
    }

    private static func judge(_ id: String, _ secret: String, _ settings: IdentitySettings) -> Refusal? {
        guard id.isSame(as: settings.clientId) else {
            return Refusal("invalid-client", "no client has the id \(id.quoted); it is '\(settings.clientId)'")
        }
        return secret.isSame(as: settings.clientSecret) ? nil : Refusal("client-refused", "client_secret is wrong")
    }
}
