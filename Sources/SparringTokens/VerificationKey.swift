import Crypto
import CryptoExtras
import Foundation

/// A key that checks signatures: an RSA or P-256 public key, or the shared secret of HS256.
public struct VerificationKey: Sendable {
    enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case secret([UInt8])
    }

    let material: Material

    /// The name under which tokens refer to the key (`kid`, RFC 7517 §4.5), where it has one.
    public let kid: String?

    init(_ material: Material, kid: String?) {
        self.material = material
        self.kid = kid
    }

    /// Reads a public key in PEM (SubjectPublicKeyInfo, PKCS#1 for RSA, or an X.509 certificate), or the base64 of its DER alone, as a brand
    /// configures it at LivePerson. Header lines and line breaks may be missing.
    ///
    /// - Throws: where the text is no PEM, holds a private key, or a key that is neither RSA of 1024 bits or more (the size of the demo
    ///   key in LivePerson's tutorial) nor P-256.
    public init(pem text: String, kid: String? = nil) throws(TokenError) {
        let der = try PEMBlock(text).publicKeyDER()
        if let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: der) {
            self.init(.rsa(key), kid: kid)
        } else if let key = try? P256.Signing.PublicKey(derRepresentation: der) {
            self.init(.p256(key), kid: kid)
        } else {
            throw TokenError("public key: neither RSA of 1024 bits or more nor P-256")
        }
    }

    /// The shared secret of HS256. RFC 7518 §3.2 asks for 32 bytes or more; less is taken, as vendors' secrets are what they are.
    ///
    /// - Throws: where the secret is empty.
    public init(secret: [UInt8], kid: String? = nil) throws(TokenError) {
        guard !secret.isEmpty else { throw TokenError("the secret is empty") }
        self.init(.secret(secret), kid: kid)
    }

    /// The one algorithm this key is for.
    public var algorithm: SigningAlgorithm {
        switch material {
        case .rsa: .rs256
        case .p256: .es256
        case .secret: .hs256
        }
    }

    /// The base64 of the SubjectPublicKeyInfo in DER: what a brand pastes at LivePerson as "JWT Public Key". Nil for a shared secret.
    public var publicKeyBase64: String? {
        switch material {
        case .rsa(let key): key.derRepresentation.base64EncodedString()
        case .p256(let key): key.derRepresentation.base64EncodedString()
        case .secret: nil
        }
    }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch material {
        case .rsa(let key):
            return key.isValidSignature(.init(rawRepresentation: signature), for: message, padding: .insecurePKCS1v1_5)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: message)
        case .secret(let secret):
            return HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: message, using: SymmetricKey(data: secret))
        }
    }
}
