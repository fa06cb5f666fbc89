import SparringVendorKit

/// How a client proves to Talkdesk ID who it is (RFC 6749 §2.3, RFC 7523 §2.2): by Basic, by its secret in the body, or by an assertion.
struct ClientProof {
    let call: Call
    let settings: Talkdesk.Settings
    /// The URL of this call, by the name that the client has for it; and the vendor's own.
    let audiences: [String]

    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// The client, once it is proved.
    ///
    /// An assertion is used up by that.
    func client(_ db: Database) throws -> Talkdesk.Client {
        let (assertion, secret, id) = (call.sent("client_assertion"), call.sent("client_secret"), call.sent("client_id"))
        if let header = call.header(.authorization), !header.isEmpty {
            guard assertion == nil, secret == nil else {
                throw Refusal("client-authentication-ambiguous", "Authorization came together with a proof in the body (RFC 6749 §2.3)")
            }
            guard let basic = BasicCredentials.read(header) else {
                throw Refusal("client-authentication-missing", "Authorization is not 'Basic ' and base64 of id:secret")
            }
            if let id, !id.isSame(as: basic.id) {
                throw Refusal(
                    "client-authentication-ambiguous",
                    "client_id is \(id.quoted) in the body and \(basic.id.quoted) in Authorization")
            }
            return try judge(try found(basic.id), basic.secret)
        }
        if let assertion {
            guard secret == nil else {
                throw Refusal("client-authentication-ambiguous", "client_secret came together with client_assertion (RFC 6749 §2.3)")
            }
            return try judge(assertion, of: id, db)
        }
        guard let id else { throw Refusal("client-authentication-missing", "nothing says which client it is") }
        let client = try found(id)
        guard let secret else {
            throw Refusal("client-authentication-missing", "neither Authorization, client_secret nor client_assertion came")
        }
        return try judge(client, secret)
    }

    private func found(_ id: String) throws -> Talkdesk.Client {
        guard let client = settings.client(id) else {
            throw Refusal("client-unknown", "account '\(settings.account)' has no client \(id.quoted)")
        }
        return client
    }

    private func judge(_ client: Talkdesk.Client, _ secret: String) throws -> Talkdesk.Client {
        guard let own = client.secret else {
            throw Refusal("client-refused", "client '\(client.id)' has no secret: it proves itself with assertions")
        }
        guard own.isSame(as: secret) else { throw Refusal("client-refused", "the secret of client '\(client.id)' is wrong") }
        return client
    }

    private func judge(_ text: String, of id: String?, _ db: Database) throws -> Talkdesk.Client {
        let type = call.field("client_assertion_type") ?? ""
        guard type == Self.assertionType else {
            throw Refusal("assertion-type-unsupported", "client_assertion_type is \(type.quoted), not '\(Self.assertionType)'")
        }
        let assertion = try ClientAssertion(text, settings: settings, client: id, audiences: audiences, at: call.now)
        let before = try TalkdeskGrantState.use(
            jti: assertion.jti, of: assertion.client.id, until: assertion.expiresAt, by: call.entry, at: call.now, call.sandbox.id, db)
        guard let before else { return assertion.client }
        throw Refusal("assertion-reused", "jti \(assertion.jti.quoted) was used by entry \(before)")
    }
}
