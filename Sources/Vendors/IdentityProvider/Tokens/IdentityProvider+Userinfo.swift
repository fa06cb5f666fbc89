import SparringVendorKit

/// Handlers of the tag "Userinfo" (OpenID Connect Core §5.3).
extension IdentityProvider {
    func userinfo(_ db: Database, _ call: Call) throws -> Decision {
        let settings = call.settings(of: self)
        let session = try session(of: call, db)
        var claims: JSON.Object = ["sub": .string(session.subject)]
        for (name, value) in settings.subjects[session.subject]?.object ?? [:] where name != "sub" { claims[name] = value }
        return .answer("userinfo", .object(claims), headers: Self.noStore, cause: "the claims of \(session.subject)")
    }

    /// The user's access token that a call brings, or what is wrong with it (RFC 6750 §2 and §3.1).
    private func session(of call: Call, _ db: Database) throws -> BrandAccessToken {
        let text = try bearer(call)
        guard let token = try BrandAccessToken.find(text, call.sandbox.id, db) else {
            if try IdentityProviderState.RefreshToken.find(text, call.sandbox.id, db) != nil {
                throw Refusal("access-token-unknown", "a refresh token came in place of the access token")
            }
            let hint = text.split(separator: ".", omittingEmptySubsequences: false).count == 3 ? ": a JWT came, such as an ID token" : ""
            throw Refusal("access-token-unknown", "the access token is not one that this provider issued\(hint)")
        }
        if let entry = token.revokedBy {
            throw Refusal("access-token-revoked", "the access token was revoked by entry \(entry)")
        }
        if call.now >= token.expiresAt {
            throw Refusal("access-token-expired", "the access token expired \((call.now - token.expiresAt).words) ago")
        }
        guard !token.isOfClient else {
            throw Refusal("insufficient-scope", "the access token is client '\(token.subject)'s own: no user has signed in")
        }
        guard token.scope?.split(separator: " ").contains("openid") != false else {
            throw Refusal("insufficient-scope", "the access token has scope '\(token.scope ?? "")', without openid")
        }
        return token
    }

    private func bearer(_ call: Call) throws(Refusal) -> String {
        let (header, field) = (call.header(.authorization), call.parameter("access_token"))
        guard let header, !header.isEmpty else {
            if let field { return field }
            throw Refusal("access-token-missing", "no access token came, neither in Authorization nor in the body")
        }
        guard field == nil else {
            throw Refusal("invalid-request", "the access token came twice, in Authorization and in the body (RFC 6750 §2)")
        }
        guard header.lowercased().hasPrefix("bearer ") else {
            throw Refusal("access-token-missing", "Authorization is not 'Bearer ' and an access token (RFC 6750 §2.1)")
        }
        return String(header.dropFirst(7).drop { $0 == " " })
    }

    /// `WWW-Authenticate` of a refusal, for those whose answer has it (RFC 6750 §3). What came without a token has no `error` in it (§3.1).
    static func bearerChallenge(_ name: String, error: String, description: String?) -> String {
        let realm = "Bearer realm=\"identity\""
        guard name != "access-token-missing" else { return realm }
        return "\(realm), error=\"\(error)\"" + (description.map { ", error_description=\"\($0)\"" } ?? "")
    }
}
