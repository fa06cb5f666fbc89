import SparringVendorKit

/// The token endpoint (RFC 6749 §3.2; Talkdesk reference 3.4).
extension Talkdesk {
    /// The access that a grant opens.
    struct Grant: Sendable {
        var client: Talkdesk.Client
        /// The person or client that the token is for.
        var subject: String
        /// The lane that calls with the token are in.
        var owner: String
        var scope: String
        /// The scope of a refresh token that is renewed: the new one gets the same (RFC 6749 §6).
        var refreshScope: String?
        var nonce: String?
        /// Only codes and refresh tokens yield a refresh token.
        var isRenewable = false
        var words: String
    }

    func issueToken(_ db: Database, _ call: Call) throws -> Decision {
        let settings = call.settings(of: self)
        let client = try ClientProof(call: call, settings: settings, audiences: audiences(call)).client(db)
        let word = call.field("grant_type") ?? ""
        guard let type = Talkdesk.Client.GrantType(rawValue: word) else {
            throw Refusal("unsupported-grant-type", "grant_type \(word.quoted) is not supported")
        }
        guard client.grantTypes.contains(type) else {
            throw Refusal("unauthorized-client", "client '\(client.id)' may not use the grant \(word)")
        }
        let grant =
            switch type {
            case .clientCredentials: try ownGrant(of: client, call)
            case .authorizationCode: try redeem(call.field("code") ?? "", client, call, db)
            case .refreshToken: try renew(call.field("refresh_token") ?? "", client, call, db)
            }
        return .answer(try issue(grant, call, db))
    }

    /// The URLs that the token endpoint goes by: this server's, and the vendor's own for clients whose name service was turned to this server.
    private func audiences(_ call: Call) -> [String] {
        let (path, account) = (path(.issueToken), call.tenant.id)
        let own = [call.base, call.addresses.baseURL, call.addresses.tlsBaseURL].compactMap { $0.map { $0 + path } }
        return own + [".com", ".eu", "ca.com", ".au"].map { "https://\(account).talkdeskid\($0)\(path)" }
    }

    // MARK: Grants

    private func ownGrant(of client: Talkdesk.Client, _ call: Call) throws -> Grant {
        let asked = call.sent("scope")
        try TalkdeskScope.check(asked, among: client.scopes, "the client")
        // The user's behalf on which a backend asks (Authorization) is no part of OAuth: Sparring's own has it in its lane.
        let isNamed = call.lane != call.operation.qualifiedName && !call.lane.hasPrefix(name + ".")
        return Grant(
            client: client, subject: isNamed ? call.lane : client.id, owner: call.lane,
            scope: asked ?? client.scopes.joined(separator: " "), words: "client '\(client.id)'")
    }

    private func redeem(_ text: String, _ client: Talkdesk.Client, _ call: Call, _ db: Database) throws -> Grant {
        guard let code = try TalkdeskGrantState.Code.find(text, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("code-unknown", "Talkdesk ID issued no such code")
        }
        if let spent = code.spent {
            throw Refusal("code-reused", "the code was redeemed by entry \(spent.by), \((call.now - spent.at).words) ago")
        }
        if call.now >= code.expiresAt {
            throw Refusal("code-expired", "the code expired \((call.now - code.expiresAt).words) ago")
        }
        guard code.client.isSame(as: client.id) else {
            throw Refusal("code-of-another-client", "the code was issued to client '\(code.client)'")
        }
        let sent = call.field("redirect_uri") ?? ""
        guard sent.isSame(as: code.redirectURI) else {
            throw Refusal(
                "redirect-uri-mismatch", RedirectURI.difference(sent: sent, from: [code.redirectURI], "what the code is bound to"))
        }
        try code.spend(call.sandbox.id, at: call.now, by: call.entry, db)
        return Grant(
            client: client, subject: code.subject, owner: code.subject, scope: code.scope, nonce: code.nonce, isRenewable: true,
            words: "code of \(code.subject)")
    }

    private func renew(_ text: String, _ client: Talkdesk.Client, _ call: Call, _ db: Database) throws -> Grant {
        guard let token = try TalkdeskGrantState.RefreshToken.find(text, of: call.tenant.id, call.sandbox.id, db) else {
            let isAccess = try TalkdeskTokenState.token(text, of: call.tenant.id, call.sandbox.id, db) != nil
            throw Refusal("refresh-token-unknown", isAccess ? "that is an access token" : "Talkdesk ID issued no such refresh token")
        }
        if token.isRevoked { throw Refusal("refresh-token-revoked", "\(token.subject) was signed out") }
        if let spent = token.spent {
            throw Refusal("refresh-token-reused", "the refresh token was used by entry \(spent.by), \((call.now - spent.at).words) ago")
        }
        if call.now >= token.expiresAt {
            throw Refusal("refresh-token-expired", "the refresh token expired \((call.now - token.expiresAt).words) ago")
        }
        guard token.client.isSame(as: client.id) else {
            throw Refusal("refresh-token-of-another-client", "the refresh token was issued to client '\(token.client)'")
        }
        let granted = token.scope.split(separator: " ").map(String.init)
        try TalkdeskScope.check(call.sent("scope"), among: granted, "the grant")
        try token.spend(call.sandbox.id, at: call.now, by: call.entry, db)
        return Grant(
            client: client, subject: token.subject, owner: token.subject, scope: call.sent("scope") ?? token.scope,
            refreshScope: token.scope, isRenewable: true,
            words: "refresh token of \(token.subject)")
    }

    // MARK: The answer

    private func issue(_ grant: Grant, _ call: Call, _ db: Database) throws -> Answer {
        let settings = call.settings(of: self)
        let (account, sandbox) = (call.tenant.id, call.sandbox.id)
        let lifetime = call.effect("mint")?["lifetime"].flatMap { Duration(text: $0) } ?? settings.tokenLifetime
        let token = TalkdeskTokenState.Token(
            token: try accessToken(grant, lifetime, call), account: account, client: grant.client.id, subject: grant.subject,
            lane: grant.owner, scope: grant.scope, issuedAt: call.now, expiresAt: call.now + lifetime)
        try token.insert(sandbox, db)
        try call.sandbox.issued(token.token, to: grant.owner, db)
        var body: JSON = [
            "access_token": .string(token.token), "token_type": "Bearer", "expires_in": .integer(lifetime.milliseconds / 1000),
            "scope": .string(grant.scope),
        ]
        if grant.isRenewable {
            let refresh = TalkdeskGrantState.RefreshToken(
                token: String(call.secret("refresh token").hex.prefix(43)), account: account, client: grant.client.id,
                subject: grant.subject, scope: grant.refreshScope ?? grant.scope, expiresAt: call.now + settings.refreshTokenLifetime)
            try refresh.insert(sandbox, db)
            try call.sandbox.issued(refresh.token, to: grant.owner, db)
            body["refresh_token"] = .string(refresh.token)
            if TalkdeskScope.has(grant.scope, Talkdesk.Client.openid) { body["id_token"] = .string(try idToken(grant, lifetime, call)) }
        }
        return Answer("token-issued", body, cause: "\(grant.words): \(grant.scope), for \(lifetime.words)")
    }

    private func accessToken(_ grant: Grant, _ lifetime: Duration, _ call: Call) throws -> String {
        let id = call.secret("access token")
        let form = call.settings(of: self).tokenForm
        if form == .opaque { return id.hex }
        var claims: JSON = [
            "iss": .string(call.base), "sub": .string(grant.subject), "client_id": .string(grant.client.id),
            "account": .string(call.tenant.id), "scope": .string(grant.scope), "jti": .string(id.uuid),
        ]
        if form == .jwt {
            claims["iat"] = .integer(call.now.seconds)
            claims["exp"] = .integer((call.now + lifetime).seconds)
        }
        return try signed(claims)
    }

    /// OpenID Connect Core §2.
    private func idToken(_ grant: Grant, _ lifetime: Duration, _ call: Call) throws -> String {
        try signed(
            .members([
                "iss": .string(call.base), "sub": .string(grant.subject), "aud": .string(grant.client.id),
                "nonce": grant.nonce.map { .string($0) }, "iat": .integer(call.now.seconds),
                "exp": .integer((call.now + lifetime).seconds),
            ]))
    }

    private func signed(_ claims: JSON) throws -> String {
        let key = try keys.vendorAccess()
        return JWS.sign(exactly: ["kid": .string(key.kid), "alg": .string(key.algorithm.rawValue)], payload: claims, with: key)
    }
}

extension Call {
    /// A field of the form; one without a value counts as left out (RFC 6749 §3.2).
    func sent(_ name: String) -> String? { field(name).flatMap { $0.isEmpty ? nil : $0 } }
}
