public import SparringVendorKit

/// Handlers of the tag "Login" (LivePerson reference 4.1).
extension LivePerson {
    /// A token ready to be given out, and whose it is.
    struct Admission: Sendable {
        var token: String
        var consumer: String
        var iss: String?
        var sub: String?
        var how: String
    }

    // MARK: With the brand's credential

    func prepareSignIn(_ call: Call) async throws -> Admission {
        let settings = call.settings(of: self)
        let version = Operation(rawValue: call.operation.id)
        if version == .authenticateV3, let refusal = unknownConnector(call, settings) { throw refusal }
        // Only version 2 knows codes and the names of issuers; in the others such a member is one of those that nobody reads.
        var chosen: BrandIssuer?
        if version == .authenticateV2, let name = call.field("issuerDisplayName") {
            guard let issuer = settings.trust.issuers.first(where: { $0.displayName.isSame(as: name) }) else {
                let known = settings.trust.issuers.map { "'\($0.displayName)'" }.joined(separator: ", ")
                throw Refusal("issuer-unknown", "no issuer is called \(name.quoted); there is \(known.isEmpty ? "none" : known)")
            }
            chosen = issuer
        }
        var credential = call.field(version == .authenticateV1 ? "authCode" : "id_token") ?? ""
        var how = "implicit flow"
        if version == .authenticateV2, let code = call.field("code") {
            guard let redeeming = chosen ?? settings.trust.issuers.first(where: { $0.tokenEndpoint != nil }) else {
                throw Refusal("token-endpoint-unreachable", "no issuer of the account has a token endpoint")
            }
            let endpoint = BrandTokenEndpoint(call: call, trust: settings.trust, issuer: redeeming)
            credential = try endpoint.idToken(
                of: try await endpoint.redeem(code, verifier: call.field("code_verifier"), redirectURI: call.field("redirect_uri")))
            (chosen, how) = (redeeming, "code flow")
        }
        var check = CredentialCheck(call: call, trust: settings.trust, decryptionKey: try decryptionKey())
        if version == .authenticateV3 { check.own = try anonymousIssuer(settings) }
        return try await admit(try await check.check(credential, chosen: chosen), call, settings, how)
    }

    func signIn(_ db: Database, _ call: Call, _ admission: Admission) throws -> Decision {
        let times = try note(admission, db, call)
        let member = call.operation.id == Operation.authenticateV3.rawValue ? "token" : "jwt"
        let cause = "\(admission.sub ?? "") signed in by \(admission.how)" + (times > 1 ? ", sign-in \(times) of this consumer" : "")
        return .answer("signed-in", [member: .string(admission.token)], cause: cause)
    }

    private func admit(
        _ verified: CredentialCheck.Verified, _ call: Call, _ settings: LivePerson.Settings, _ how: String
    ) async throws -> Admission {
        // 64 hexadecimal digits, the same whenever this consumer comes (LivePerson reference 4.2).
        let consumer = Draw(seed: call.sandbox.idSeed, "consumer", settings.accountId, verified.issuer.iss, verified.sub).hex
        var expiresAt = verified.expiresAt
        if let lifetime = settings.tokenLifetime { expiresAt = min(expiresAt, call.now.seconds + lifetime.milliseconds / 1000) }
        let token = LivePersonToken(
            subject: consumer, account: settings.accountId, issuedAt: verified.issuedAt, expiresAt: expiresAt,
            external: .init(sub: verified.sub, iss: verified.iss, sdes: verified.claims["lp_sdes"]),
            signOuts: try await signOuts(of: consumer, call)
        ).sign(with: try signingKey())
        return Admission(
            token: token, consumer: consumer, iss: verified.iss, sub: verified.sub,
            how: "\(how) (\(verified.notes.joined(separator: ", ")))")
    }

    private func signOuts(of consumer: String, _ call: Call) async throws -> Int {
        let sandbox = call.sandbox.id
        return try await call.read { db in try LivePersonState.signOuts(of: consumer, sandbox, db) }
    }

    /// The issuer whose tokens version 3 is made for: the anonymous authorization (LivePerson reference 4.1 e and f).
    private func anonymousIssuer(_ settings: LivePerson.Settings) throws -> CredentialCheck.OwnIssuer {
        let issuer = BrandIssuer(vendor: "LivePerson", iss: LivePersonToken.issuer, key: try signingKey().verificationKey)
        // LivePerson signs its answers with the same key; those are no external tokens.
        return CredentialCheck.OwnIssuer(issuer: issuer, audience: LivePersonToken.audience(settings.accountId)) { payload in
            LivePersonToken.firstIssuedAt(payload) == nil
                ? "the token was issued by LivePerson, but not by the anonymous authorization" : nil
        }
    }

    private func unknownConnector(_ call: Call, _ settings: LivePerson.Settings) -> Refusal? {
        let id = call.path("connectorId")
        let known = settings.connectors.map { $0.id.string ?? $0.id.text }
        guard !known.contains(id) else { return nil }
        return Refusal("connector-unknown", "no connector has the id '\(id)'; there is \(known.joined(separator: ", "))")
    }

    // MARK: Without one

    private static let longLife: Int64 = 13 * 365 * 86_400  // what the sample token of the documentation lives

    func prepareSignUp(_ call: Call) async throws -> Admission {
        let consumer = call.draw("consumer").uuid
        let token = LivePersonToken(
            subject: consumer, account: call.tenant.id, issuedAt: call.now.seconds, expiresAt: call.now.seconds + Self.longLife)
        return Admission(token: token.sign(with: try signingKey()), consumer: consumer, how: "sign-up")
    }

    func signUp(_ db: Database, _ call: Call, _ admission: Admission) throws -> Decision {
        _ = try note(admission, db, call)
        return .answer("signed-up", ["jwt": .string(admission.token)], cause: "an anonymous consumer signed up")
    }

    /// A new anonymous identity, or an earlier one made to last (LivePerson reference 4.1 f).
    func prepareAnonymous(_ call: Call) async throws -> Admission {
        let settings = call.settings(of: self)
        let now = call.now.seconds
        var consumer = call.draw("consumer").uuid
        var (first, how) = (now, "anonymous authorization")
        if let text = call.field("id_token") {
            let previous: JWS
            do throws(TokenError) { previous = try JWS(parsing: text) } catch { throw Refusal("token-malformed", error.reason) }
            guard previous.verify(with: try signingKey().verificationKey) else {
                throw Refusal("bad-signature", "the previous token was not signed by LivePerson")
            }
            guard previous.payload["aud"]?.string?.isSame(as: LivePersonToken.audience(settings.accountId)) == true,
                let sub = previous.payload["sub"]?.string,
                let firstIssuedAt = LivePersonToken.firstIssuedAt(previous.payload)
            else {
                throw Refusal("audience-mismatch", "the previous token is not an anonymous one of account \(settings.accountId)")
            }
            let end = firstIssuedAt + settings.anonymousRefresh.milliseconds / 1000
            guard now < end else {
                throw Refusal("token-expired", "the identity could be refreshed until \((call.now - Timestamp(seconds: end)).words) ago")
            }
            (consumer, first, how) = (sub, firstIssuedAt, "refresh")
        }
        let token = LivePersonToken(
            subject: consumer, account: settings.accountId, issuedAt: now, expiresAt: now + settings.anonymousLifetime.milliseconds / 1000,
            firstIssuedAt: first, signOuts: try await signOuts(of: consumer, call))
        return Admission(token: token.sign(with: try signingKey()), consumer: consumer, how: how)
    }

    func authorizeAnonymous(_ db: Database, _ call: Call, _ admission: Admission) throws -> Decision {
        _ = try note(admission, db, call)
        return .answer("anonymous-authorized", ["token": .string(admission.token)], cause: "\(admission.consumer): \(admission.how)")
    }

    /// - Returns: how often the consumer has signed in.
    private func note(_ admission: Admission, _ db: Database, _ call: Call) throws -> Int {
        try call.sandbox.issued(admission.token, to: admission.sub ?? admission.consumer, db)
        return try LivePersonState.signIn(admission.consumer, iss: admission.iss, sub: admission.sub, call.sandbox.id, at: call.now, db)
    }

    /// How brands' identity providers know LivePerson, with its redirect URI (LivePerson reference 3.3). Its documentation tells them to answer
    /// `invalid_code`.
    static let relyingParty = RelyingParty(name: vendorName) { refusal in
        if refusal == "invalid-request" { return "json_parse_error" }
        return refusal.hasPrefix("code-") || refusal == "redirect-uri-mismatch" ? "invalid_code" : nil
    }
}

/// LivePerson, as the identity provider knows it.
public let livePersonParty: RelyingParty = LivePerson.relyingParty
