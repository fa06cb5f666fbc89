import SparringVendorKit

/// The token that LivePerson's identity service gives out (LivePerson reference 4.2): clients read their consumer id out of it.
struct LivePersonToken {
    /// The issuer in the documentation's sample tokens.
    static let issuer = "https://idp.liveperson.net"
    private static let kid = "00001"
    /// A claim of this mock's own: LivePerson's way of knowing how old an anonymous identity is, is unknown.
    private static let firstIssue = "first_iat"
    /// Another of its own: it distinguishes a token that was given out before a sign-out from a later one with the same times.
    private static let signOutCount = "mock_sign_outs"

    /// Seconds of the epoch that a token may name.
    static let times: ClosedRange<Int64> = 0...999_999_999_999

    var subject: String
    var account: String
    var issuedAt: Int64
    var expiresAt: Int64
    /// The claims that are kept of the brand's token.
    struct External {
        var sub: String
        var iss: String
        var sdes: JSON?
    }
    var external: External?
    /// The time at which the first of an anonymous token's line was issued.
    var firstIssuedAt: Int64?
    /// How often the consumer had been signed out before.
    var signOuts = 0

    func sign(with key: SigningKey) -> String {
        var payload: JSON = [
            "sub": .string(subject), "aud": .string(Self.audience(account)), "iss": .string(Self.issuer), "exp": .integer(expiresAt),
            "iat": .integer(issuedAt),
        ]
        if let external {
            // Opaque in the samples: all that a client can do with it is to carry it about.
            let opaque = external.sdes.map { Draw(seed: 0, "lp_sdes", $0.text).hex }
            payload["lp.ext"] = .members([
                "sub": .string(external.sub), "iss": .string(external.iss), "lp_sdes": opaque.map { .string($0) },
            ])
        }
        if let firstIssuedAt { payload[Self.firstIssue] = .integer(firstIssuedAt) }
        if signOuts > 0 { payload[Self.signOutCount] = .integer(Int64(signOuts)) }
        return JWS.sign(header: ["kid": .string(Self.kid)], payload: payload, with: key)
    }

    /// The first issue time of an anonymous token; nil where the claim is missing or no time. The keys are public, so it may be any number.
    static func firstIssuedAt(_ payload: JSON) -> Int64? { payload[firstIssue]?.integer(in: times) }

    static func signOuts(_ payload: JSON) -> Int { payload[signOutCount]?.integer(in: 0...Int.max) ?? 0 }

    static func audience(_ account: String) -> String { "acc:\(account)" }
}
