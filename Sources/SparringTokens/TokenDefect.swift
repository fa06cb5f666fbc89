/// The defects of a token that is minted to be refused.
public enum TokenDefect: String, Sendable, CaseIterable {
    /// `exp` has passed an hour ago (RFC 7519 §4.1.4).
    case expired
    /// `nbf` and `iat` are an hour ahead (RFC 7519 §4.1.5).
    case notYetValid = "not-yet-valid"
    /// Signed by a stranger under the right `kid`.
    case wrongKey = "wrong-key"
    /// Signed by the right key under a `kid` that no key set has.
    case unknownKid = "unknown-kid"
    /// `iss` is another (RFC 7519 §4.1.1).
    case wrongIssuer = "wrong-issuer"
    /// `aud` is another, also where there should be none (RFC 7519 §4.1.3).
    case wrongAudience = "wrong-audience"
    /// A claim is missing.
    case claimMissing = "claim-missing"
    /// Not signed: `alg` is `none` (RFC 7515 appendix A.5).
    case algNone = "alg-none"
    /// The payload was changed after it was signed; it is still JSON.
    case tampered

    /// The vendors that notice it, in words; nil where all do.
    public var condition: String? {
        switch self {
        case .unknownKid: "only a vendor that looks keys up by kid notices it (certificate: jwks)"
        case .wrongAudience: "only a vendor whose configuration names an audience notices it"
        default: nil
        }
    }
}
