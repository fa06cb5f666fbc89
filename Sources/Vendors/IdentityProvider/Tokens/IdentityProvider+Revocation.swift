import SparringVendorKit

/// Further handlers of the tag "Token": revocation (RFC 7009) and introspection (RFC 7662).
extension IdentityProvider {
    private typealias RefreshToken = IdentityProviderState.RefreshToken

    func revoke(_ db: Database, _ call: Call) throws -> Decision {
        let client = try ClientAuthentication.client(call, call.settings(of: self))
        guard let text = call.parameter("token") else { throw Refusal("invalid-request", "token is missing (RFC 7009 §2.1)") }
        func foreign(_ owner: String) -> Decision {
            .refusal(Refusal("token-of-another-client", "the token was issued to client '\(owner)', and '\(client.id)' wants to revoke it"))
        }
        func revoked(_ cause: String) -> Decision { .answer("token-revoked", headers: Self.noStore, cause: cause) }
        if let token = try RefreshToken.find(text, call.sandbox.id, db) {
            guard token.client.isSame(as: client.id) else { return foreign(token.client) }
            // Whichever of the family comes, the grant ends: the client means the sign-in.
            try token.revokeFamily(call.sandbox.id, by: call.entry, .request, db)
            let words = ending(of: token, call).map { ", which \($0)" } ?? ""
            return revoked("refresh token of \(token.subject)\(words); no token of that sign-in is good from now on")
        }
        if let token = try BrandAccessToken.find(text, call.sandbox.id, db) {
            if let owner = token.client, !owner.isSame(as: client.id) { return foreign(owner) }
            let words = ending(of: token, call).map { ", which \($0)" } ?? ""
            try token.revoke(call.sandbox.id, by: call.entry, db)
            return revoked("access token of \(token.subject)\(words)")
        }
        // A client could do nothing about it, and has what it wants: the token is not good (RFC 7009 §2.2).
        return revoked("nothing was revoked: the token is not an access or refresh token that this provider issued")
    }

    func introspect(_ db: Database, _ call: Call) throws -> Decision {
        let client = try ClientAuthentication.client(call, call.settings(of: self))
        guard !client.isPublic else {
            throw Refusal(
                "invalid-client", "'\(client.id)' is a public client: only a client that proves who it is may ask (RFC 7662 §2.1)")
        }
        guard let text = call.parameter("token") else { throw Refusal("invalid-request", "token is missing (RFC 7662 §2.1)") }
        func inactive(_ cause: String) -> Decision { .refusal(Refusal("token-inactive", cause)) }
        if let token = try RefreshToken.find(text, call.sandbox.id, db) {
            if let ending = ending(of: token, call) { return inactive("the refresh token of \(token.subject) \(ending)") }
            return active(
                ["sub": .string(token.subject), "iss": .string(token.issuer)], client: token.client, scope: token.scope,
                from: token.issuedAt,
                to: token.expiresAt, cause: "a refresh token of \(token.subject)")
        }
        guard let token = try BrandAccessToken.find(text, call.sandbox.id, db) else {
            return inactive("the token is not an access or refresh token that this provider issued")
        }
        if let ending = ending(of: token, call) { return inactive("the access token of \(token.subject) \(ending)") }
        let issuer = token.issuer ?? issuer(call.settings(of: self), base: call.base)
        return active(
            ["token_type": "Bearer", "sub": .string(token.subject), "iss": .string(issuer)], client: token.client, scope: token.scope,
            from: token.issuedAt, to: token.expiresAt, cause: "an access token of \(token.subject)")
    }

    /// RFC 7662 §2.2.
    private func active(
        _ members: JSON, client: String?, scope: String?, from start: Timestamp?, to end: Timestamp, cause: String
    ) -> Decision {
        let body = JSON.members([
            "active": true, "scope": scope.flatMap { $0.isEmpty ? nil : .string($0) }, "client_id": client.map { .string($0) },
            "iat": start.map { .integer($0.seconds) }, "exp": .integer(end.seconds),
        ]).merging(members)
        return .answer("token-active", body, headers: Self.noStore, cause: cause)
    }

    /// Why a refresh token is no longer good; nil while it is.
    private func ending(of token: RefreshToken, _ call: Call) -> String? {
        if let spentAt = token.spentAt {
            return "was used by entry \(token.spentBy ?? 0), \((call.now - spentAt).words) ago, and replaced"
        }
        if let entry = token.revokedBy {
            return token.revocation == .request
                ? "was revoked by entry \(entry)" : "was revoked when entry \(entry) used an earlier one again"
        }
        return call.now >= token.expiresAt ? "expired \((call.now - token.expiresAt).words) ago" : nil
    }

    private func ending(of token: BrandAccessToken, _ call: Call) -> String? {
        if let entry = token.revokedBy { return "was revoked by entry \(entry)" }
        return call.now >= token.expiresAt ? "expired \((call.now - token.expiresAt).words) ago" : nil
    }
}
