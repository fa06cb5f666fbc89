public import SparringEngine
public import SparringTokens

extension TokenLook {
    /// Nil where none of the keys has signed the token.
    public init?(_ token: String, signedWith keys: [VerificationKey], of vendor: String) {
        guard let signed = try? JWS(parsing: token), let key = keys.first(where: { signed.verify(with: $0) }) else { return nil }
        self.init(key: "key \(key.kid ?? "without an id") of \(vendor)")
    }
}
