import SparringVendorKit

/// The brand's JWT for one of its users, checked (Khoros reference 1.5 and 1.6; End User Authentication, *Generate the JWT*).
struct UserJWT: Sendable {
    let userId: String
    let givenName: String?
    /// The claim of that name, which a JWT need not have.
    let platform: String?
    /// For the journal.
    let words: String
    /// Differences from the vendor's page that are no reason to refuse it.
    let findings: [Finding]

    /// No app of today makes tokens in the year 5000: such a time is in milliseconds.
    private static let milliseconds: Int64 = 100_000_000_000
    /// How far `iat` may be ahead (assumed).
    private static let ahead: Int64 = 60

    init(_ text: String, _ settings: Khoros.Settings, at now: Timestamp) throws(Refusal) {
        let token: JWS
        do throws(TokenError) { token = try JWS(parsing: text) } catch { throw Refusal("token-malformed", error.reason) }
        guard token.algorithm == .hs256 else {
            throw Refusal("algorithm-refused", "alg is \((token.header["alg"]?.string ?? "missing").quoted), only HS256 is accepted")
        }
        guard let kid = token.kid, !kid.isEmpty else { throw Refusal("key-id-missing", "the JWT's header has no kid") }
        guard let key = settings.key(kid) else {
            let known = settings.keys.map { "'\($0.id)'" }.joined(separator: ", ")
            throw Refusal("unknown-key", "kid is \(kid.quoted), the app has \(known.isEmpty ? "no key" : known)")
        }
        guard let secret = try? VerificationKey(secret: Array(key.secret.utf8)), token.verify(with: secret) else {
            throw Refusal("bad-signature", "the signature does not verify with the secret of key '\(key.id)'")
        }
        let claims = token.payload
        try Self.checkScope(in: claims)
        guard let user = claims["userId"] else { throw Refusal("claim-missing", "the claim userId is missing") }
        guard let userId = user.string, !userId.isEmpty else {
            throw Refusal("user-id-not-a-string", "userId is \(user.text.abbreviated(to: 100)), it must be a string that is not empty")
        }
        let times = try Times(claims, settings, now)
        self.userId = userId
        givenName = claims["givenName"]?.string
        platform = claims["platform"]?.string
        words = "JWT of \(userId) by key '\(key.id)'\(times.words)"
        findings = Self.findings(token, times, now)
    }

    /// Only one of the vendor's texts is public, and that names the scope `account` (Khoros reference 1.6). Any other scope is refused as a bad JWT
    /// (assumed).
    private static func checkScope(in claims: JSON) throws(Refusal) {
        let scope = claims["scope"]
        if scope?.string == "appUser" { return }
        let name = scope?.string == "account" ? "account-scope-refused" : "scope-refused"
        let words = "scope is \(scope?.quoted ?? "missing"), an app's key signs for 'appUser' only"
        // Khoros reference 1.5: JWTs for the vendor's API v2.
        let isNewer = scope?.string == "user" && claims["external_id"] != nil
        throw Refusal(name, words + (isNewer ? "; 'user' with external_id is the form of the vendor's API v2, this SDK's has userId" : ""))
    }

    private struct Times {
        var issuedAt: Int64?
        var expiresAt: Int64?
        var words = ""

        init(_ claims: JSON, _ settings: Khoros.Settings, _ now: Timestamp) throws(Refusal) {
            func time(_ name: String) throws(Refusal) -> Int64? {
                guard let claim = claims[name], !claim.isNull else { return nil }
                guard let seconds = claim.double.map({ Int64(clamped: $0) }) else {
                    throw Refusal("token-malformed", "\(name) is \(claim.text.abbreviated(to: 100)), it must be a number (RFC 7519 §2)")
                }
                return seconds
            }
            (issuedAt, expiresAt) = (try time("iat"), try time("exp"))
            let skew = settings.clockSkew.milliseconds / 1000
            if let expiresAt {
                guard now.seconds < expiresAt.addingClamped(skew) else {
                    throw Refusal("token-expired", "the JWT expired \((now - Timestamp(seconds: expiresAt)).words) ago")
                }
                words = expiresAt < UserJWT.milliseconds ? ", for \((Timestamp(seconds: expiresAt) - now).words) more" : ""
            } else {
                words = ", without end"
            }
            if let start = try time("nbf"), start.addingClamped(-skew) > now.seconds {
                throw Refusal("token-not-yet-valid", "nbf is \((Timestamp(seconds: start) - now).words) ahead")
            }
            if settings.refusesFutureIssuedAt, let issuedAt, issuedAt.addingClamped(-skew - UserJWT.ahead) > now.seconds {
                throw Refusal("token-not-yet-valid", "iat is \(issuedAt), more than a minute ahead of \(now.seconds)")
            }
        }
    }

    private static func findings(_ token: JWS, _ times: Times, _ now: Timestamp) -> [Finding] {
        let place = "header:authorization"
        var findings: [Finding] = []
        for (name, value) in [("iat", times.issuedAt), ("exp", times.expiresAt)] {
            guard let value, value >= milliseconds else { continue }
            findings.append(
                Finding("jwt-time-in-milliseconds", at: place, "\(name) is \(value): in seconds that is thousands of years ahead"))
        }
        if let issuedAt = times.issuedAt, issuedAt < milliseconds, issuedAt > now.seconds + ahead {
            findings.append(Finding("jwt-issued-in-the-future", at: place, "iat is \((Timestamp(seconds: issuedAt) - now).words) ahead"))
        }
        for name in ["platform", "givenName", "iat"] where token.payload[name] == nil {
            findings.append(Finding("jwt-claim-left-out", at: place, "the claim \(name) is missing"))
        }
        if token.header["typ"]?.string?.lowercased() != "jwt" {
            findings.append(Finding("jwt-type-left-out", at: place, "the header's typ is not JWT"))
        }
        return findings
    }
}
