import SparringVendorKit

/// Calls that need an access token.
extension Talkdesk {
    /// A handler of calls that need a live token with a scope.
    func withToken(
        for scope: String, _ act: @escaping @Sendable (Database, Call, TalkdeskTokenState.Token) throws -> Decision
    ) -> Handler {
        .decide { db, call in
            let token: TalkdeskTokenState.Token
            do { token = try self.token(for: scope, call, db) } catch let refusal as Refusal { return refused(refusal, call) }
            let decision = try act(db, call, token)
            guard case .answer(var answer) = decision else { return decision }
            answer.findings += secretsSent(call)
            return .answer(answer)
        }
    }

    private func token(for scope: String, _ call: Call, _ db: Database) throws -> TalkdeskTokenState.Token {
        guard let text = Self.bearer(call), !text.isEmpty else {
            throw Refusal("token-missing", "Authorization is missing, or not 'Bearer' with an access token")
        }
        guard let token = try TalkdeskTokenState.token(text, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("token-unknown", "Talkdesk ID issued no such token in account '\(call.tenant.id)'")
        }
        if token.isRevoked { throw Refusal("token-revoked", "\(token.subject) was signed out") }
        if call.now >= token.expiresAt {
            let lived = (token.expiresAt - token.issuedAt).words
            throw Refusal("token-expired", "the token expired \((call.now - token.expiresAt).words) ago (it lived \(lived))")
        }
        guard TalkdeskScope.has(token.scope, scope) else {
            throw Refusal("scope-missing", "the token is for \(token.scope.quoted), the call needs '\(scope)'")
        }
        return token
    }

    /// Some of Talkdesk's calls take the token without the word `Bearer` (Talkdesk reference 3.4).
    static func bearer(_ call: Call) -> String? {
        guard let header = call.header(.authorization) else { return nil }
        if header.lowercased().hasPrefix("bearer ") { return header.credential }
        return header.contains(" ") ? nil : header
    }

    /// A refusal, with what the client did wrong besides.
    func refused(_ refusal: Refusal, _ call: Call) -> Decision {
        let findings = secretsSent(call) + nothingLikeAToken(call)
        if findings.isEmpty { return .refusal(refusal) }
        var answer = render(refusal, for: call)
        answer.cause = refusal.cause
        answer.findings = findings
        return .answer(answer)
    }

    /// An app that does not look at its backend's status may take the body of a refusal for a token. A token has none of the characters of JSON or of
    /// prose in it (RFC 6750 §2.1).
    private func nothingLikeAToken(_ call: Call) -> [Finding] {
        guard let header = call.header(.authorization), header.lowercased().hasPrefix("bearer ") else { return [] }
        let token = header.credential
        let isToken = token.utf8.allSatisfy { Self.ofTokens.contains($0) }
        return isToken ? [] : [Finding("not-a-token", at: "header:authorization", "\(token.quoted) is not a token (RFC 6750 §2.1)")]
    }

    private static let ofTokens = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=".utf8)

    /// The secrets of the brand's backend have no place in an app (Talkdesk reference TDK-09).
    func secretsSent(_ call: Call) -> [Finding] {
        let settings = call.settings(of: self)
        let basic = call.header(.authorization).flatMap(BasicCredentials.read)?.secret
        let sent = [basic, call.body?.text].compactMap(\.self) + call.request.headers.map(\.value)
        for client in settings.clients {
            if let secret = client.secret, secret.utf8.count >= 8, sent.contains(where: { $0.contains(secret) }) {
                return [Finding("client-secret-sent", at: "request", "the secret of client '\(client.id)' came from an app")]
            }
        }
        return sent.contains { $0.contains("PRIVATE KEY-----") }
            ? [Finding("client-secret-sent", at: "request", "a private key came from an app")] : []
    }

    /// The challenge of a 401, where the configuration wants one.
    func basicRealm(_ call: Call, _ answer: DeclaredAnswer?) -> String? {
        guard answer?.status == 401 else { return nil }
        let settings = call.settings(of: self)
        return switch Operation(rawValue: call.operation.id) {
        case .issueToken where settings.sendsBasicChallenge: "Talkdesk ID"
        case .fetchAppToken, .fetchAppTokenSlash: settings.backend.sendsBasicChallenge ? "API Authorization" : nil
        default: nil
        }
    }
}
