import CryptoExtras
import Foundation

/// An RSA public key for which content keys are encrypted: what LivePerson gives a brand that sends JWE.
public struct EncryptionKey: Sendable {
    // Safe to share: swift-crypto declares the signing key, of the same immutable storage, Sendable, but not this one.
    nonisolated(unsafe) private let key: _RSA.Encryption.PublicKey

    /// The name that goes into the header of the JWE (RFC 7516 §4.1.6), where it has one.
    public let kid: String?

    /// - Throws: where the key is not RSA or has less than the 2048 bits of RFC 7518 §4.3.
    public init(_ key: VerificationKey) throws(TokenError) {
        guard case .rsa(let rsa) = key.material else { throw TokenError("encryption key: not RSA") }
        guard let encrypting = try? _RSA.Encryption.PublicKey(derRepresentation: rsa.derRepresentation) else {
            throw TokenError("encryption key: \(rsa.keySizeInBits) bits, less than 2048")
        }
        self.key = encrypting
        kid = key.kid
    }

    /// Reads a public key in PEM or as base64 of its DER alone, as ``VerificationKey/init(pem:kid:)`` does.
    public init(pem text: String, kid: String? = nil) throws(TokenError) {
        try self.init(VerificationKey(pem: text, kid: kid))
    }

    func encrypt(_ contentKey: [UInt8], with algorithm: EncryptionAlgorithm) throws -> [UInt8] {
        Array(try key.encrypt(contentKey, padding: algorithm.padding))
    }
}
