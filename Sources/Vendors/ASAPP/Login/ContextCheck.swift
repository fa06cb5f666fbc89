import SparringVendorKit

/// Whether a request context's token is the user's (ASAPP reference 2.2), in the way that the company has agreed on.
struct ContextCheck {
    let call: Call
    let vendor: ASAPP
    let decryptionKey: DecryptionKey

    private var settings: ASAPP.Settings { call.settings(of: vendor) }

    /// - Parameter user: as the app said.
    /// - Returns: by which credentials, in words.
    func check(_ context: JSON?, of user: String) async throws(Refusal) -> String {
        guard let token = context?[settings.context.place], !token.isNull else {
            throw Refusal("context-token-missing", "the context has no \(settings.context.place.description)")
        }
        guard let text = token.string, !text.isEmpty else {
            throw Refusal("context-token-malformed", "\(settings.context.place.description) of the context is not a text, or is empty")
        }
        return switch settings.context.validation {
        case .decode: try await decode(text, user)
        case .api: try await ask(text, user)
        case .compare: try compare(text, user)
        }
    }

    /// Signature and claims, by the brand's key.
    private func decode(_ text: String, _ user: String) async throws(Refusal) -> String {
        let check = CredentialCheck(call: call, trust: settings.trust, decryptionKey: decryptionKey)
        let verified: CredentialCheck.Verified
        do throws(Refusal) { verified = try await check.check(text, chosen: nil) } catch {
            throw Refusal(Self.names[error.name] ?? "context-\(error.name)", error.cause)
        }
        return try same(verified.sub, user, "\(verified.notes.joined(separator: ", ")) of \(verified.sub)")
    }

    /// The refusals that have another name here than in ``CredentialCheck``, by their name there.
    private static let names = [
        "token-expired": "context-token-expired", "token-malformed": "context-token-malformed",
        "token-not-yet-valid": "context-not-yet-valid", "jwe-undecryptable": "context-token-malformed",
        "key-unavailable": "context-key-unavailable",
    ]

    /// The subject, no matter who signed the token.
    private func compare(_ text: String, _ user: String) throws(Refusal) -> String {
        let token: JWS
        do throws(TokenError) {
            token = try JWS(parsing: text)
        } catch {
            throw Refusal("context-token-malformed", error.reason)
        }
        guard let subject = token.payload["sub"]?.string else {
            throw Refusal("context-claim-missing", "the claim sub is missing, or no text")
        }
        if let expiry = token.payload["exp"]?.double.map({ Timestamp(seconds: Int64(clamped: $0)) }), call.now >= expiry {
            throw Refusal("context-token-expired", "the token expired \((call.now - expiry).words) ago")
        }
        return try same(subject, user, "JWT of \(subject), compared only")
    }

    /// The customer's validation API.
    private func ask(_ text: String, _ user: String) async throws(Refusal) -> String {
        let body: JSON = ["token": .string(text), "userIdentifier": .string(user)]
        let url = settings.context.url ?? vendor.path(.validateContext, [vendor.tenantKey: settings.appId])
        let request = OutboundRequest(
            .post, url, headers: [.contentType: "application/json", .accept: "application/json"], body: body.bytes,
            timeout: settings.context.timeout)
        switch await call.send(request) {
        case .timedOut(let reason): throw Refusal("validation-timeout", reason)
        case .failed(let reason): throw Refusal("validation-unreachable", reason)
        case .answered(let answer):
            let body = try? JSON(parsing: answer.body)
            let words = "\(url) answered \(answer.status)" + (answer.cause.map { ": \($0)" } ?? "")
            if answer.status >= 500 || answer.status == 429 { throw Refusal("validation-unreachable", words) }
            guard answer.status == 200 else {
                let isExpired = body?["error"]?.string == "token-expired"
                throw Refusal(isExpired ? "context-token-expired" : "context-refused", words)
            }
            guard let owner = body?["userIdentifier"]?.string else {
                throw Refusal("validation-nonsense", "\(url) answered 200 without a userIdentifier")
            }
            guard body?["valid"] == true else { throw Refusal("context-refused", "\(url) says that the token is not valid") }
            return try same(owner, user, "a token of \(owner), by the customer's API")
        }
    }

    private func same(_ owner: String, _ user: String, _ words: String) throws(Refusal) -> String {
        guard owner.isSame(as: user) else {
            throw Refusal("context-user-mismatch", "the token is \(owner.quoted)'s, userIdentifier is \(user.quoted)")
        }
        return words
    }
}
