import SparringEngine
import SparringJSON
import SparringJournal
import SparringTokens

/// The token that LivePerson's identity service gives out (reference 4.2): clients read their consumer id out of it.
struct LivePersonToken {
    /// As the sample tokens of the documentation have it.
    static let issuer = "https://idp.liveperson.net"
    private static let kid = "00001"

    var subject: String
    var account: String
    var issuedAt: Int64
    var expiresAt: Int64
    /// Of the brand's token: `sub`, `iss`, and whether it carried `lp_sdes`.
    var external: (sub: String, iss: String, hasSDEs: JSON?)?
    /// Of an anonymous one: when the first of its line was issued.
    var firstIssuedAt: Int64?

    func sign(with key: SigningKey) -> String {
        var payload: JSON = [
            "sub": .string(subject), "aud": .string(Self.audience(account)), "iss": .string(Self.issuer), "exp": .integer(expiresAt),
            "iat": .integer(issuedAt),
        ]
        if let external {
            // Opaque in the samples: all that a client can do with it is to carry it about.
            let opaque = external.hasSDEs.map { Draw(seed: 0, "lp_sdes", $0.text).hex }
            payload["lp.ext"] = .members([
                "sub": .string(external.sub), "iss": .string(external.iss), "lp_sdes": opaque.map { .string($0) },
            ])
        }
        if let firstIssuedAt { payload["first_iat"] = .integer(firstIssuedAt) }
        return JWS.sign(header: ["kid": .string(Self.kid)], payload: payload, with: key)
    }

    static func audience(_ account: String) -> String { "acc:\(account)" }
}
