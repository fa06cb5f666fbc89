import SparringVendorKit

/// Handlers of the tag "Backend": the brand's own API, for apps whose user has signed in (Khoros, *End User Authentication*, "Using an identity provider").
extension IdentityProvider {
    func getJWT(_ db: Database, _ call: Call) throws -> Decision {
        let settings = call.settings(of: self)
        guard let header = call.header(.authorization), !header.isEmpty else {
            throw Refusal("session-required", "no access token came: it names the user for whom the JWT is")
        }
        guard header.lowercased().hasPrefix("bearer "),
            let session = try BrandAccessToken.find(String(header.dropFirst(7).drop { $0 == " " }), call.sandbox.id, db)
        else { throw Refusal("session-unknown", "the access token is not one that this provider issued") }
        guard !session.isOfClient else {
            throw Refusal("session-unknown", "the access token is client '\(session.subject)'s own: no user has signed in")
        }
        if let entry = session.revokedBy { throw Refusal("session-unknown", "the access token was revoked by entry \(entry)") }
        if call.now >= session.expiresAt {
            throw Refusal("session-expired", "the access token expired \((call.now - session.expiresAt).words) ago")
        }
        let userId = call.field("userId") ?? ""
        guard userId.isSame(as: session.subject) else {
            throw Refusal("user-of-another", "\(session.subject) signed in and asks for a JWT of \(userId.quoted)")
        }
        var token = BackendToken(
            key: settings.appKey, userId: userId, name: call.field("name"), platform: call.field("platform") ?? "ios",
            id: call.draw("jti").uuid, issuedAt: call.now, lifetime: settings.appTokenLifetime)
        token.defect = call.effect("mint")?["defect"].flatMap(AppTokenDefect.init(rawValue:))
        let jwt = try token.signed()
        try call.sandbox.issued(jwt, to: userId, db)
        let words = token.defect.map { ", \($0.rawValue)" } ?? ""
        var answer = Answer(
            "jwt-issued", ["jwt": .string(jwt), "expiresIn": .integer(settings.appTokenLifetime.milliseconds / 1000)],
            headers: Self.noStore, cause: "a JWT for \(userId)\(words)")
        answer.findings = leaks(settings.appKey, in: call)
        return .answer(answer)
    }

    /// The app must not know the secret that the backend signs with, so that it cannot send it there either (Khoros, *End User Authentication*).
    private func leaks(_ key: AppKey, in call: Call) -> [Finding] {
        // What is shorter may stand there by chance.
        guard key.secret.utf8.count >= 12 else { return [] }
        let body = String(decoding: call.request.body, as: UTF8.self)
        let isSent = body.contains(key.secret) || call.request.headers.contains { $0.value.contains(key.secret) }
        return isSent ? [Finding("app-secret-sent", at: "request", "the request has the secret of key '\(key.id)' in it")] : []
    }
}
