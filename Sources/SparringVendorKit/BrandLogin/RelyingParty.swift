/// A vendor that signs consumers in with the brand's tokens, as the brand's identity provider knows it.
public struct RelyingParty: Sendable {
    /// The vendor's, and the word for its `errorDialect`.
    public var name: String
    /// The error that the vendor's documentation wants from brands' token endpoints in place of RFC 6749 §5.2's names, by the refusal's
    /// name in the contract; nil for a refusal that it has no word for. No closure: it has no words of its own.
    public var tokenError: (@Sendable (String) -> String?)?

    public init(name: String, tokenError: (@Sendable (String) -> String?)? = nil) {
        (self.name, self.tokenError) = (name, tokenError)
    }
}
