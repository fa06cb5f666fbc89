import Crypto
import CryptoExtras
import Foundation

/// A key that signs: an RSA or P-256 private key, or the shared secret of HS256.
public struct SigningKey: Sendable {
    enum Material: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
        case secret(SymmetricKey)
    }

    let material: Material

    /// The name tokens give for the key (`kid`, RFC 7515 §4.1.4); by default its thumbprint (RFC 7638).
    public let kid: String

    /// The key that checks what this one signs, under the same ``kid``.
    public let verificationKey: VerificationKey

    /// Reads a private key in PEM: RSA of 1024 bits or more (PKCS#8 or PKCS#1) or P-256 (PKCS#8 or SEC 1).
    ///
    /// - Throws: where the text is no PEM, the key is encrypted, public, or of another kind.
    public init(pem text: String, kid: String? = nil) throws(TokenError) {
        try self.init(PEMBlock(text), kid: kid)
    }

    init(_ block: PEMBlock, kid: String? = nil) throws(TokenError) {
        try block.expect("PRIVATE KEY")
        if let key = try? _RSA.Signing.PrivateKey(unsafeDERRepresentation: block.der) {
            self.init(.rsa(key), public: .rsa(key.publicKey), kid: kid)
        } else if let key = try? P256.Signing.PrivateKey(derRepresentation: block.der) {
            self.init(.p256(key), public: .p256(key.publicKey), kid: kid)
        } else {
            throw TokenError("private key: neither RSA of 1024 bits or more nor P-256")
        }
    }

    /// The shared secret of HS256, as ``VerificationKey/init(secret:kid:)`` takes it.
    ///
    /// - Throws: where the secret is empty.
    public init(secret: [UInt8], kid: String? = nil) throws(TokenError) {
        let key = try VerificationKey(secret: secret)
        self.init(.secret(SymmetricKey(data: secret)), public: key.material, kid: kid)
    }

    private init(_ material: Material, public verification: VerificationKey.Material, kid: String?) {
        self.material = material
        self.kid = kid ?? VerificationKey(verification, kid: nil).thumbprint
        verificationKey = VerificationKey(verification, kid: self.kid)
    }

    /// The one algorithm this key is for.
    public var algorithm: SigningAlgorithm { verificationKey.algorithm }

    /// ``VerificationKey/publicKeyBase64``, the public half.
    public var publicKeyBase64: String? { verificationKey.publicKeyBase64 }

    /// The key itself in PEM, for those who are to sign with it elsewhere; nil for a shared secret.
    public var privatePEM: String? {
        switch material {
        case .rsa(let key): key.pemRepresentation
        case .p256(let key): key.pemRepresentation
        case .secret: nil
        }
    }

    /// The same bytes each time for RS256 and HS256; with ES256 the library draws a number for each signature.
    func signature(for message: [UInt8]) -> [UInt8] {
        // A key that was read can sign (BoringSSL checks it then): `try!` fails only if the library does.
        switch material {
        case .rsa(let key): Array(try! key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation)
        case .p256(let key): Array(try! key.signature(for: message).rawRepresentation)
        case .secret(let key): Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        }
    }
}
