import SparringVendorKit

/// Handlers of the tag "Session" (OpenID Connect RP-Initiated Logout 1.0).
extension IdentityProvider {
    /// There are no sessions that could end: each authorization request is independent. Tokens stay as good as they were.
    func endSession(_ db: Database, _ call: Call) throws -> Decision {
        let settings = call.settings(of: self)
        func parameter(_ name: String) -> String? {
            let text = call.operation.id == Operation.endSession.rawValue ? call.query(name) : call.field(name)
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
        var hint: (subject: String?, client: Client?) = (nil, nil)
        if let token = parameter("id_token_hint") { hint = try read(hint: token, settings) }
        let client = try parameter("client_id").map { try known($0, hint.client, settings) } ?? hint.client
        let cause = "\(hint.subject ?? parameter("logout_hint") ?? "somebody") signed out"
        guard let uri = parameter("post_logout_redirect_uri") else {
            var headers = Self.noStore
            headers[.contentSecurityPolicy] = SignInPage.policy
            return .answer("signed-out", body: .text(SignInPage.signedOut), headers: headers, cause: cause)
        }
        guard let client else {
            throw Refusal(
                "invalid-redirect-uri",
                "neither id_token_hint nor client_id says which client the post_logout_redirect_uri belongs to (RP-Initiated Logout §3)"
            )
        }
        guard client.postLogoutRedirectURIs.contains(where: { RedirectURI.matches(uri, $0, settings.redirectMatch) }) else {
            let difference = RedirectURI.difference(sent: uri, from: client.postLogoutRedirectURIs, "registered")
            throw Refusal("invalid-redirect-uri", "post_logout_\(difference)")
        }
        var headers = Self.noStore
        let state = parameter("state").map { (uri.contains("?") ? "&" : "?") + PercentCoding.form([("state", $0)]) }
        headers[.location] = uri + (state ?? "")
        return .answer("signed-out-redirected", headers: headers, cause: cause)
    }

    private func known(_ id: String, _ hinted: Client?, _ settings: Settings) throws(Refusal) -> Client {
        guard let client = settings.client(id) else {
            throw Refusal("unknown-client", "no client has the id \(id.quoted); \(settings.clientWords)")
        }
        if let hinted, !hinted.id.isSame(as: client.id) {
            throw Refusal("invalid-request", "client_id is '\(client.id)', and the id_token_hint was issued to '\(hinted.id)'")
        }
        return client
    }

    /// Whom an ID token is about and for. An expired one is as good here (RP-Initiated Logout §2); an encrypted one cannot be read.
    private func read(hint: String, _ settings: Settings) throws(Refusal) -> (subject: String?, client: Client?) {
        if hint.count(where: { $0 == "." }) == 4 { return (nil, nil) }
        let token: JWS
        do throws(TokenError) { token = try JWS(parsing: hint) } catch {
            throw Refusal("invalid-request", "id_token_hint: \(error.reason)")
        }
        guard publishedKeys(settings).contains(where: token.verify) else {
            throw Refusal("invalid-request", "id_token_hint: no key of this provider has signed it")
        }
        return (token.payload["sub"]?.string, token.payload["aud"]?.string.flatMap(settings.client))
    }
}
