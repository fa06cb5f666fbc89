import SparringVendorKit

/// The AppJWT, with which an app calls LivePerson server to server (LivePerson reference 4.4).
struct AppToken: Sendable {
    static let issuer = "Sentinel"
    static let scope = "msg.consumer"
    static let lifetime: Duration = .seconds(3600)

    var account: String
    /// The app installation's id.
    var installation: String

    func sign(at now: Timestamp, with key: SigningKey) -> String {
        // The date's form is not known.
        let kid = "appjwt-\(now.description.prefix(10))"
        return JWS.sign(
            header: ["kid": .string(kid)],
            payload: [
                "aud": .string(account), "azp": .string(installation), "scope": .string(Self.scope), "iss": .string(Self.issuer),
                "iat": .integer(now.seconds), "exp": .integer(now.seconds + Self.lifetime.milliseconds / 1000),
            ], with: key)
    }

    /// Reads and checks the header `Authorization`: the token, bare as in the documentation, or behind `Bearer`.
    ///
    /// - Throws: a refusal that every operation that takes an AppJWT declares.
    static func read(
        _ header: String?, account: LivePerson.Settings, at now: Timestamp, key: VerificationKey
    ) throws(Refusal) -> AppToken {
        func invalid(_ cause: String) -> Refusal { Refusal("app-token-invalid", cause) }
        var text = header ?? ""
        if text.prefix(while: { $0 != " " }).lowercased() == "bearer" { text = String(text.dropFirst(6).drop { $0 == " " }) }
        guard !text.isEmpty else { throw Refusal("app-token-missing", "no Authorization came") }
        let token: JWS
        do throws(TokenError) { token = try JWS(parsing: text) } catch { throw invalid("Authorization is no AppJWT: \(error.reason)") }
        guard token.verify(with: key) else { throw invalid("the AppJWT was not signed by LivePerson") }
        let claims = token.payload
        for claim in ["iss", "aud", "azp", "scope"] where claims[claim]?.string?.isEmpty != false {
            throw Refusal("app-token-incomplete", "the AppJWT has no claim \(claim)")
        }
        guard let expiresAt = claims["exp"]?.integer else {
            throw Refusal("app-token-incomplete", "the AppJWT has no claim exp")
        }
        let (iss, aud, azp) = (claims["iss"]?.string ?? "", claims["aud"]?.string ?? "", claims["azp"]?.string ?? "")
        guard iss.isSame(as: issuer) else { throw invalid("iss of the AppJWT is \(iss.quoted), not '\(issuer)'") }
        guard aud.isSame(as: account.accountId) else {
            throw invalid("aud of the AppJWT is \(aud.quoted), not '\(account.accountId)'")
        }
        guard account.appInstallations.contains(where: { $0.id.isSame(as: azp) }) else {
            throw invalid("azp of the AppJWT is \(azp.quoted), which is not an app installation of the account")
        }
        let scopes = claims["scope"]?.string?.split(separator: " ").map(String.init) ?? []
        guard scopes.containsSame(as: scope) else {
            throw invalid("scope of the AppJWT is \(scopes.joined(separator: " ").quoted), without \(scope)")
        }
        guard now.seconds < expiresAt else {
            let ago = expiresAt > 0 ? "\((now - Timestamp(seconds: expiresAt)).words) ago" : "long ago"
            throw Refusal("app-token-expired", "the AppJWT expired \(ago)")
        }
        return AppToken(account: aud, installation: azp)
    }
}

/// The ConsumerJWS: for whom an app calls (LivePerson reference 4.1 g). It does not expire.
struct ConsumerJWS: Sendable {
    var account: String
    /// The brand's name for the consumer.
    var externalId: String
    /// LivePerson's id for the consumer.
    var consumer: String
}

extension ConsumerJWS {
    /// The consumer of an external id: the same, whichever app asks and however often (assumed).
    init(externalId: String, account: String, seed: Int64) {
        let consumer = Draw(seed: seed, "consumer", account, AppToken.issuer, externalId).hex
        self.init(account: account, externalId: externalId, consumer: consumer)
    }

    func sign(with key: SigningKey) -> String {
        JWS.sign(
            payload: [
                "account_id": .string(account), "ext_consumer_id": .string(externalId), "lp_consumer_id": .string(consumer),
            ], with: key)
    }

    /// Reads and checks the header `X-LP-ON-BEHALF`.
    static func read(_ header: String?, account: String, key: VerificationKey) throws(Refusal) -> ConsumerJWS {
        func invalid(_ cause: String) -> Refusal { Refusal("consumer-token-invalid", cause) }
        guard let header, !header.isEmpty else { throw Refusal("consumer-token-missing", "no X-LP-ON-BEHALF came") }
        let token: JWS
        do throws(TokenError) { token = try JWS(parsing: header) } catch {
            throw invalid("X-LP-ON-BEHALF is no ConsumerJWS: \(error.reason)")
        }
        guard token.verify(with: key) else { throw invalid("the ConsumerJWS was not signed by LivePerson") }
        guard let owner = token.payload["account_id"]?.string, let externalId = token.payload["ext_consumer_id"]?.string,
            let consumer = token.payload["lp_consumer_id"]?.string
        else { throw invalid("the token is no ConsumerJWS: account_id, ext_consumer_id or lp_consumer_id is missing") }
        guard owner.isSame(as: account) else { throw invalid("account_id of the ConsumerJWS is \(owner.quoted), not '\(account)'") }
        return ConsumerJWS(account: owner, externalId: externalId, consumer: consumer)
    }
}
