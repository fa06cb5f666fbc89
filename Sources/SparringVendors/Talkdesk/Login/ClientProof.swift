import GRDB
import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

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
    func client(_ db: Database) throws -> Result<Talkdesk.Client, Refusal> {
        let (assertion, secret, id) = (call.sent("client_assertion"), call.sent("client_secret"), call.sent("client_id"))
        if let header = call.header(.authorization), !header.isEmpty {
            guard assertion == nil, secret == nil else {
                return .failure(
                    Refusal("client-authentication-ambiguous", "Authorization came together with a proof in the body (RFC 6749 §2.3)"))
            }
            guard let basic = BasicCredentials.read(header) else {
                return .failure(Refusal("client-authentication-missing", "Authorization is not 'Basic ' and base64 of id:secret"))
            }
            if let id, !id.isSame(as: basic.id) {
                return .failure(
                    Refusal(
                        "client-authentication-ambiguous",
                        "client_id is \(id.quoted) in the body and \(basic.id.quoted) in Authorization"))
            }
            return found(basic.id).flatMap { judge($0, basic.secret) }
        }
        if let assertion {
            guard secret == nil else {
                return .failure(
                    Refusal("client-authentication-ambiguous", "client_secret came together with client_assertion (RFC 6749 §2.3)"))
            }
            return try judge(assertion, of: id, db)
        }
        guard let id else { return .failure(Refusal("client-authentication-missing", "nothing says which client it is")) }
        return found(id).flatMap { client in
            guard let secret else {
                return .failure(Refusal("client-authentication-missing", "neither Authorization, client_secret nor client_assertion came"))
            }
            return judge(client, secret)
        }
    }

    private func found(_ id: String) -> Result<Talkdesk.Client, Refusal> {
        settings.client(id).map { .success($0) }
            ?? .failure(Refusal("client-unknown", "account '\(settings.account)' has no client \(id.quoted)"))
    }

    private func judge(_ client: Talkdesk.Client, _ secret: String) -> Result<Talkdesk.Client, Refusal> {
        guard let own = client.secret else {
            return .failure(Refusal("client-refused", "client '\(client.id)' has no secret: it proves itself with assertions"))
        }
        return own.isSame(as: secret)
            ? .success(client) : .failure(Refusal("client-refused", "the secret of client '\(client.id)' is wrong"))
    }

    private func judge(_ text: String, of id: String?, _ db: Database) throws -> Result<Talkdesk.Client, Refusal> {
        let type = call.field("client_assertion_type") ?? ""
        guard type == Self.assertionType else {
            return .failure(Refusal("assertion-type-unsupported", "client_assertion_type is \(type.quoted), not '\(Self.assertionType)'"))
        }
        let assertion: ClientAssertion
        do throws(Refusal) {
            assertion = try ClientAssertion(text, settings: settings, client: id, audiences: audiences, at: call.now)
        } catch {
            return .failure(error)
        }
        let before = try TalkdeskGrantState.use(
            jti: assertion.jti, of: assertion.client.id, until: assertion.expiresAt, by: call.entry, at: call.now, call.sandbox.id, db)
        guard let before else { return .success(assertion.client) }
        return .failure(Refusal("assertion-reused", "jti \(assertion.jti.quoted) was used by entry \(before)"))
    }
}
