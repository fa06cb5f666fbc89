import SparringVendorKit

/// Handlers of the tag "Sentinel": what an app needs before it can speak for a consumer (LivePerson reference 4.4, 4.1 g).
extension LivePerson {
    /// Something ready to be given out, and to whom.
    struct Grant: Sendable {
        var token: String
        var owner: String
        /// LivePerson's id for the owner; nil for an app.
        var consumer: String?
        var cause: String
    }

    func prepareAppToken(_ call: Call) async throws -> Grant {
        guard let grantType = call.query("grant_type") ?? call.field("grant_type") else {
            throw Refusal("request-malformed", "grant_type is missing")
        }
        guard grantType == "client_credentials" else {
            throw Refusal("unsupported-grant-type", "grant_type is \(grantType.quoted), not 'client_credentials'")
        }
        let (id, secret) = Self.clientCredentials(call)
        guard let id, let secret else { throw Refusal("request-malformed", "client_id or client_secret is missing") }
        let known = call.settings(of: self).appInstallations
        guard let installation = known.first(where: { $0.clientId.isSame(as: id) }) else {
            let words = known.isEmpty ? "there is none" : "there is \(known.map(\.clientId).joined(separator: ", "))"
            throw Refusal("client-unknown", "no app installation has the client_id \(id.quoted); \(words)")
        }
        guard secret.isSame(as: installation.clientSecret) else {
            throw Refusal("client-refused", "client_secret is not that of app installation \(installation.id)")
        }
        let token = AppToken(account: call.tenant.id, installation: installation.id).sign(at: call.now, with: try signingKey())
        return Grant(token: token, owner: id, cause: "app installation \(installation.id) may call for an hour")
    }

    /// In the form, in the query, or by HTTP Basic (RFC 6749 §2.3.1).
    private static func clientCredentials(_ call: Call) -> (id: String?, secret: String?) {
        if let basic = call.header(.authorization).flatMap(BasicCredentials.read) { return (basic.id, basic.secret) }
        return (call.field("client_id") ?? call.query("client_id"), call.field("client_secret") ?? call.query("client_secret"))
    }

    func issueAppToken(_ db: Database, _ call: Call, _ grant: Grant) throws -> Decision {
        try give(grant, db, call) { ["access_token": .string($0), "token_type": "Bearer"] }
    }

    func prepareConsumer(_ call: Call) async throws -> Grant {
        let settings = call.settings(of: self)
        let key = try signingKey()
        let app = try AppToken.read(call.header(.authorization), account: settings, at: call.now, key: key.verificationKey)
        let consumer = ConsumerJWS(externalId: call.field("ext_consumer_id") ?? "", account: call.tenant.id, seed: call.sandbox.idSeed)
        return Grant(
            token: consumer.sign(with: key), owner: consumer.externalId, consumer: consumer.consumer,
            cause: "app installation \(app.installation) may speak for \(consumer.externalId)")
    }

    func createConsumer(_ db: Database, _ call: Call, _ grant: Grant) throws -> Decision {
        try give(grant, db, call) { ["token": .string($0)] }
    }

    private func give(_ grant: Grant, _ db: Database, _ call: Call, _ body: (String) -> JSON) throws -> Decision {
        try call.sandbox.issued(grant.token, to: grant.owner, db)
        if let consumer = grant.consumer {
            _ = try LivePersonState.signIn(consumer, iss: AppToken.issuer, sub: grant.owner, call.sandbox.id, at: call.now, db)
        }
        return .answer(call.operation.answers[0].name, body(grant.token), cause: grant.cause)
    }
}
