import SparringVendorKit

/// The authorization endpoint (RFC 6749 §4.1; Talkdesk reference 3.4). No page is shown: `login_hint` says who signs in.
extension Talkdesk {
    func authorize(_ db: Database, _ call: Call) throws -> Decision {
        let settings = call.settings(of: self)
        guard let client = call.query("client_id").flatMap(settings.client) else {
            throw Refusal("client-unknown", "the account has no client \((call.query("client_id") ?? "").quoted)")
        }
        guard let uri = call.query("redirect_uri"), !uri.isEmpty else { throw Refusal("invalid-redirect-uri", "redirect_uri is missing") }
        guard client.redirectURIs.containsSame(as: uri) else {
            throw Refusal("invalid-redirect-uri", RedirectURI.difference(sent: uri, from: client.redirectURIs, "registered"))
        }
        try Self.check(call, client)
        let subject = call.query("login_hint") ?? ""
        if settings.backend.denied.containsSame(as: subject) {
            throw Refusal("access-denied", "\(subject) is one of those whom the brand denies")
        }
        let code = TalkdeskGrantState.Code(
            code: String(call.secret("code").hex.prefix(43)), account: settings.account, client: client.id, redirectURI: uri,
            subject: subject, scope: call.query("scope").flatMap { $0.isEmpty ? nil : $0 } ?? client.scopes.joined(separator: " "),
            nonce: call.query("nonce"),
            expiresAt: call.now + settings.codeLifetime)
        try code.insert(call.sandbox.id, db)
        try call.sandbox.issued(code.code, to: subject, db)
        var answer = Answer("redirected", [:], cause: "\(subject) signed in by login_hint")
        answer.headers[.location] = Self.location(uri, [("code", code.code)], call)
        return .answer(answer)
    }

    /// Refuses what the client hears of by redirect (RFC 6749 §4.1.2.1).
    private static func check(_ call: Call, _ client: Talkdesk.Client) throws {
        guard let type = call.query("response_type"), !type.isEmpty else {
            throw Refusal("response-type-missing", "response_type is missing")
        }
        guard type == "code" else { throw Refusal("unsupported-response-type", "response_type is \(type.quoted), only code is known") }
        guard client.grantTypes.contains(.authorizationCode) else {
            throw Refusal("unauthorized-client", "client '\(client.id)' may not use the grant authorization_code")
        }
        try TalkdeskScope.check(call.query("scope"), among: client.scopes, "the client")
        if (call.query("login_hint") ?? "").isEmpty { throw Refusal("login-required", "no login_hint says who signs in") }
    }

    /// A refusal by redirect; nil for one that goes to nobody but the browser.
    func redirect(_ refusal: Refusal, _ call: Call) -> Answer? {
        guard let answer = call.operation.answer(refusal.name), answer.status == 302, let body = answer.example,
            let uri = call.query("redirect_uri") ?? call.settings(of: self).clients.first?.redirectURIs.first
        else { return nil }
        var redirect = Answer(refusal.name, body)
        redirect.headers[.location] = Self.location(
            uri, (body.object ?? [:]).compactMap { name, value in value.string.map { (name, $0) } }, call)
        return redirect
    }

    private static func location(_ uri: String, _ parameters: [(String, String)], _ call: Call) -> String {
        var parameters = parameters
        if let state = call.query("state") { parameters.append(("state", state)) }
        return uri + (uri.contains("?") ? "&" : "?") + PercentCoding.form(parameters)
    }
}

/// Scopes as a list of words (RFC 6749 §3.3).
enum TalkdeskScope {
    /// Refuses a scope that is asked for and is none of those that there are.
    static func check(_ asked: String?, among known: [String], _ whose: String) throws {
        for scope in (asked ?? "").split(separator: " ") where !known.containsSame(as: String(scope)) {
            throw Refusal("invalid-scope", "\(String(scope).quoted) is not a scope of \(whose): \(known.joined(separator: " "))")
        }
    }

    static func has(_ scopes: String, _ scope: String) -> Bool { scopes.split(separator: " ").contains { $0 == scope } }
}
