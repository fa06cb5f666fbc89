import SparringVendorKit

/// Handlers of the tag "Token" (RFC 6749 §3.2).
extension IdentityProvider {
    /// The parts of the answer that are made before deciding: signatures take too long for the writer.
    struct PreparedTokens: Sendable {
        var client: Client
        /// Drawn before the ID token, which has a hash of it.
        var accessToken = ""
        /// Whether the code or refresh token exists.
        var isKnown = false
        /// Nil where the scope has no `openid`, or nobody has signed in.
        var idToken: TokenMint.Token?
    }

    func prepareTokens(_ call: Call) async throws -> PreparedTokens {
        let settings = call.settings(of: self)
        let client = try ClientAuthentication.client(call, settings)
        let access = String(call.secret("access_token").hex.prefix(43))
        switch call.parameter("grant_type") {
        case "authorization_code":
            guard let text = call.parameter("code") else { throw Refusal("invalid-request", "code is missing") }
            guard let code = try await call.read({ try IdentityProviderState.Code.find(text, call.sandbox.id, $0) }) else {
                return PreparedTokens(client: client)
            }
            return PreparedTokens(
                client: client, accessToken: access, isKnown: true,
                idToken: try Self.isOpenID(code.scope) ? idToken(for: code, with: access, settings, call) : nil)
        case "refresh_token":
            guard let text = call.parameter("refresh_token") else {
                throw Refusal("invalid-request", "refresh_token is missing")
            }
            guard let token = try await call.read({ try IdentityProviderState.RefreshToken.find(text, call.sandbox.id, $0) }) else {
                return PreparedTokens(client: client)
            }
            var prepared = PreparedTokens(client: client, accessToken: access, isKnown: true)
            if Self.isOpenID(call.parameter("scope") ?? token.scope) {
                prepared.idToken = try idToken(
                    settings, subject: token.subject, issuer: token.issuer, audience: token.client, nonce: nil, accessToken: access,
                    now: call.now, id: call.draw("jti"), wishes: TokenWishes().struck(call))
            }
            return prepared
        case Self.clientCredentials:
            guard !client.isPublic else {
                throw Refusal(
                    "unauthorized-client",
                    "'\(client.id)' is a public client: client_credentials is for clients with a secret (RFC 6749 §4.4)")
            }
            return PreparedTokens(client: client, accessToken: access)
        case nil: throw Refusal("invalid-request", "grant_type is missing")
        case let other?:
            throw Refusal(
                "unsupported-grant-type", "grant_type \(other.quoted) is not authorization_code, refresh_token or client_credentials")
        }
    }

    func redeem(_ db: Database, _ call: Call, _ prepared: PreparedTokens) throws -> Decision {
        let client = prepared.client
        switch call.parameter("grant_type") {
        case "refresh_token": return try redeemRefreshToken(db, call, client, prepared)
        case Self.clientCredentials: return .answer(try issueToClient(db, call, client, prepared))
        default: return try redeemCode(db, call, client, prepared)
        }
    }

    static let clientCredentials = "client_credentials"

    /// Whether a request with this scope is an OpenID Connect request. ID tokens are not defined for others (OpenID Connect Core §3.1.2.1).
    private static func isOpenID(_ scope: String) -> Bool { scope.split(separator: " ").contains("openid") }

    /// RFC 6749 §4.4: neither a refresh token nor, as nobody has signed in, an ID token.
    private func issueToClient(_ db: Database, _ call: Call, _ client: Client, _ prepared: PreparedTokens) throws -> Answer {
        let settings = call.settings(of: self)
        let access = prepared.accessToken
        let scope = call.parameter("scope")
        try BrandAccessToken(
            token: access, subject: client.id, client: client.id, scope: scope ?? "", issuer: issuer(settings, base: call.base),
            issuedAt: call.now, expiresAt: call.now + settings.tokenLifetime, isOfClient: true
        ).insert(call.sandbox.id, db)
        try call.sandbox.issued(access, to: client.id, db)
        let body = JSON.members([
            "access_token": .string(access), "token_type": "Bearer",
            "expires_in": .integer(settings.tokenLifetime.milliseconds / 1000), "scope": scope.map { .string($0) },
        ])
        return Answer("token-issued", body, headers: Self.noStore, cause: "a token for client '\(client.id)' itself")
    }

    /// RFC 6749 §4.1.3.
    private func redeemCode(_ db: Database, _ call: Call, _ client: Client, _ prepared: PreparedTokens) throws -> Decision {
        let settings = call.settings(of: self)
        guard prepared.isKnown, let code = try IdentityProviderState.Code.find(call.parameter("code") ?? "", call.sandbox.id, db) else {
            throw Refusal("code-unknown", "code is not one that this provider issued")
        }
        if let spentAt = code.spentAt {
            throw Refusal("code-reused", "code was redeemed by entry \(code.spentBy ?? 0), \((call.now - spentAt).words) ago")
        }
        if call.now >= code.expiresAt {
            let lived = (code.expiresAt - code.issuedAt).words
            throw Refusal("code-expired", "code expired \((call.now - code.expiresAt).words) ago (it lived \(lived))")
        }
        if !code.client.isSame(as: client.id) {
            throw Refusal("code-of-another-client", "code was issued to client '\(code.client)', redeemed by '\(client.id)'")
        }
        try checkRedirect(call, code, settings)
        try checkVerifier(call, code, client)
        guard try code.spend(call.sandbox.id, at: call.now, by: call.entry, db) else {
            throw Refusal("code-reused", "code was redeemed at the same time")
        }
        return .answer(
            try issue(
                db, call, settings, client, prepared, subject: code.subject, issuer: code.issuer, granted: code.scope,
                scope: code.scope,
                cause: "code of \(code.subject) redeemed\(TokenWishes.note(call))"))
    }

    private func checkRedirect(_ call: Call, _ code: IdentityProviderState.Code, _ settings: Settings) throws {
        guard let sent = call.parameter("redirect_uri") else {
            throw Refusal("redirect-uri-mismatch", "redirect_uri is missing, the code is bound to '\(code.redirectURI)'")
        }
        if RedirectURI.matches(sent, code.redirectURI, settings.redirectMatch) { return }
        throw Refusal("redirect-uri-mismatch", RedirectURI.difference(sent: sent, from: [code.redirectURI], "what the code is bound to"))
    }

    /// RFC 7636 §4.6.
    private func checkVerifier(_ call: Call, _ code: IdentityProviderState.Code, _ client: Client) throws {
        let verifier = call.parameter("code_verifier")
        guard let challenge = code.challenge else {
            if client.isPublic {
                throw Refusal(
                    "code-verifier-missing",
                    "code was issued without code_challenge, and '\(client.id)' is a public client, which must use PKCE (RFC 9700 §2.1.1)")
            }
            if verifier == nil { return }
            throw Refusal("code-verifier-mismatch", "a code_verifier came, the code was issued without code_challenge")
        }
        guard let verifier else { throw Refusal("code-verifier-missing", "code was issued with a code_challenge, no code_verifier came") }
        let method = PKCE.Method(rawValue: code.challengeMethod ?? "") ?? .plain
        guard PKCE.isVerifier(verifier) else {
            throw Refusal("code-verifier-mismatch", "code_verifier is not 43 to 128 of the unreserved characters (RFC 7636 §4.1)")
        }
        if PKCE.fits(verifier, challenge, method: method) { return }
        throw Refusal("code-verifier-mismatch", "code_verifier does not match the \(method.rawValue) code_challenge")
    }

    /// RFC 6749 §6.
    private func redeemRefreshToken(
        _ db: Database, _ call: Call, _ client: Client, _ prepared: PreparedTokens
    ) throws -> Decision {
        let settings = call.settings(of: self)
        guard let token = try IdentityProviderState.RefreshToken.find(call.parameter("refresh_token") ?? "", call.sandbox.id, db),
            token.client.isSame(as: client.id), prepared.isKnown
        else {
            throw Refusal("refresh-token-unknown", "refresh_token is not one that this provider issued to '\(client.id)'")
        }
        if let spentAt = token.spentAt {
            try token.revokeFamily(call.sandbox.id, by: call.entry, .reuse, db)
            throw Refusal(
                "refresh-token-reused",
                "refresh_token was used by entry \(token.spentBy ?? 0), \((call.now - spentAt).words) ago, and replaced; what replaced it is revoked (RFC 9700 §4.14.2)"
            )
        }
        if let entry = token.revokedBy, token.revocation == .request {
            throw Refusal("refresh-token-revoked", "refresh_token was revoked by entry \(entry) (RFC 7009)")
        }
        if let entry = token.revokedBy {
            throw Refusal(
                "refresh-token-reused", "refresh_token was revoked when entry \(entry) used an earlier one again (RFC 9700 §4.14.2)")
        }
        if call.now >= token.expiresAt {
            throw Refusal("refresh-token-expired", "refresh_token expired \((call.now - token.expiresAt).words) ago")
        }
        let granted = token.scope.split(separator: " ")
        if let wanted = call.parameter("scope"), let extra = wanted.split(separator: " ").first(where: { !granted.containsSame(as: $0) }) {
            throw Refusal("invalid-scope", "scope \(extra.quoted) was not granted; '\(token.scope)' was")
        }
        let scope = call.parameter("scope") ?? token.scope
        guard try token.spend(call.sandbox.id, at: call.now, by: call.entry, db) else {
            throw Refusal("refresh-token-reused", "refresh_token was used at the same time")
        }
        return .answer(
            try issue(
                db, call, settings, client, prepared, subject: token.subject, issuer: token.issuer,
                granted: token.scope, scope: scope,
                family: token.family, cause: "refresh token of \(token.subject) used and replaced\(TokenWishes.note(call))"))
    }

    /// RFC 6749 §5.1.
    ///
    /// - Parameters:
    ///   - granted: what the refresh token stands for, which never shrinks (RFC 6749 §6).
    ///   - scope: what was asked for this time.
    private func issue(
        _ db: Database, _ call: Call, _ settings: Settings, _ client: Client, _ prepared: PreparedTokens,
        subject: String, issuer: String, granted: String, scope: String, family: String? = nil, cause: String
    ) throws -> Answer {
        let refresh = String(call.secret("refresh_token").hex.prefix(43))
        try IdentityProviderState.RefreshToken(
            token: refresh, client: client.id, subject: subject, issuer: issuer, scope: granted, issuedAt: call.now,
            expiresAt: call.now + settings.refreshTokenLifetime, family: family
        ).insert(call.sandbox.id, db)
        let access = prepared.accessToken
        try BrandAccessToken(
            token: access, subject: subject, client: client.id, scope: scope, issuer: issuer, family: family ?? refresh,
            issuedAt: call.now, expiresAt: call.now + settings.tokenLifetime
        ).insert(call.sandbox.id, db)
        for token in [access, refresh] { try call.sandbox.issued(token, to: subject, db) }
        let idToken = prepared.idToken?.compact
        if let idToken { try call.sandbox.issued(idToken, to: subject, db) }
        let body: JSON = .members([
            "access_token": .string(access), "token_type": "Bearer",
            "expires_in": .integer(settings.tokenLifetime.milliseconds / 1000), "id_token": idToken.map { .string($0) },
            "refresh_token": .string(refresh), "scope": .string(scope),
        ])
        let remark = idToken == nil ? "; no ID token: the scope '\(scope)' has no openid" : ""
        return Answer("token-issued", body, headers: Self.noStore, cause: cause + remark)
    }

    private func idToken(
        for code: IdentityProviderState.Code, with access: String, _ settings: Settings, _ call: Call
    ) throws -> TokenMint.Token {
        let wishes = try code.wishes.map { TokenWishes(stored: try JSON(parsing: $0)) } ?? TokenWishes()
        return try idToken(
            settings, subject: code.subject, issuer: code.issuer, audience: code.client, nonce: code.nonce, accessToken: access,
            now: call.now, id: call.draw("jti"), wishes: wishes.struck(call))
    }
}

extension Call {
    /// A field of the form. One without a value counts as omitted (RFC 6749 §3.2).
    func parameter(_ name: String) -> String? { field(name).flatMap { $0.isEmpty ? nil : $0 } }
}
