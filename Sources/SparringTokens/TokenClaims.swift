public import OrderedCollections
public import SparringJSON

/// The claims of a token (RFC 7519 §4.1), with times in seconds since the epoch.
public struct TokenClaims: Sendable, Equatable {
    /// `iss`.
    public var issuer: String
    /// `sub`.
    public var subject: String
    /// `aud`, where there is one.
    public var audience: String?
    /// `iat`.
    public var issuedAt: Int64
    /// Seconds from `iat` to `exp`.
    public var lifetime: Int64
    /// Further claims; one that bears the name of a claim above replaces it.
    public var extra: JSON.Object

    public init(
        issuer: String, subject: String, audience: String? = nil, issuedAt: Int64, lifetime: Int64, extra: JSON.Object = [:]
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.issuedAt = issuedAt
        self.lifetime = lifetime
        self.extra = extra
    }

    /// The claims as payload: `iss`, `sub`, `aud`, `iat`, `exp`, then the extra ones.
    public var payload: JSON {
        let payload = JSON.members([
            "iss": .string(issuer), "sub": .string(subject), "aud": audience.map(JSON.string),
            "iat": .integer(issuedAt), "exp": .integer(issuedAt.addingClamped(lifetime)),
        ])
        return .object((payload.object ?? [:]).merging(extra) { $1 })
    }
}
