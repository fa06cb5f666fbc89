import SparringVendorKit

/// The admin API's wishes for a token: for the one it mints, or for the one that a minted code will be redeemed for.
struct TokenWishes: Sendable {
    /// Claims beside or in place of the usual ones.
    var claims: JSON.Object = [:]
    var defect: TokenDefect?
    /// The claim that ``TokenDefect/claimMissing`` leaves out.
    var missingClaim = "exp"

    init() {}

    /// - Parameter time: becomes the claim `auth_time` (OpenID Connect Core §2).
    init(authenticatedAt time: Timestamp) { claims = ["auth_time": .integer(time.seconds)] }

    init(_ form: CredentialForm) throws(ConfigurationError) {
        claims = form.claims?.object ?? [:]
        defect = try form.defect(TokenDefect.self)
        missingClaim = form.missingClaim ?? missingClaim
    }

    /// Reads the wishes that were stored with a code.
    init(stored: JSON) {
        claims = stored["claims"]?.object ?? [:]
        defect = stored["defect"]?.string.flatMap(TokenDefect.init(rawValue:))
        missingClaim = stored["missingClaim"]?.string ?? missingClaim
    }

    var stored: JSON {
        .members(["claims": .object(claims), "defect": defect.map { .string($0.rawValue) }, "missingClaim": .string(missingClaim)])
    }

    /// With the defect that a fault wants (`mint` in the contract).
    func struck(_ call: Call) -> TokenWishes {
        guard let word = call.effect("mint")?["defect"], let defect = TokenDefect(rawValue: word) else { return self }
        var wishes = self
        wishes.defect = defect
        return wishes
    }

    /// The journal's remark on the defect that a fault wants; empty where everybody notices it.
    static func note(_ call: Call) -> String {
        let condition = call.effect("mint")?["defect"].flatMap(TokenDefect.init(rawValue:))?.condition
        return condition.map { "; \($0)" } ?? ""
    }
}
