import SparringVendorKit

/// Findings of a login about the brand's backend and the app, beside the answer that it gets.
extension Khoros {
    /// A JWT that is none of Sparring's own is refused for what the brand's backend, or the app, did.
    func refused(_ refusal: Refusal, _ call: Call) -> Decision {
        let isOwn = call.header(.authorization).flatMap { call.sandbox.owner(of: $0.credential) } != nil
        var findings = leaks(in: call)
        if !isOwn, Self.defects.contains(refusal.name) {
            findings.append(Finding("brand-jwt-refused", at: "header:authorization", refusal.cause))
        }
        if findings.isEmpty { return .refusal(refusal) }
        var answer = render(refusal, for: call)
        (answer.cause, answer.findings) = (refusal.cause, findings)
        return .answer(answer)
    }

    /// Why a JWT can never be good.
    private static let defects: Set = [
        "token-malformed", "algorithm-refused", "key-id-missing", "unknown-key", "bad-signature", "account-scope-refused",
        "scope-refused", "claim-missing", "user-id-not-a-string",
    ]

    /// Findings about an accepted JWT, unless it is Sparring's own, and about a secret in the call.
    func findings(of jwt: UserJWT, _ call: Call) -> [Finding] {
        let isOwn = call.header(.authorization).flatMap { call.sandbox.owner(of: $0.credential) } != nil
        return (isOwn ? [] : jwt.findings + otherPlatform(in: jwt, call)) + leaks(in: call)
    }

    /// The claim `platform` is the app's own (End User Authentication, *Using an identity provider*: platform = ios).
    private func otherPlatform(in jwt: UserJWT, _ call: Call) -> [Finding] {
        guard let claimed = jwt.platform, let platform = call.body?["client"]?["platform"]?.string, claimed.lowercased() != platform else {
            return []
        }
        let words = "the claim platform is \(claimed.quoted), the client's is '\(platform)'"
        return [Finding("jwt-platform-of-another", at: "header:authorization", words)]
    }

    /// The secret of a key must stay on the brand's server (End User Authentication).
    private func leaks(in call: Call) -> [Finding] {
        let body = String(decoding: call.request.body, as: UTF8.self)
        let claims = call.header(.authorization).flatMap { try? JWS(parsing: $0.credential) }?.payload.text ?? ""
        // What is shorter may stand there by chance.
        let secret = call.settings(of: self).keys.filter { $0.secret.utf8.count >= 12 }.first { key in
            body.contains(key.secret) || claims.contains(key.secret) || call.request.headers.contains { $0.value.contains(key.secret) }
        }
        return secret.map { [Finding("app-secret-sent", at: "body", "the request has the secret of key '\($0.id)' in it")] } ?? []
    }

    /// Others who are still logged in on the client, and an anonymous user whom nobody brings along.
    func strangers(
        on call: Call, than user: MessengerUser, carriedAlong: MessengerUser?, _ db: Database
    ) throws -> [Finding] {
        guard let id = call.body?["client"]?["id"]?.string else { return [] }
        let others = try MessengerClientState.clients(called: id, of: user.app, call.sandbox.id, db).filter { $0.user != user.id }
        return try others.compactMap { client -> Finding? in
            guard client.user != carriedAlong?.id,
                let other = try MessengerUserState.user(client.user, of: user.app, call.sandbox.id, db)
            else { return nil }
            if other.userId != nil {
                return Finding("client-of-another", at: "body:/client/id", "\(other.name) was not logged out of client \(id)")
            }
            guard try !MessengerConversationState.conversations(of: other, call.sandbox.id, db).isEmpty else { return nil }
            return Finding(
                "anonymous-user-left-behind", at: "body:/appUserId", "client \(id) has a conversation as \(other.id), which is not named")
        }
    }
}
