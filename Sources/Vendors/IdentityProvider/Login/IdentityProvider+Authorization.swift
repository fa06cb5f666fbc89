import SparringVendorKit

/// Handlers of the tag "Authorization".
extension IdentityProvider {
    struct PreparedAuthorization: Sendable {
        var request: AuthorizationRequest
        /// Parameters of an implicit grant's answer.
        var tokens: [(String, String)] = []
    }

    func prepareAuthorization(_ call: Call) async throws -> PreparedAuthorization {
        let settings = call.settings(of: self)
        let isForm = isForm(call)
        var parameters: [String: String] = [:]
        if isForm {
            for (name, value) in call.body?.object ?? [:] { parameters[name] = value.string }
        } else {
            for (name, value) in call.request.query { parameters[name] = parameters[name] ?? value }
        }
        var prepared = PreparedAuthorization(request: AuthorizationRequest(parameters, isForm: isForm, settings))
        if case .granted(let subject) = prepared.request.verdict, !prepared.request.asksForCode {
            prepared.tokens = try implicitTokens(call, prepared.request, settings, subject)
        }
        return prepared
    }

    func authorize(_ db: Database, _ call: Call, _ prepared: PreparedAuthorization) throws -> Decision {
        let settings = call.settings(of: self)
        let request = prepared.request
        switch request.verdict {
        case .refused(let refusal): throw refusal
        case .error(let name, let reason):
            return .answer(failed(request, name, reason, call))
        case .page:
            let page = SignInPage.html(action: path(.signIn, settings), client: request.client?.id ?? "", parameters: request.parameters)
            let cause =
                isForm(call) ? "nobody was named on the page" : request.demandsPage ? "prompt=login" : "nobody was named by login_hint"
            var headers = Self.noStore
            headers[.contentSecurityPolicy] = SignInPage.policy
            return .answer("sign-in-page", body: .text(page), headers: headers, cause: cause)
        case .granted(let subject):
            let how = isForm(call) ? "on the page" : "by login_hint"
            try prove(request, is: subject, call, db)
            if !request.asksForCode {
                for (name, value) in prepared.tokens where name == "id_token" || name == "access_token" {
                    try call.sandbox.issued(value, to: subject, db)
                    guard name == "access_token" else { continue }
                    try BrandAccessToken(
                        token: value, subject: subject, client: request.client?.id, scope: request.scope,
                        issuer: issuer(settings, base: call.base), issuedAt: call.now, expiresAt: call.now + settings.tokenLifetime
                    ).insert(call.sandbox.id, db)
                }
                return .answer(response(request, prepared.tokens, call, cause: "\(subject) signed in \(how)\(TokenWishes.note(call))"))
            }
            let code = try insertCode(db, call, request, settings, subject)
            return .answer(response(request, [("code", code)], call, cause: "\(subject) signed in \(how)"))
        }
    }

    /// The answer that reports an error to the client (RFC 6749 §4.1.2.1).
    private func failed(_ request: AuthorizationRequest, _ name: String, _ reason: String, _ call: Call) -> Answer {
        let isChallenge = reason == AuthorizationRequest.challengeRequired
        let demand =
            request.client.flatMap { $0.isPublic ? "'\($0.id)' is a public client, which must use PKCE (RFC 8252 §8.1)" : nil }
            ?? "the brand requires PKCE"
        var answer = response(
            request, [("error", name), ("error_description", Self.errorDescription(reason))], call,
            cause: "\(name): \(reason)" + (isChallenge ? ": \(demand)" : ""))
        if isChallenge { answer.findings = [Finding("code-challenge-missing", at: "query:code_challenge", demand)] }
        return answer
    }

    /// Links the login hint and the user name, such as a mail address, to the person who signs in.
    private func prove(_ request: AuthorizationRequest, is subject: String, _ call: Call, _ db: Database) throws {
        for name in [request.parameters["login_hint"], call.field("username")] {
            if let name, !name.isEmpty { try call.proves(name, is: subject, db) }
        }
    }

    /// Whether the sign-in page sent it.
    private func isForm(_ call: Call) -> Bool { call.operation.id == Operation.signIn.rawValue }

    private func insertCode(
        _ db: Database, _ call: Call, _ request: AuthorizationRequest, _ settings: Settings, _ subject: String
    ) throws -> String {
        let code = String(call.secret("code").hex.prefix(43))
        let challenge = request.parameters["code_challenge"]
        try IdentityProviderState.Code(
            code: code, client: request.client?.id ?? settings.clientId, redirectURI: request.redirectURI, subject: subject,
            issuer: issuer(settings, base: call.base),
            scope: request.scope, nonce: request.parameters["nonce"], challenge: challenge,
            challengeMethod: challenge == nil ? nil : request.parameters["code_challenge_method"] ?? PKCE.Method.plain.rawValue,
            wishes: request.asksForTime ? TokenWishes(authenticatedAt: call.now).stored.text : nil,
            issuedAt: call.now, expiresAt: call.now + settings.codeLifetime
        ).insert(call.sandbox.id, db)
        try call.sandbox.issued(code, to: subject, db)
        return code
    }

    /// RFC 6749 §4.2.2, OpenID Connect Core §3.2.2.5.
    private func implicitTokens(
        _ call: Call, _ request: AuthorizationRequest, _ settings: Settings, _ subject: String
    ) throws -> [(String, String)] {
        var parameters: [(String, String)] = []
        var accessToken: String?
        if request.responseTypes.contains("token") {
            let token = String(call.secret("access_token").hex.prefix(43))
            parameters = [
                ("access_token", token), ("token_type", "Bearer"), ("expires_in", String(settings.tokenLifetime.milliseconds / 1000)),
            ]
            accessToken = token
        }
        if request.responseTypes.contains("id_token") {
            let token = try idToken(
                settings, subject: subject, issuer: issuer(settings, base: call.base), audience: request.client?.id ?? settings.clientId,
                nonce: request.parameters["nonce"], accessToken: accessToken, now: call.now, id: call.draw("jti"),
                wishes: (request.asksForTime ? TokenWishes(authenticatedAt: call.now) : TokenWishes()).struck(call))
            parameters.append(("id_token", token.compact))
        }
        return parameters
    }

    /// The authorization response, by the mode that the client asked for.
    private func response(_ request: AuthorizationRequest, _ parameters: [(String, String)], _ call: Call, cause: String) -> Answer {
        var parameters = parameters
        if let state = request.state { parameters.append(("state", state)) }
        parameters.append(("iss", issuer(call.settings(of: self), base: call.base)))  // RFC 9207
        let uri = request.redirectURI
        var headers = Self.noStore
        switch request.responseMode {
        case .query: headers[.location] = uri + (uri.contains("?") ? "&" : "?") + PercentCoding.form(parameters)
        case .fragment: headers[.location] = uri + "#" + PercentCoding.form(parameters)
        case .formPost:
            headers[.contentSecurityPolicy] = FormPostPage.policy
            let page = FormPostPage.html(action: uri, fields: parameters)
            return Answer("form-posted", body: .text(page), headers: headers, cause: cause)
        }
        return Answer("redirected", headers: headers, cause: cause)
    }

    /// Tokens and what leads to them must not be kept by caches (RFC 6749 §5.1).
    static let noStore: HTTPFields = [.cacheControl: "no-store", .pragma: "no-cache"]

    /// An ID token (OpenID Connect Core §2) in the tenant's form.
    ///
    /// - Parameter accessToken: the one that the client gets with it, if any: `at_hash` is required in the implicit flow (§3.2.2.10), and allowed
    ///   in the answer of the token endpoint (§3.1.3.6).
    func idToken(
        _ settings: Settings, subject: String, issuer: String, audience: String?, nonce: String?, accessToken: String? = nil,
        now: Timestamp, id: Draw, wishes: TokenWishes = TokenWishes()
    ) throws(TokenError) -> TokenMint.Token {
        // Without it two that are signed within a second are the same one, and a fresh credential looks like the one that was refused (RFC 7519 §4.1.7).
        var claims: JSON.Object = ["jti": .string(id.uuid)]
        for (name, value) in settings.subjects[subject]?.object ?? [:] { claims[name] = value }
        if let nonce { claims["nonce"] = .string(nonce) }
        if let accessToken { claims["at_hash"] = .string(settings.algorithm.halfHash(of: accessToken)) }
        for (name, value) in wishes.claims { claims[name] = value }
        return try mint(settings, encrypted: settings.idToken == .jwe).mint(
            TokenClaims(
                issuer: issuer, subject: subject, audience: audience, issuedAt: now.seconds,
                lifetime: settings.tokenLifetime.milliseconds / 1000, extra: claims), defect: wishes.defect,
            missingClaim: wishes.missingClaim)
    }
}

extension HTTPField.Name {
    static let pragma = HTTPField.Name("Pragma")!
}
