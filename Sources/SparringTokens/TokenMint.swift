import OrderedCollections
import SparringJSON

/// Makes tokens for one issuer, sound ones and such as must be refused.
public struct TokenMint: Sendable {
    /// For whom tokens are encrypted, and how (sign then encrypt, RFC 7519 §11.2).
    public struct Recipient: Sendable {
        public var key: EncryptionKey
        public var algorithm: EncryptionAlgorithm
        public var encryption: ContentEncryption

        public init(key: EncryptionKey, algorithm: EncryptionAlgorithm = .rsaOAEP256, encryption: ContentEncryption = .a128CBCHS256) {
            self.key = key
            self.algorithm = algorithm
            self.encryption = encryption
        }
    }

    /// A token and when it ends.
    public struct Token: Sendable, Equatable {
        /// The compact JWS, or the JWE around it.
        public var compact: String
        /// Seconds of the epoch: the token's `exp`; where it has none, the one that it should have.
        public var expiry: Int64
    }

    public let signingKey: SigningKey
    /// Signs in place of ``signingKey`` for ``TokenDefect/wrongKey``.
    public let stranger: SigningKey
    /// Nil for tokens that are signed only.
    public let recipient: Recipient?

    private static let hour: Int64 = 3600

    /// - Throws: where the stranger is the same key, or one of another algorithm: then the token would be refused for its `alg`.
    public init(signingKey: SigningKey, stranger: SigningKey, recipient: Recipient? = nil) throws(TokenError) {
        guard stranger.algorithm == signingKey.algorithm else {
            throw TokenError("the stranger's key is \(stranger.algorithm.rawValue) instead of \(signingKey.algorithm.rawValue)")
        }
        guard stranger.verificationKey.thumbprint != signingKey.verificationKey.thumbprint else {
            throw TokenError("the stranger's key is the signing key")
        }
        self.signingKey = signingKey
        self.stranger = stranger
        self.recipient = recipient
    }

    /// Mints one token. With a recipient the defect is in the token inside; what is around it is sound.
    ///
    /// - Parameter missingClaim: which claim ``TokenDefect/claimMissing`` leaves out.
    /// - Throws: where the crypto library fails to encrypt.
    public func mint(_ claims: TokenClaims, defect: TokenDefect? = nil, missingClaim: String = "exp") throws(TokenError) -> Token {
        let payload = payload(claims, defect: defect, missingClaim: missingClaim)
        var compact = sign(payload, defect: defect)
        if let recipient {
            compact = try JWE.encrypt(
                Array(compact.utf8), to: recipient.key, algorithm: recipient.algorithm, encryption: recipient.encryption,
                contentType: "JWT")
        }
        return Token(compact: compact, expiry: payload["exp"]?.integer ?? claims.issuedAt.addingClamped(claims.lifetime))
    }

    private func payload(_ claims: TokenClaims, defect: TokenDefect?, missingClaim: String) -> JSON {
        var payload = claims.payload
        switch defect {
        case .expired:
            let expiry = claims.issuedAt.addingClamped(-Self.hour)
            payload["iat"] = .integer(expiry.addingClamped(-max(claims.lifetime, 0)))
            payload["exp"] = .integer(expiry)
        case .notYetValid:
            let start = claims.issuedAt.addingClamped(Self.hour)
            payload["iat"] = .integer(start)
            payload["exp"] = .integer(start.addingClamped(claims.lifetime))
            payload["nbf"] = .integer(start)
        case .wrongIssuer: payload["iss"] = "https://wrong-issuer.invalid"
        case .wrongAudience: payload["aud"] = "wrong-audience"
        case .claimMissing: payload[missingClaim] = nil
        case .wrongKey, .unknownKid, .algNone, .tampered, nil: break
        }
        return payload
    }

    private func sign(_ payload: JSON, defect: TokenDefect?) -> String {
        switch defect {
        case .wrongKey: return JWS.sign(header: ["kid": .string(signingKey.kid)], payload: payload, with: stranger)
        case .unknownKid: return JWS.sign(header: ["kid": .string("unknown-" + signingKey.kid)], payload: payload, with: signingKey)
        case .algNone: return JWS.unsecured(kid: signingKey.kid, payload: payload)
        case .tampered:
            var parts = JWS.sign(payload: payload, with: signingKey).split(separator: ".").map(String.init)
            // A member is added and none changed: whose token it is stays readable, so that the refusal lands where it should.
            parts[1] = Base64URL.encode(payload.merging(["tampered": true]).bytes)
            return parts.joined(separator: ".")
        case .expired, .notYetValid, .wrongIssuer, .wrongAudience, .claimMissing, nil: return JWS.sign(payload: payload, with: signingKey)
        }
    }
}
