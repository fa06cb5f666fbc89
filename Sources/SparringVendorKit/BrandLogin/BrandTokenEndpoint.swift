import HTTPTypes
import SparringContract
public import SparringEngine
import SparringJSON
import SparringTokens

/// The answer of a brand's token endpoint (RFC 6749 §5.1).
public struct BrandTokens: Sendable {
    /// OpenID Connect Core §3.1.3.3; nil where none came.
    var idToken: String?
    public var accessToken: String
    public var refreshToken: String?
    /// The access token's lifetime, in seconds.
    public var expiresIn: Int64?
    /// The granted scope; nil if the answer does not have it (RFC 6749 §5.1).
    var scope: String?
}

/// A vendor's own calls to the brand's token endpoint, server to server.
public struct BrandTokenEndpoint {
    let call: Call
    let trust: BrandTrust
    let issuer: BrandIssuer

    public init(call: Call, trust: BrandTrust, issuer: BrandIssuer) {
        (self.call, self.trust, self.issuer) = (call, trust, issuer)
    }

    /// Redeems an authorization code (RFC 6749 §4.1.3).
    ///
    /// - Parameters:
    ///   - verifier: the client's `code_verifier` (RFC 7636 §4.5).
    ///   - redirectURI: the client's; nil: the one that is configured.
    public func redeem(_ code: String, verifier: String?, redirectURI: String? = nil) async throws(Refusal) -> BrandTokens {
        if issuer.pkce, verifier == nil {
            throw Refusal("code-verifier-missing", "PKCE is switched on for \(issuer.displayName), no code_verifier came")
        }
        var form = [("code", code), ("grant_type", "authorization_code"), ("redirect_uri", redirectURI ?? issuer.redirectURI)]
        if let verifier { form.append(("code_verifier", verifier)) }
        return try await post(form)
    }

    /// Gets new tokens (RFC 6749 §6).
    public func refresh(_ token: String) async throws(Refusal) -> BrandTokens {
        try await post([("grant_type", "refresh_token"), ("refresh_token", token)])
    }

    private func post(_ form: [(String, String)]) async throws(Refusal) -> BrandTokens {
        guard let endpoint = issuer.tokenEndpoint else {
            throw Refusal("token-endpoint-unreachable", "no token endpoint is configured for \(issuer.displayName)")
        }
        let credentials = "\(PercentCoding.encoded(issuer.clientId)):\(PercentCoding.encoded(issuer.clientSecret))"  // RFC 6749 §2.3.1
        let headers: HTTPFields = [
            .authorization: "Basic \(Base64.encode(Array(credentials.utf8)))", .contentType: "application/x-www-form-urlencoded",
            .accept: "application/json",
        ]
        let request = OutboundRequest(
            .post, endpoint, headers: headers, body: Array(PercentCoding.form(form).utf8), timeout: trust.tokenEndpointTimeout)
        switch await call.send(request) {
        case .timedOut(let reason): throw Refusal("token-endpoint-timeout", reason)
        case .failed(let reason): throw Refusal("token-endpoint-unreachable", reason)
        case .answered(let answer): return try read(answer, from: endpoint)
        }
    }

    private func read(_ answer: OutboundAnswer, from endpoint: String) throws(Refusal) -> BrandTokens {
        let body = try? JSON(parsing: answer.body)
        guard answer.status == 200 else { throw refusal(answer, body, endpoint) }
        guard let body else { throw Refusal("token-endpoint-nonsense", "\(endpoint) answered 200 with no JSON") }
        return BrandTokens(
            idToken: body["id_token"]?.string, accessToken: body["access_token"]?.string ?? "",
            refreshToken: body["refresh_token"]?.string, expiresIn: body["expires_in"]?.integer(in: 0...Self.longest),
            scope: body["scope"]?.string)
    }

    /// Ten years, in seconds.
    private static let longest: Int64 = 315_360_000

    /// - Throws: where the answer had none.
    public func idToken(of tokens: BrandTokens) throws(Refusal) -> String {
        if let token = tokens.idToken, !token.isEmpty { return token }
        // OpenID Connect Core §3.1.2.1: without it, an ID token is not to be expected.
        let lacksOpenID = tokens.scope.map { !$0.split(separator: " ").contains("openid") } ?? false
        let remark = lacksOpenID ? ": the scope \((tokens.scope ?? "").quoted) has no openid" : ""
        throw Refusal("token-endpoint-nonsense", "\(issuer.tokenEndpoint ?? "") answered 200 without an id_token\(remark)")
    }

    private func refusal(_ answer: OutboundAnswer, _ body: JSON?, _ endpoint: String) -> Refusal {
        // Sparring's own provider says exactly what was wrong; of a foreign one only the error's name is known.
        if let name = answer.name, call.operation.answer(name)?.isUnhappy == true, answer.status == 400 || answer.status == 401 {
            return Refusal(name, "at the token endpoint: \(answer.cause ?? name)")
        }
        let error = body?["error"]?.string
        let words =
            "\(endpoint) answered \(answer.status)" + (error.map { " \($0)" } ?? "")
            + (body?["error_description"]?.string.map { ": \($0)" } ?? "")
        if answer.status >= 500 { return Refusal("token-endpoint-unreachable", words) }
        if error == "invalid_client" || answer.status == 401 { return Refusal("client-refused", words) }
        return error == nil ? Refusal("token-endpoint-nonsense", words) : Refusal("token-endpoint-refused", words)
    }
}
