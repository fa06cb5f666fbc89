/// An identity provider as others see it. URLs that begin with `/` are Sparring's own.
public struct IdentityProviderFacts: Sendable {
    public var issuer: String
    public var tokenEndpoint: String
    public var jwksURI: String
    public var clientId: String
    public var clientSecret: String
    public var redirectURI: String
    /// SubjectPublicKeyInfo, DER, base64; nil where the key is not RSA.
    public var publicKey: String?
    /// With which the brand's backend signs JWTs for users of its app (HS256): its `kid` and its secret.
    public var appKey: (id: String, secret: String)

    public init(
        issuer: String, tokenEndpoint: String, jwksURI: String, clientId: String, clientSecret: String, redirectURI: String,
        publicKey: String?, appKey: (id: String, secret: String)
    ) {
        self.issuer = issuer
        self.tokenEndpoint = tokenEndpoint
        self.jwksURI = jwksURI
        self.clientId = clientId
        self.clientSecret = clientSecret
        self.redirectURI = redirectURI
        self.publicKey = publicKey
        self.appKey = appKey
    }
}
