import SparringTokens

extension Trial.Defect: CustomStringConvertible {
    /// The defect as it appears in a row's name.
    var description: String {
        switch self {
        case .none: "nothing wrong"
        case .token(.claimMissing, let claim): "\(claim) missing"
        case .token(let defect, _): defect.rawValue
        case .numericDatesAsStrings: "dates as strings and milliseconds"
        case .es256: "signed by ES256"
        case .hs256OfPublicKey: "HS256 with the public key as secret"
        case .malformed(let text): "token '\(text)'"
        case .issuerWithSlash: "issuer with a trailing slash"
        case .wrongAudienceAsked: "audience asked for, another came"
        case .rightAudienceAsked: "audience asked for and there"
        case .keySet(let kid): "key set, kid \(kid ?? "missing")"
        case .wrongKeyOfSet: "key set, wrong key"
        case .keysUnavailable(let script): "key set endpoint: \(script.words)"
        case .otherRecipient: "encrypted for another key"
        case .jweAlgorithm(let header): "JWE header \(header)"
        case .jweTampered: "JWE tampered with"
        case .jweOfNoToken: "JWE of no token"
        case .codeTwice: "code used twice"
        case .codeExpired: "code a second too old"
        case .codeNotYetExpired: "code of the last second"
        case .codeUnknown: "code unknown"
        case .redirectURI(let uri): "redirect URI \(uri)"
        case .slashTolerated: "redirect URI with a slash, tolerated"
        case .verifierWrong: "verifier wrong"
        case .verifierMissing: "verifier missing"
        case .verifierUnasked: "verifier that nobody asked for"
        case .pkceSwitchedOn: "PKCE switched on for the issuer"
        case .wrongSecret: "client secret wrong"
        case .noClientAuthentication: "no client authentication"
        case .issuerName(let name): "issuerDisplayName \(name)"
        case .accountUnknown: "account unknown"
        case .connectorUnknown: "connector unknown"
        case .endpoint(let script): "token endpoint: \(script.words)"
        case .both: "code and token"
        case .neither: "neither code nor token"
        }
    }
}

extension ScriptedServer.Script? {
    fileprivate var words: String {
        switch self {
        case nil: "nobody listens"
        case .answer(let status, let type, let body): "\(status) \(type) \(body)"
        case .half: "half an answer"
        case .stall: "half an answer, then nothing"
        case .silence: "no answer"
        case .hangUp: "hangs up"
        case .bytes: "no HTTP"
        }
    }
}
