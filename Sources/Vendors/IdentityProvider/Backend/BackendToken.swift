import SparringVendorKit

/// The JWT by which the brand's backend vouches for a user of its app at a messaging vendor (Khoros, *End User Authentication*: HS256, `kid`, `scope`, `userId`,
/// `platform`, `givenName`, `iat`).
struct BackendToken: Sendable {
    var key: IdentityProvider.AppKey
    var userId: String
    var name: String?
    var platform = "ios"
    /// `jti` (RFC 7519 §4.1.7): without it two that are signed within a second are the same one.
    var id: String
    var issuedAt: Timestamp
    var lifetime: Duration
    /// Beside or in place of the usual ones.
    var claims: JSON.Object = [:]
    var defect: AppTokenDefect?
    /// The claim that ``AppTokenDefect/claimMissing`` leaves out.
    var missingClaim = "userId"

    private static let hour = Duration.seconds(3600)

    var expiresAt: Timestamp { defect == .expired ? issuedAt + (.zero - Self.hour) : start + lifetime }

    private var start: Timestamp {
        switch defect {
        case .expired: issuedAt + (.zero - Self.hour - lifetime)
        case .notYetValid: issuedAt + Self.hour
        default: issuedAt
        }
    }

    private var payload: JSON {
        var payload = JSON.members([
            "scope": defect == .wrongScope ? "account" : "appUser",
            "userId": defect == .numericUserId ? .integer(4711) : .string(defect == .anotherUser ? "not-\(userId)" : userId),
            "platform": .string(platform), "givenName": name.map { .string($0) },
            "iat": .integer(defect == .milliseconds ? start.milliseconds : start.seconds), "exp": .integer(expiresAt.seconds),
            "jti": .string(id), "nbf": defect == .notYetValid ? .integer(start.seconds) : nil,
        ])
        for (name, value) in claims { payload[name] = value }
        if defect == .claimMissing { payload[missingClaim] = nil }
        return payload
    }

    /// The compact JWS.
    func signed() throws(TokenError) -> String {
        let header: JSON = .members([
            "alg": .string(defect == .algNone ? "none" : SigningAlgorithm.hs256.rawValue), "typ": "JWT",
            "kid": defect == .kidMissing ? nil : .string(defect == .unknownKid ? "unknown-\(key.id)" : key.id),
        ])
        let secret = try SigningKey(secret: Array((defect == .wrongKey ? "not \(key.secret)" : key.secret).utf8))
        var token = JWS.sign(exactly: header, payload: payload, with: secret)
        if defect == .algNone { token = token.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        if defect == .tampered {
            var parts = token.split(separator: ".").map(String.init)
            // A member is added and none changed: whose token it is stays readable.
            parts[1] = Base64URL.encode(payload.merging(["tampered": true]).bytes)
            token = parts.joined(separator: ".")
        }
        return token
    }
}
