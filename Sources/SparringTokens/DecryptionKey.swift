import CryptoExtras
import Foundation

/// The private half of an ``EncryptionKey``.
public struct DecryptionKey: Sendable {
    // Safe to share: swift-crypto declares the signing key, of the same immutable storage, Sendable, but not this one.
    nonisolated(unsafe) private let key: _RSA.Encryption.PrivateKey

    /// The other half, under the kid of the key this one was made from.
    public let encryptionKey: EncryptionKey

    /// - Throws: where the key is not RSA or has less than the 2048 bits of RFC 7518 §4.3.
    public init(_ key: SigningKey) throws(TokenError) {
        guard case .rsa(let rsa) = key.material else { throw TokenError("decryption key: not RSA") }
        encryptionKey = try EncryptionKey(key.verificationKey)
        guard let decrypting = try? _RSA.Encryption.PrivateKey(derRepresentation: rsa.derRepresentation) else {
            throw TokenError("decryption key: unreadable")
        }
        self.key = decrypting
    }

    /// Nil where the bytes were not encrypted for this key with this algorithm.
    func decrypt(_ encryptedKey: [UInt8], with algorithm: EncryptionAlgorithm) -> [UInt8]? {
        (try? key.decrypt(encryptedKey, padding: algorithm.padding)).map(Array.init)
    }
}
