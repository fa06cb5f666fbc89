import SparringVendorKit

/// An authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1), read and judged.
struct AuthorizationRequest: Sendable {
    enum Verdict: Sendable {
        /// Neither client nor redirect URI can be trusted: no redirect (RFC 6749 §4.1.2.1).
        case refused(Refusal)
        /// Told to the client by redirect: the error's name and why.
        case error(String, String)
        /// Nobody is named: a page asks.
        case page
        /// Signed in.
        case granted(subject: String)
    }

    /// The values of `response_mode`.
    enum ResponseMode: String, CaseIterable, Sendable {
        case query, fragment
        case formPost = "form_post"
    }

    var parameters: [String: String]
    /// Nil where ``verdict`` is a refusal.
    var client: IdentityProvider.Client?
    var redirectURI = ""
    var responseTypes: [String] = []
    private var prompts: [String] = []
    var verdict = Verdict.page

    /// - Parameters:
    ///   - sent: what came. A parameter without a value counts as omitted (RFC 6749 §3.1); a redirect URI does not, lest the answer go where
    ///     nobody asked it to go.
    ///   - isForm: whether the sign-in page sent it, which asked for the `username`.
    init(_ sent: [String: String], isForm: Bool, _ settings: IdentityProvider.Settings) {
        parameters = sent.filter { name, value in name != "username" && (!value.isEmpty || name == "redirect_uri") }
        let client: IdentityProvider.Client
        switch Self.trusted(parameters, settings) {
        case .success(let trusted): client = trusted
        case .failure(let refusal):
            verdict = .refused(refusal)
            return
        }
        self.client = client
        redirectURI = parameters["redirect_uri"] ?? client.redirectURIs[0]
        responseTypes = words("response_type").sorted()
        prompts = words("prompt")
        let subject = isForm ? sent["username"] : demandsPage ? nil : parameters["login_hint"]
        if let (name, reason) = error(client, settings) {
            verdict = .error(name, reason)
        } else if let subject, !subject.isEmpty {
            verdict = .granted(subject: subject)
        } else if prompts == ["none"] {
            verdict = .error("login_required", "prompt=none, and no login_hint names the consumer")
        }
    }

    private func words(_ name: String) -> [String] { (parameters[name] ?? "").split(separator: " ").map(String.init) }

    /// Whether the consumer is to be asked, named or not (OpenID Connect Core §3.1.2.1).
    var demandsPage: Bool { prompts.contains("login") }

    /// Whether the ID token must say when the consumer signed in (OpenID Connect Core §2, `auth_time`).
    var asksForTime: Bool { parameters["max_age"] != nil }

    /// An omitted one means that of a sign-in (RFC 6749 §3.3).
    var scope: String { parameters["scope"] ?? "openid" }

    var state: String? { parameters["state"] }
    var asksForCode: Bool { responseTypes == ["code"] }

    /// How the answer gets to the client. The fragment is the default for everything but codes (OAuth 2.0 Multiple Response Types §2.1).
    var responseMode: ResponseMode {
        parameters["response_mode"].flatMap(ResponseMode.init(rawValue:)) ?? (asksForCode ? .query : .fragment)
    }

    /// The client, if it and its redirect URI are known.
    private static func trusted(_ parameters: [String: String], _ settings: IdentityProvider.Settings) -> Result<
        IdentityProvider.Client, Refusal
    > {
        guard let id = parameters["client_id"] else { return .failure(Refusal("unknown-client", "client_id is missing")) }
        guard let client = settings.client(id) else {
            return .failure(Refusal("unknown-client", "no client has the id \(id.quoted); \(settings.clientWords)"))
        }
        guard let uri = parameters["redirect_uri"] else {
            return client.redirectURIs.count == 1
                ? .success(client) : .failure(Refusal("invalid-redirect-uri", "redirect_uri is missing, and several are registered"))
        }
        // A native app takes whichever port is free (RFC 8252 §7.3).
        let isKnown = client.redirectURIs.contains {
            RedirectURI.matches(uri, $0, settings.redirectMatch) || client.isPublic && RedirectURI.differInPort(uri, $0)
        }
        if isKnown { return .success(client) }
        return .failure(Refusal("invalid-redirect-uri", RedirectURI.difference(sent: uri, from: client.redirectURIs, "registered")))
    }

    private func error(_ client: IdentityProvider.Client, _ settings: IdentityProvider.Settings) -> (String, String)? {
        // Unlike other parameters, these are not ignored: what they hold would be lost (OpenID Connect Core §3.1.2.6, §6.1, §6.2).
        for (name, error) in [("request", "request_not_supported"), ("request_uri", "request_uri_not_supported")]
        where parameters[name] != nil { return (error, "\(name) came; request objects are not supported, as the metadata says") }
        guard !responseTypes.isEmpty else { return ("invalid_request", "response_type is missing") }
        guard [["code"], ["id_token"], ["id_token", "token"], ["token"]].contains(responseTypes) else {
            return (
                "unsupported_response_type", "'\(parameters["response_type"] ?? "")' is not one of code, id_token, token and id_token token"
            )
        }
        if let mode = parameters["response_mode"], ResponseMode(rawValue: mode) == nil {
            return ("invalid_request", "response_mode '\(mode)' is not one of query, fragment and form_post")
        }
        if responseMode == .query, !asksForCode {
            return ("invalid_request", "tokens are not put into a query (OAuth 2.0 Multiple Response Types §3)")
        }
        if responseTypes.contains("id_token"), parameters["nonce"] == nil {
            return ("invalid_request", "nonce is missing, which the implicit flow demands (OpenID Connect Core §3.2.2.1)")
        }
        if prompts.contains("none"), prompts.count > 1 {
            return ("invalid_request", "prompt=none came together with other prompts (OpenID Connect Core §3.1.2.1)")
        }
        // What is not understood is ignored (OpenID Connect Core §3.1.2.1), what no scope can be is not (RFC 6749 §3.3).
        if let scope = words("scope").first(where: { !Self.isScope($0) }) { return ("invalid_scope", "'\(scope)' is not a scope") }
        return asksForCode ? challengeError(isRequired: client.isPublic || settings.pkce == .required) : nil
    }

    /// `scope-token` of RFC 6749 §3.3.
    private static func isScope(_ word: String) -> Bool {
        word.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    /// The words of RFC 7636 §4.4.1.
    static let challengeRequired = "code challenge required"

    /// RFC 7636 §4.4.1; public clients always need a challenge (RFC 8252 §8.1, RFC 9700 §2.1.1).
    private func challengeError(isRequired: Bool) -> (String, String)? {
        guard let challenge = parameters["code_challenge"] else {
            if parameters["code_challenge_method"] != nil {
                return ("invalid_request", "code_challenge_method came without code_challenge")
            }
            return isRequired ? ("invalid_request", Self.challengeRequired) : nil
        }
        guard let method = PKCE.Method(rawValue: parameters["code_challenge_method"] ?? PKCE.Method.plain.rawValue) else {
            return (
                "invalid_request", "transform algorithm '\(parameters["code_challenge_method"] ?? "")' not supported; S256 and plain are"
            )
        }
        // An S256 challenge is 32 bytes in base64url; a plain one has the verifier's syntax (§4.1, §4.2).
        let isSound = method == .s256 ? Base64URL.decode(challenge)?.count == 32 : PKCE.isVerifier(challenge)
        return isSound ? nil : ("invalid_request", "code_challenge is not a \(method.rawValue) challenge (RFC 7636 §4.2)")
    }
}
