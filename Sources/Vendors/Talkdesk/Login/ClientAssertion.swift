import SparringVendorKit

/// A client's signed assertion, checked but for whether it was used before (RFC 7523 §3; Talkdesk reference 3.4).
struct ClientAssertion: Sendable {
    let client: Talkdesk.Client
    let jti: String
    let expiresAt: Timestamp

    /// - Parameters:
    ///   - id: `client_id` of the body, which need not be there.
    ///   - audiences: the URLs that the token endpoint goes by.
    init(
        _ text: String, settings: Talkdesk.Settings, client id: String?, audiences: [String], at now: Timestamp
    ) throws(Refusal) {
        let token: JWS
        do throws(TokenError) { token = try JWS(parsing: text) } catch { throw Refusal("assertion-malformed", error.reason) }
        guard token.algorithm == .es256 else {
            throw Refusal("assertion-algorithm-refused", "alg is \((token.header["alg"]?.string ?? "").quoted), only ES256 is accepted")
        }
        let claims = token.payload
        guard let issuer = claims["iss"]?.string else { throw Refusal("assertion-claim-missing", "the claim iss is missing") }
        guard let client = settings.client(id ?? issuer) else {
            throw Refusal("client-unknown", "account '\(settings.account)' has no client \((id ?? issuer).quoted)")
        }
        guard let kid = token.kid, let key = client.key(kid) else {
            let known = client.keys.map { "'\($0.kid)'" }.joined(separator: ", ")
            throw Refusal(
                "assertion-key-unknown", "kid is \((token.kid ?? "missing").quoted), the client has \(known.isEmpty ? "no key" : known)")
        }
        guard token.verify(with: key) else {
            throw Refusal("assertion-bad-signature", "the signature does not verify with key '\(kid)' of the client")
        }
        for name in ["sub", "aud", "jti", "iat", "exp"] where claims[name] == nil {
            throw Refusal("assertion-claim-missing", "the claim \(name) is missing")
        }
        for (name, value) in [("iss", issuer), ("sub", claims["sub"]?.string ?? "")] where !value.isSame(as: client.id) {
            throw Refusal("assertion-subject-mismatch", "\(name) is \(value.quoted), the client is '\(client.id)'")
        }
        let named = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string ?? ""]
        guard named.contains(where: { audiences.containsSame(as: $0) }) else {
            throw Refusal(
                "assertion-audience-mismatch", "aud is \(named.joined(separator: " ").quoted), the token endpoint is '\(audiences[0])'")
        }
        guard let jti = claims["jti"]?.string, !jti.isEmpty else {
            throw Refusal("assertion-claim-missing", "jti is not a text, or is empty")
        }
        self.client = client
        self.jti = jti
        expiresAt = try Self.expiry(claims, settings, now)
    }

    private static func expiry(_ claims: JSON, _ settings: Talkdesk.Settings, _ now: Timestamp) throws(Refusal) -> Timestamp {
        func time(_ name: String) throws(Refusal) -> Timestamp {
            guard let seconds = claims[name]?.double else {
                throw Refusal(
                    "assertion-malformed",
                    "\(name) is \((claims[name]?.text ?? "").abbreviated(to: 100)), it must be a number (RFC 7519 §2)")
            }
            return Timestamp(seconds: Int64(clamped: seconds))
        }
        let (issued, expires) = (try time("iat"), try time("exp"))
        guard now < expires else { throw Refusal("assertion-expired", "the assertion expired \((now - expires).words) ago") }
        guard issued - now <= settings.assertionAhead else {
            throw Refusal("assertion-from-the-future", "iat is \((issued - now).words) ahead")
        }
        guard expires - issued <= settings.assertionLifetime else {
            throw Refusal(
                "assertion-too-long",
                "exp is \((expires - issued).words) after iat, \(settings.assertionLifetime.words) at most are accepted")
        }
        return expires
    }
}
