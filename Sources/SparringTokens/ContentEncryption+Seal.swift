import Crypto
import CryptoExtras
import Foundation
import SparringJSON

extension ContentEncryption {
    /// Encrypts and authenticates (RFC 7518 §5.2.2.1, §5.3).
    ///
    /// - Precondition: `key` and `iv` have ``keyLength`` and ``ivLength`` bytes.
    func seal(
        _ plaintext: [UInt8], key: [UInt8], iv: [UInt8], additionalData: [UInt8]
    ) throws -> (ciphertext: [UInt8], tag: [UInt8]) {
        switch self {
        case .a128GCM, .a192GCM, .a256GCM:
            let box = try AES.GCM.seal(
                plaintext, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: iv), authenticating: additionalData)
            return (Array(box.ciphertext), Array(box.tag))
        case .a128CBCHS256, .a192CBCHS384, .a256CBCHS512:
            let ciphertext = try Array(
                AES._CBC.encrypt(plaintext, using: encryptionHalf(of: key), iv: AES._CBC.IV(ivBytes: iv)))
            return (ciphertext, tag(ciphertext, key: key, iv: iv, additionalData: additionalData))
        }
    }

    /// Checks and decrypts (RFC 7518 §5.2.2.2, §5.3). Nil where the tag does not fit: another key, or something was changed.
    ///
    /// - Throws: what swift-crypto throws on a sound tag over a ciphertext that is not padded as it should be.
    /// - Precondition: `key`, `iv` and `tag` have the length this form asks for.
    func open(
        _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], iv: [UInt8], additionalData: [UInt8]
    ) throws -> [UInt8]? {
        switch self {
        case .a128GCM, .a192GCM, .a256GCM:
            let box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: iv), ciphertext: ciphertext, tag: tag)
            return (try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: additionalData)).map(Array.init)
        case .a128CBCHS256, .a192CBCHS384, .a256CBCHS512:
            let expected = self.tag(ciphertext, key: key, iv: iv, additionalData: additionalData)
            guard expected.isSame(as: tag) else { return nil }
            return try Array(AES._CBC.decrypt(ciphertext, using: encryptionHalf(of: key), iv: AES._CBC.IV(ivBytes: iv)))
        }
    }

    private func encryptionHalf(of key: [UInt8]) -> SymmetricKey { SymmetricKey(data: key[(keyLength / 2)...]) }

    /// The first half of the HMAC over additional data, vector, ciphertext and AL, the length of the additional data in bits.
    private func tag(_ ciphertext: [UInt8], key: [UInt8], iv: [UInt8], additionalData: [UInt8]) -> [UInt8] {
        let authenticationKey = SymmetricKey(data: key[..<(keyLength / 2)])
        let bitCount = UInt64(additionalData.count) * 8
        let al = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bitCount >> UInt64($0)) }
        let message = additionalData + iv + ciphertext + al

        func code<Hash: HashFunction>(_: Hash.Type) -> [UInt8] {
            Array(HMAC<Hash>.authenticationCode(for: message, using: authenticationKey).prefix(tagLength))
        }
        switch tagLength {
        case 16: return code(SHA256.self)
        case 24: return code(SHA384.self)
        default: return code(SHA512.self)
        }
    }
}
