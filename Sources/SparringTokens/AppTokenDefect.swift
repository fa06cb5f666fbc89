/// The defects of a JWT that the brand's backend signs for a user of its app.
public enum AppTokenDefect: String, CaseIterable, Sendable {
    case expired
    case notYetValid = "not-yet-valid"
    case wrongKey = "wrong-key"
    case unknownKid = "unknown-kid"
    case kidMissing = "kid-missing"
    case wrongScope = "wrong-scope"
    case claimMissing = "claim-missing"
    case numericUserId = "numeric-user-id"
    case anotherUser = "another-user"
    /// `iat` in milliseconds, as in the vendor's sample.
    case milliseconds
    case algNone = "alg-none"
    case tampered
}
