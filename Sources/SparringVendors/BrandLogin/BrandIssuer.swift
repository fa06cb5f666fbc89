import SparringJSON
import SparringSandbox
import SparringTokens

/// A brand's identity provider as it is configured at a vendor.
struct BrandIssuer: Sendable {
    enum Certificate: String, CaseIterable {
        case publicKey, jwks
    }

    var displayName: String
    /// `iss` of its tokens. With a slash in front: Sparring's own provider there, by whichever name of this server.
    var iss: String
    var certificate: Certificate
    /// As configured, and read.
    var publicKey: String?
    var key: VerificationKey?
    var jwksURI: String?
    var tokenEndpoint: String?
    var clientId: String
    var clientSecret: String
    var pkce: Bool
    var redirectURI: String
}

extension BrandIssuer {
    private static let known = [
        "displayName", "iss", "certificate", "publicKey", "jwksURI", "tokenEndpoint", "clientId", "clientSecret", "pkce", "redirectURI",
    ]

    /// - Parameter redirect: where the brand sends codes, where nothing else is said.
    init(_ json: JSON, at pointer: JSONPointer, redirectURI redirect: String) throws(ConfigurationError) {
        let members = try Members(json, at: pointer, known: Self.known)
        guard let iss = try members.string("iss"), !iss.isEmpty else { throw members.error("iss", "an issuer needs its 'iss'") }
        let publicKey = try members.string("publicKey")
        let jwksURI = try members.endpoint("jwksURI")
        let certificate =
            try members.word("certificate", Certificate.self) ?? (publicKey == nil && jwksURI != nil ? .jwks : .publicKey)
        switch certificate {
        case .publicKey where publicKey == nil:
            throw members.error("publicKey", "the certificate type publicKey needs it: base64 of a SubjectPublicKeyInfo, or a PEM")
        case .jwks where jwksURI == nil: throw members.error("jwksURI", "the certificate type jwks needs it")
        default: break
        }
        var key: VerificationKey?
        if certificate == .publicKey, let publicKey {
            do throws(TokenError) { key = try VerificationKey(pem: publicKey) } catch { throw members.error("publicKey", error.reason) }
            guard key?.algorithm == CredentialCheck.algorithm else {
                throw members.error("publicKey", "a P-256 key; tokens are signed with \(CredentialCheck.algorithm.rawValue): an RSA key")
            }
        }
        self.init(
            displayName: try members.string("displayName") ?? iss, iss: iss, certificate: certificate, publicKey: publicKey, key: key,
            jwksURI: jwksURI, tokenEndpoint: try members.endpoint("tokenEndpoint"), clientId: try members.string("clientId") ?? "",
            clientSecret: try members.string("clientSecret") ?? "", pkce: try members.bool("pkce") ?? false,
            redirectURI: try members.string("redirectURI") ?? redirect)
    }

    /// How a vendor is configured that trusts the sandbox's own provider.
    static func configuration(trusting provider: IdentityProviderFacts) -> JSON {
        .members([
            "displayName": "Brand", "iss": .string(provider.issuer),
            "certificate": .string((provider.publicKey == nil ? Certificate.jwks : .publicKey).rawValue),
            "publicKey": provider.publicKey.map { .string($0) }, "jwksURI": .string(provider.jwksURI),
            "tokenEndpoint": .string(provider.tokenEndpoint), "clientId": .string(provider.clientId),
            "clientSecret": .string(provider.clientSecret), "redirectURI": .string(provider.redirectURI),
        ])
    }
}
