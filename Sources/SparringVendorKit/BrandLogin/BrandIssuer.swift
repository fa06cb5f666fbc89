public import SparringJSON
public import SparringSandbox
public import SparringTokens

/// A brand's identity provider as it is configured at a vendor.
public struct BrandIssuer: Sendable {
    enum Certificate: String, Decodable {
        case publicKey, jwks
    }

    public var displayName: String
    /// `iss` of its tokens. With a slash in front: Sparring's own provider there, by whichever name of this server.
    public var iss: String
    var certificate: Certificate
    /// The public key's text, as configured; ``key`` was read from it.
    var publicKey: String?
    var key: VerificationKey?
    var jwksURI: String?
    public var tokenEndpoint: String?
    var clientId: String
    var clientSecret: String
    var pkce: Bool
    var redirectURI: String
}

extension BrandIssuer: Decodable {
    private enum CodingKeys: String, CodingKey {
        case displayName, iss, certificate, publicKey, jwksURI, tokenEndpoint, clientId, clientSecret, pkce, redirectURI
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        iss = try members.decode(String.self, forKey: .iss)
        displayName = try members.decodeIfPresent(String.self, forKey: .displayName) ?? iss
        publicKey = try members.decodeIfPresent(String.self, forKey: .publicKey)
        jwksURI = try members.endpointIfPresent(forKey: .jwksURI)
        certificate =
            try members.decodeIfPresent(Certificate.self, forKey: .certificate) ?? (publicKey == nil && jwksURI != nil ? .jwks : .publicKey)
        tokenEndpoint = try members.endpointIfPresent(forKey: .tokenEndpoint)
        clientId = try members.decodeIfPresent(String.self, forKey: .clientId) ?? ""
        clientSecret = try members.decodeIfPresent(String.self, forKey: .clientSecret) ?? ""
        pkce = try members.decode(Bool.self, forKey: .pkce)
        redirectURI = try members.decodeIfPresent(String.self, forKey: .redirectURI) ?? ""
        switch certificate {
        case .publicKey where publicKey == nil:
            throw members.refusal(of: .publicKey, "the certificate type publicKey needs it: base64 of a SubjectPublicKeyInfo, or a PEM")
        case .publicKey:
            key = try members.publicKey(
                forKey: .publicKey, for: CredentialCheck.algorithm,
                otherwise: "a P-256 key; tokens are signed with \(CredentialCheck.algorithm.rawValue): an RSA key")
        case .jwks where jwksURI == nil: throw members.refusal(of: .jwksURI, "the certificate type jwks needs it")
        case .jwks: key = nil
        }
    }

    /// A vendor that takes tokens of its own, and knows their key.
    public init(vendor displayName: String, iss: String, key: VerificationKey) {
        self.init(
            displayName: displayName, iss: iss, certificate: .publicKey, key: key, clientId: "", clientSecret: "", pkce: false,
            redirectURI: "")
    }

    /// How a vendor is configured that trusts the sandbox's own provider.
    public static func configuration(trusting provider: IdentityProviderFacts) -> JSON {
        .members([
            "displayName": "Brand", "iss": .string(provider.issuer),
            "certificate": .string((provider.publicKey == nil ? Certificate.jwks : .publicKey).rawValue),
            "publicKey": provider.publicKey.map { .string($0) }, "jwksURI": .string(provider.jwksURI),
            "tokenEndpoint": .string(provider.tokenEndpoint), "clientId": .string(provider.clientId),
            "clientSecret": .string(provider.clientSecret), "redirectURI": .string(provider.redirectURI),
        ])
    }
}
