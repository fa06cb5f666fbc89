import SparringTokens

/// The table of *flow × defect*.
extension Trial {
    static let all = implicit + codes + endpoints + clients

    private static func rows(_ flows: [Flow], _ rows: [(Defect, Decision)]) -> [Trial] {
        flows.flatMap { flow in rows.map { Trial(flow: flow, defect: $0.0, outcome: $0.1) } }
    }

    private static let badSignature = "the signature does not verify with the public key configured for Brand"

    private static let implicit =
        rows(
            Flow.implicit,
            [
                (.none, .accepted("ada signed in by implicit flow")),
                (.token(.expired), refused("mock-token-expired", "the token expired 60 min ago")),
                (.token(.notYetValid), refused("mock-token-not-yet-valid", "the token is valid from 60 min on from now")),
                (.token(.wrongKey), refused("9007", badSignature)),
                (.token(.tampered), refused("9007", badSignature)),
                (.token(.claimMissing, claim: "iss"), refused("mock-claim-missing", "claim iss is missing")),
                (.token(.claimMissing, claim: "iat"), refused("mock-claim-missing", "claim iat is missing")),
                (.token(.claimMissing, claim: "exp"), refused("mock-claim-missing", "claim exp is missing")),
                (.token(.claimMissing, claim: "sub"), refused("mock-claim-missing", "claim sub is missing")),
                (
                    .token(.wrongIssuer),
                    refused("mock-issuer-mismatch", "iss is 'https://wrong-issuer.invalid', the account knows 'https://idp.brand.test'")
                ),
                (
                    .issuerWithSlash,
                    refused("mock-issuer-mismatch", "iss is 'https://idp.brand.test/', the account knows 'https://idp.brand.test'")
                ),
                (.token(.wrongAudience), .accepted("ada signed in by implicit flow")),
                (.wrongAudienceAsked, refused("mock-audience-mismatch", "aud is 'somebody else', the account wants 'acc:brand'")),
                (.rightAudienceAsked, .accepted("ada signed in by implicit flow")),
                (.token(.algNone), refused("mock-algorithm-refused", "alg is 'none', only RS256 is accepted")),
                (.hs256OfPublicKey, refused("mock-algorithm-refused", "alg is 'HS256', only RS256 is accepted")),
                (.es256, refused("mock-algorithm-refused", "alg is 'ES256', only RS256 is accepted")),
                (.malformed("rubbish"), refused("mock-token-malformed", "not a compact JWS")),
                (.malformed("a.b.c"), refused("mock-token-malformed", "")),
                (.malformed("eyJhbGciOiJSUzI1NiJ9.W10.AA"), refused("mock-token-malformed", "payload is array instead of object")),
                (.token(.unknownKid), .accepted("ada signed in by implicit flow")),
                (.keySet(kid: Brand.kid), .accepted("ada signed in by implicit flow")),
                (.keySet(kid: "unheard-of"), refused("mock-unknown-key", "kid is 'unheard-of'")),
                (.keySet(kid: nil), refused("mock-unknown-key", "kid is missing, which an account with a JWKS endpoint needs")),
                (.wrongKeyOfSet, refused("9007", "the signature does not verify with the published key of Brand")),
                (.accountUnknown, refused("mock-account-unknown", "no sandbox has the liveperson accountId 'nobody'")),
            ])
        + rows(
            [.jweV2],
            [
                (.otherRecipient, refused("mock-jwe-undecryptable", "it was made for another key or with another algorithm")),
                (
                    .jweAlgorithm(#"{"alg":"RSA1_5","enc":"A128CBC-HS256"}"#),
                    refused("mock-jwe-undecryptable", "alg 'RSA1_5' is not RSA-OAEP")
                ),
                (
                    .jweAlgorithm(#"{"alg":"RSA-OAEP-256","enc":"A512GCM"}"#),
                    refused("mock-jwe-undecryptable", "enc 'A512GCM' is not one of")
                ),
                (.jweTampered, refused("mock-jwe-undecryptable", "authentication tag does not fit")),
                (.jweOfNoToken, refused("mock-token-malformed", "not a compact JWS")),
                (.malformed("a.b.c.d.e"), refused("mock-jwe-undecryptable", "")),
            ])
        + rows(
            [.jwtV2],
            [
                (.issuerName("Brand"), .accepted("ada signed in by implicit flow")),
                (.issuerName("Brnad"), refused("mock-issuer-unknown", "no issuer is called 'Brnad'; there is 'Brand'")),
                (.numericDatesAsStrings, .accepted("ada signed in by implicit flow (JWT, iat as a string, exp in milliseconds)")),
                (.keysUnavailable(nil), refused("mock-key-unavailable", "")),
                (.keysUnavailable(.silence), refused("mock-key-unavailable", "within 300 ms")),
                (.keysUnavailable(.hangUp), refused("mock-key-unavailable", "")),
                (.keysUnavailable(.answer(500, "down")), refused("mock-key-unavailable", "answered 500")),
                (.keysUnavailable(.answer(200, type: "text/html", "<html>")), refused("mock-key-unavailable", "")),
                (.keysUnavailable(.answer(200, #"{"keys":[]}"#)), refused("mock-unknown-key", "has none")),
                (.both, refused("mock-request-malformed", "")),
                (.neither, refused("mock-request-malformed", "")),
            ])
        + rows(
            [.jwtV3],
            [(.connectorUnknown, refused("mock-connector-unknown", "no connector has the id '4711'; there is 770001"))])

    private static let codes =
        rows(
            Flow.codes,
            [
                (.none, .accepted("ada signed in by code flow")),
                (.codeTwice, relayed("mock-code-reused", "code was redeemed by entry 2, 0 ms ago")),
                (.codeExpired, relayed("mock-code-expired", "code expired 1 s ago (it lived 60 s)")),
                (.codeNotYetExpired, .accepted("ada signed in by code flow")),
                (.codeUnknown, relayed("mock-code-unknown", "code is not one that this provider issued")),
                (
                    .redirectURI("https://example.org"),
                    relayed(
                        "mock-redirect-uri-mismatch",
                        "redirect_uri 'https://example.org' was sent, 'https://liveperson.net' is what the code is bound to")
                ),
                (
                    .redirectURI("https://liveperson.net/"),
                    relayed("mock-redirect-uri-mismatch", "redirect_uri differs by a trailing slash")
                ),
                (.redirectURI("https://LivePerson.net"), relayed("mock-redirect-uri-mismatch", "redirect_uri differs in capital letters")),
                (.redirectURI(Scene.redirectURI), .accepted("ada signed in by code flow")),
                (.slashTolerated, .accepted("ada signed in by code flow")),
                (.wrongSecret, relayed("mock-client-refused", "client_secret is wrong")),
                (.issuerName("Brand"), .accepted("ada signed in by code flow")),
                (.issuerName("Brnad"), refused("mock-issuer-unknown", "no issuer is called 'Brnad'; there is 'Brand'")),
                (.accountUnknown, refused("mock-account-unknown", "no sandbox has the liveperson accountId 'nobody'")),
                (.token(.expired), refused("mock-token-expired", "the token expired 60 min ago")),
                (.token(.notYetValid), refused("mock-token-not-yet-valid", "the token is valid from 60 min on from now")),
                (.token(.wrongKey), refused("9007", badSignature)),
                (.token(.tampered), refused("9007", badSignature)),
                (.token(.claimMissing, claim: "iss"), refused("mock-claim-missing", "claim iss is missing")),
                (.token(.claimMissing, claim: "sub"), refused("mock-claim-missing", "claim sub is missing")),
                (.token(.claimMissing, claim: "iat"), refused("mock-claim-missing", "claim iat is missing")),
                (.token(.claimMissing, claim: "exp"), refused("mock-claim-missing", "claim exp is missing")),
                (.token(.wrongIssuer), refused("mock-issuer-mismatch", "iss is 'https://wrong-issuer.invalid'")),
                (.token(.algNone), refused("mock-algorithm-refused", "alg is 'none', only RS256 is accepted")),
                (.token(.wrongAudience), .accepted("ada signed in by code flow")),
                (.wrongAudienceAsked, refused("mock-audience-mismatch", "aud is 'wrong-audience', the account wants 'brand-app'")),
                (.rightAudienceAsked, .accepted("ada signed in by code flow")),
                (.token(.unknownKid), .accepted("ada signed in by code flow")),
                (.keySet(kid: nil), .accepted("ada signed in by code flow")),
                (.keySet(kid: "unheard-of"), refused("mock-unknown-key", "kid is 'unknown-")),
                (.wrongKeyOfSet, refused("9007", "the signature does not verify with the published key of Brand")),
            ])
        + rows(
            Flow.pkce,
            [
                (.verifierMissing, relayed("mock-code-verifier-missing", "code was issued with a code_challenge, no code_verifier came")),
                (.pkceSwitchedOn, .accepted("ada signed in by code flow")),
            ])
        + rows(
            [.codeS256], [(.verifierWrong, relayed("mock-code-verifier-mismatch", "code_verifier does not match the S256 code_challenge"))])
        + rows(
            [.codePlain],
            [(.verifierWrong, relayed("mock-code-verifier-mismatch", "code_verifier does not match the plain code_challenge"))])
        + rows(
            [.code],
            [
                (
                    .verifierUnasked,
                    relayed("mock-code-verifier-mismatch", "a code_verifier came, the code was issued without code_challenge")
                ),
                (.pkceSwitchedOn, refused("mock-code-verifier-missing", "PKCE is switched on for Brand, no code_verifier came")),
            ])

    /// A token endpoint that is not Sparring's.
    private static let endpoints = rows(
        [.code],
        [
            (.endpoint(nil), refused("mock-token-endpoint-unreachable", "/nobody")),
            (.endpoint(.hangUp), refused("mock-token-endpoint-unreachable", "")),
            (.endpoint(.silence), refused("mock-token-endpoint-timeout", "within 300 ms")),
            (.endpoint(.stall), refused("mock-token-endpoint-timeout", "within 300 ms")),
            (.endpoint(.half), refused("mock-token-endpoint-unreachable", "")),
            (.endpoint(.bytes("HTTP/1.1 nonsense\r\n\r\n")), refused("mock-token-endpoint-unreachable", "")),
            (
                .endpoint(.answer(200, type: "text/html", "<html>Sign in</html>")),
                refused("mock-token-endpoint-nonsense", "answered 200 with no JSON")
            ),
            (.endpoint(.answer(200, "")), refused("mock-token-endpoint-nonsense", "answered 200 with no JSON")),
            (.endpoint(.answer(200, "42")), refused("mock-token-endpoint-nonsense", "answered 200 without an id_token")),
            (
                .endpoint(.answer(200, #"{"access_token":"a"}"#)),
                refused("mock-token-endpoint-nonsense", "answered 200 without an id_token")
            ),
            (.endpoint(.answer(200, #"{"id_token":42}"#)), refused("mock-token-endpoint-nonsense", "answered 200 without an id_token")),
            (.endpoint(.answer(200, #"{"id_token":"rubbish"}"#)), refused("mock-token-malformed", "not a compact JWS")),
            (.endpoint(.answer(302, "")), refused("mock-token-endpoint-nonsense", "answered 302")),
            (.endpoint(.answer(404, type: "text/plain", "no")), refused("mock-token-endpoint-nonsense", "answered 404")),
            (.endpoint(.answer(503, "")), refused("mock-token-endpoint-unreachable", "answered 503")),
            (.endpoint(.answer(400, #"{"error":"invalid_grant"}"#)), refused("mock-token-endpoint-refused", "answered 400 invalid_grant")),
            (.endpoint(.answer(400, #"{"error":"invalid_code"}"#)), refused("mock-token-endpoint-refused", "answered 400 invalid_code")),
            (
                .endpoint(.answer(400, #"{"error":"unauthorized_client","error_description":"no messaging"}"#)),
                refused("mock-token-endpoint-refused", "answered 400 unauthorized_client: no messaging")
            ),
            (.endpoint(.answer(401, #"{"error":"invalid_client"}"#)), refused("mock-client-refused", "answered 401 invalid_client")),
        ])

    private static let clients = rows(
        [.client],
        [
            (.none, .accepted("code of ada redeemed")),
            (.codeTwice, direct("invalid_grant", "code was redeemed by entry 2, 0 ms ago")),
            (.codeExpired, direct("invalid_grant", "code expired 1 s ago (it lived 60 s)")),
            (.codeUnknown, direct("invalid_grant", "code is not one that this provider issued")),
            (
                .redirectURI("https://example.org"),
                direct(
                    "invalid_grant", "redirect_uri 'https://example.org' was sent, 'https://liveperson.net' is what the code is bound to")
            ),
            (
                .redirectURI("https://liveperson.net/"),
                direct(
                    "invalid_grant",
                    "redirect_uri differs by a trailing slash: 'https://liveperson.net/' was sent, 'https://liveperson.net' is what the code is bound to"
                )
            ),
            (.slashTolerated, .accepted("code of ada redeemed")),
            (.verifierWrong, direct("invalid_grant", "code_verifier does not match the S256 code_challenge")),
            (.verifierMissing, direct("invalid_grant", "code was issued with a code_challenge, no code_verifier came")),
            (.verifierUnasked, direct("invalid_grant", "a code_verifier came, the code was issued without code_challenge")),
            (.wrongSecret, direct("invalid_client", "client_secret is wrong", status: 401)),
            (.noClientAuthentication, direct("invalid_client", "the request has no client authentication", status: 401)),
        ])
}
