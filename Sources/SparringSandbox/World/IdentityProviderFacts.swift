/// An identity provider as others see it. URLs that begin with `/` are Sparring's own.
public struct IdentityProviderFacts: Sendable {
    public var issuer: String
    public var tokenEndpoint: String
    public var jwksURI: String
    public var clientId: String
    public var clientSecret: String
    public var redirectURI: String
    /// SubjectPublicKeyInfo, DER, base64; nil where the key is symmetric.
    public var publicKey: String?

    public init(
        issuer: String, tokenEndpoint: String, jwksURI: String, clientId: String, clientSecret: String, redirectURI: String,
        publicKey: String?
    ) {
        self.issuer = issuer
        self.tokenEndpoint = tokenEndpoint
        self.jwksURI = jwksURI
        self.clientId = clientId
        self.clientSecret = clientSecret
        self.redirectURI = redirectURI
        self.publicKey = publicKey
    }
}
