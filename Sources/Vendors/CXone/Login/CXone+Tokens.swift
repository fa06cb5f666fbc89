import SparringVendorKit

/// Handlers of the tag "Tokens" (CXone reference 3.6): secured sessions, in which the customer is signed in before the socket is opened.
extension CXone {
    enum PreparedToken: Sendable {
        case admission(Admission)
        case renewal(Renewal)
        /// A secured cookie, whose owner the deciding half finds.
        case cookie
    }

    func prepareToken(_ call: Call) async throws -> PreparedToken {
        guard let channel = call.settings(of: self).channel(call.query("channelId") ?? "") else { throw unknownChannel(call) }
        try requireSupportedSDK(call)
        guard channel.securedSessions else {
            throw Refusal("secured-sessions-disabled", "channel '\(channel.id)' has no secured sessions")
        }
        switch channel.authorization {
        case .anonymous:
            guard let admission = admit(anonymous: call.body?["customerIdentity"]) else {
                let signsIn = call.body?["thirdParty"] == nil ? "" : "channel '\(channel.id)' signs nobody in, and takes no code; "
                throw Refusal("identity-missing", signsIn + "an anonymous customer gives an idOnExternalPlatform")
            }
            return .admission(admission)
        case .securedCookie: return .cookie
        case .oauth: return try await prepareThirdParty(call)
        }
    }

    private func prepareThirdParty(_ call: Call) async throws -> PreparedToken {
        let thirdParty = call.body?["thirdParty"]
        if thirdParty?["grant_type"] == "refresh_token" {
            let (token, sandbox) = (thirdParty?["refresh_token"]?.string ?? "", call.sandbox.id)
            guard let signIn = try await call.read({ try TokenState.signIn(refreshToken: token, sandbox, $0) }),
                signIn.brand == call.tenant.id
            else { throw Refusal("refresh-token-unknown", "the refresh token is not the newest one of any sign-in") }
            return .renewal(try await renew(signIn, call))
        }
        guard let code = thirdParty?["authorization_code"]?.string, !code.isEmpty else {
            throw Refusal("code-missing", "the channel signs customers in, and no authorization_code came")
        }
        let verifier = thirdParty?["code_verifier"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        return .admission(try await admit(code: code, verifier: verifier, visitor: call.query("visitorId") ?? "", call))
    }

    func issueToken(_ db: Database, _ call: Call, _ prepared: PreparedToken) throws -> Decision {
        guard let channel = call.settings(of: self).channel(call.query("channelId") ?? "") else { throw unknownChannel(call) }
        let visitor = call.query("visitorId") ?? ""
        switch prepared {
        case .admission(let admission):
            let signIn = try keep(admission, visitor: visitor, channel: channel, call, db)
            return .answer(try issue(to: admission.customer, signIn, visitor, channel, "\(admission.customer): \(admission.how)", call, db))
        case .renewal(let renewal):
            let lifetime = try keep(renewal, channel: channel, call, db)
            let (customer, signIn) = (renewal.signIn.customer, renewal.signIn.id)
            var answer = try issue(to: customer, signIn, visitor, channel, "\(customer): refresh", call, db)
            answer.name = "token-refreshed"
            guard case .json(var body) = answer.body else { return .answer(answer) }
            // iOS reads the flat form, Android and the Web SDK the other (CXone reference C12).
            body["access_token"] = .string(renewal.tokens.accessToken)
            // A provider that does not rotate its refresh tokens sends none (RFC 6749 §6): the one of before goes on.
            body["refresh_token"] = body["thirdParty"]?["refresh_token"]
            body["expires_in"] = .integer(lifetime)
            answer.body = .json(body)
            return .answer(answer)
        case .cookie: return .answer(try issueByCookie(visitor, channel, call, db))
        }
    }

    // MARK: The cookie

    private static let cookie = "cxone_identity"

    /// A client that brings the cookie, or the identity token in its place, is the customer who got it; any other client is a new customer.
    private func issueByCookie(_ visitor: String, _ channel: Channel, _ call: Call, _ db: Database) throws -> Answer {
        let words = call.header(.authorization)?.split(separator: " ").map(String.init) ?? []
        let bearer = words.count == 2 && words[0].lowercased() == "bearer" ? words[1] : nil
        let cookies = (call.header(.cookie) ?? "").split(separator: ";").map { String($0.trimmingPrefix { $0 == " " }) }
        let cookie = cookies.first { $0.hasPrefix(Self.cookie + "=") }?.dropFirst(Self.cookie.count + 1)
        let brought = [bearer, cookie.map(String.init)].compactMap(\.self)
        var known: TokenState.Token?
        for token in brought where known == nil {
            known = try TokenState.token(token, .identity, of: call.tenant.id, call.sandbox.id, db)
        }
        let customer = known?.customer ?? call.draw("customer").uuid
        let token = known?.token ?? call.secret("identity token").hex
        _ = try keep(
            Admission(customer: customer, firstName: "", lastName: "", how: "secured cookie"), visitor: visitor, channel: channel, call, db)
        try TokenState.Token(
            token: token, kind: .identity, brand: call.tenant.id, channel: channel.id, visitor: visitor, customer: customer,
            expires: .latest
        ).insert(call.sandbox.id, db)
        let cause = "\(customer): \(known == nil ? "a new secured cookie" : "the secured cookie of before")"
        var answer = try issue(to: customer, nil, visitor, channel, cause, call, db)
        // Clients without TLS do not send back what is Secure, and apps keep what has an age (RFC 6265 §4.1.2).
        let isSecure = call.base.hasPrefix("https:")
        answer.headers[.setCookie] =
            "\(Self.cookie)=\(token); Path=/; Max-Age=31536000; HttpOnly\(isSecure ? "; Secure; SameSite=None" : "")"
        guard case .json(var body) = answer.body else { return answer }
        body["identityToken"] = .string(token)
        answer.body = .json(body)
        return answer
    }

    // MARK: The answer

    private func issue(
        to customer: String, _ signIn: String?, _ visitor: String, _ channel: Channel, _ cause: String, _ call: Call, _ db: Database
    ) throws -> Answer {
        let (brand, sandbox) = (call.tenant.id, call.sandbox.id)
        let lifetime = call.settings(of: self).transactionTokenLifetime
        let token = String(call.secret("transaction token").hex.prefix(48))
        try TokenState.Token(
            token: token, kind: .transaction, brand: brand, channel: channel.id, visitor: visitor, customer: customer,
            expires: call.now + lifetime, signIn: signIn
        ).insert(sandbox, db)
        try call.sandbox.issued(token, to: signIn == nil ? call.lane : customer, db)
        let known = try CustomerState.customer(customer, of: brand, sandbox, db)
        var body: JSON = [
            "accessToken": .string(token), "expiresIn": .integer(lifetime.milliseconds / 1000),
            "customerIdentity": known?.identity ?? ["idOnExternalPlatform": .string(customer)],
        ]
        if let signIn, let own = try TokenState.signIn(signIn, sandbox, db),
            let access = try TokenState.token(own.accessToken, .access, of: brand, sandbox, db)
        {
            body["thirdParty"] = .members([
                "access_token": .string(own.accessToken), "refresh_token": own.refreshToken.map { .string($0) },
                "expires_in": .integer((access.expires - call.now).milliseconds / 1000),
            ])
        }
        body["contact"] = ["customFields": []]
        return Answer("token-issued", body, cause: cause)
    }
}
