import SparringTokens
import Testing

/// A cell of the table: one way to sign in, with one thing wrong, and what comes of it.
struct Trial: Sendable, CustomTestStringConvertible {
    let flow: Flow
    let defect: Defect
    let outcome: Decision
    var testDescription: String { "\(flow.rawValue), \(defect): \(outcome.brief)" }

    enum Flow: String, Sendable, CaseIterable {
        case jwtV1 = "implicit JWT v1"
        case jwtV2 = "implicit JWT v2"
        case jwtV3 = "implicit JWT v3"
        case jweV2 = "implicit JWE v2"
        case code = "code v2"
        case codeS256 = "code with PKCE S256 v2"
        case codePlain = "code with PKCE plain v2"
        case client = "OIDC client at the token endpoint"

        static let implicit = [jwtV1, jwtV2, jwtV3, jweV2]
        static let codes = [code, codeS256, codePlain]
        static let pkce = [codeS256, codePlain]

        var isImplicit: Bool { Self.implicit.contains(self) }
        var version: Scene.Version { self == .jwtV1 ? .v1 : self == .jwtV3 ? .v3 : .v2 }
        var challengeMethod: String? { self == .codeS256 ? "S256" : self == .codePlain ? "plain" : nil }
    }

    enum Defect: Sendable {
        case none
        /// The token itself: of the brand's own making in implicit flow, minted by Sparring's provider in code flow.
        case token(TokenDefect, claim: String = "exp")
        case numericDatesAsStrings, es256, hs256OfPublicKey, malformed(String), issuerWithSlash
        /// On an account that asks for an audience, or takes keys from a JWKS endpoint.
        case wrongAudienceAsked, rightAudienceAsked, keySet(kid: String?), wrongKeyOfSet
        case keysUnavailable(ScriptedServer.Script?)
        case otherRecipient, jweAlgorithm(String), jweTampered, jweOfNoToken
        case codeTwice, codeExpired, codeUnknown, codeNotYetExpired
        case redirectURI(String), slashTolerated
        case verifierWrong, verifierMissing, verifierUnasked, pkceSwitchedOn
        case wrongSecret, noClientAuthentication
        case issuerName(String), accountUnknown, connectorUnknown
        case endpoint(ScriptedServer.Script?)
        case both, neither
    }

    enum Party: Sendable { case identity, liveperson }

    enum Decision: Sendable {
        case accepted(String)
        case refused(by: Party, Int, String, String)

        var brief: String { if case .refused(_, let status, let body, _) = self { "\(status) \(body)" } else { "accepted" } }
    }

    /// LivePerson's own refusal.
    static func refused(_ code: String, _ cause: String) -> Decision {
        .refused(by: .liveperson, 500, #"{"internalErrorCode":"\#(code)"}"#, cause)
    }
    /// The provider's refusal, as LivePerson's client sees it.
    static func relayed(_ code: String, _ cause: String) -> Decision {
        .refused(by: .identity, 500, #"{"internalErrorCode":"\#(code)"}"#, cause)
    }
    /// The provider's refusal, as its own client sees it: its description is the cause.
    static func direct(_ error: String, _ cause: String, status: Int = 400) -> Decision {
        .refused(by: .identity, status, #"{"error":"\#(error)","error_description":"\#(cause)"}"#, cause)
    }
}
