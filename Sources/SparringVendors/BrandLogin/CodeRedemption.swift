import HTTPTypes
import SparringEngine
import SparringJSON
import SparringContract

/// A vendor's own call to the brand's token endpoint, server to server (RFC 6749 §4.1.3).
struct CodeRedemption {
    let call: Call
    let trust: BrandTrust

    /// - Returns: the ID token that the code was worth.
    func redeem(_ code: String, at issuer: BrandIssuer) async -> Result<String, Refusal> {
        guard let endpoint = issuer.tokenEndpoint else {
            return .failure(Refusal("token-endpoint-unreachable", "no token endpoint is configured for \(issuer.displayName)"))
        }
        let verifier = call.field("code_verifier")
        if issuer.pkce, verifier == nil {
            return .failure(Refusal("code-verifier-missing", "PKCE is switched on for \(issuer.displayName), no code_verifier came"))
        }
        var form = [
            ("code", code), ("grant_type", "authorization_code"), ("redirect_uri", call.field("redirect_uri") ?? issuer.redirectURI),
        ]
        if let verifier { form.append(("code_verifier", verifier)) }
        let credentials = "\(PercentCoding.encoded(issuer.clientId)):\(PercentCoding.encoded(issuer.clientSecret))"  // RFC 6749 §2.3.1
        let headers: HTTPFields = [
            .authorization: "Basic \(Base64.encode(Array(credentials.utf8)))", .contentType: "application/x-www-form-urlencoded",
            .accept: "application/json",
        ]
        let request = OutboundRequest(
            .post, endpoint, headers: headers, body: Array(PercentCoding.form(form).utf8), timeout: trust.tokenEndpointTimeout)
        switch await call.send(request) {
        case .timedOut(let reason): return .failure(Refusal("token-endpoint-timeout", reason))
        case .failed(let reason): return .failure(Refusal("token-endpoint-unreachable", reason))
        case .answered(let answer): return read(answer, from: endpoint)
        }
    }

    private func read(_ answer: OutboundAnswer, from endpoint: String) -> Result<String, Refusal> {
        let body = try? JSON(parsing: answer.body)
        guard answer.status == 200 else { return .failure(refusal(answer, body, endpoint)) }
        guard let body else { return .failure(Refusal("token-endpoint-nonsense", "\(endpoint) answered 200 with no JSON")) }
        guard let token = body["id_token"]?.string, !token.isEmpty else {
            return .failure(Refusal("token-endpoint-nonsense", "\(endpoint) answered 200 without an id_token"))
        }
        return .success(token)
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
