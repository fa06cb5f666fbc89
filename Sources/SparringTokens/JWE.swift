import Crypto
import Foundation
public import SparringJSON

/// An encrypted token in compact serialisation (RFC 7516 §7.1).
public struct JWE: Sendable {
    /// The JOSE header.
    public let header: JSON
    /// `alg` of the header.
    public let algorithm: EncryptionAlgorithm
    /// `enc` of the header.
    public let encryption: ContentEncryption
    /// The content key, encrypted for the recipient.
    let encryptedKey: [UInt8]
    /// The initialization vector.
    package let iv: [UInt8]
    package let ciphertext: [UInt8]
    /// The authentication tag.
    public let tag: [UInt8]
    /// The data that is authenticated besides the content: the header as it was sent (RFC 7516 §5.1, step 14).
    private let additionalData: [UInt8]

    /// - Throws: where there are not five parts of base64url, the header is not a JSON object, names an `alg` or `enc` that is not known here,
    ///   has `zip` or `crit`, or where vector or tag have not the length that `enc` asks for.
    public init(parsing text: String) throws(TokenError) {
        let compact = try CompactForm(parsing: text, as: "JWE", partCount: 5)
        guard compact.header["zip"] == nil else { throw TokenError("JWE: 'zip' in the header is not supported") }
        let (alg, enc) = (try compact.headerText("alg"), try compact.headerText("enc"))
        guard let algorithm = EncryptionAlgorithm(rawValue: alg) else {
            throw TokenError("JWE: alg '\(alg)' is not \(EncryptionAlgorithm.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        guard let encryption = ContentEncryption(rawValue: enc) else {
            throw TokenError("JWE: enc '\(enc)' is not one of \(ContentEncryption.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        header = compact.header
        (self.algorithm, self.encryption) = (algorithm, encryption)
        encryptedKey = try compact.bytes(1, "encrypted key")
        iv = try compact.bytes(2, "initialization vector")
        ciphertext = try compact.bytes(3, "ciphertext")
        tag = try compact.bytes(4, "authentication tag")
        additionalData = Array(compact.parts[0])
        guard iv.count == encryption.ivLength else {
            throw TokenError("JWE: initialization vector has \(iv.count) bytes, \(enc) takes \(encryption.ivLength)")
        }
        guard tag.count == encryption.tagLength else {
            throw TokenError("JWE: authentication tag has \(tag.count) bytes, \(enc) takes \(encryption.tagLength)")
        }
    }

    /// `kid` of the header, where it has one (RFC 7516 §4.1.6).
    public var kid: String? { header["kid"]?.string }

    /// The content: for a nested token the text of a JWS (RFC 7519 §3).
    ///
    /// - Throws: where the content key was encrypted for another key, or anything was changed on the way. The two errors differ. RFC 7516
    ///   §11.5 forbids that for real recipients; here it helps testers, and the keys are public anyway.
    public func decrypt(with key: DecryptionKey) throws(TokenError) -> [UInt8] {
        guard let contentKey = key.decrypt(encryptedKey, with: algorithm) else {
            throw TokenError("JWE: encrypted key cannot be decrypted: it was made for another key or with another algorithm")
        }
        guard contentKey.count == encryption.keyLength else {
            throw TokenError("JWE: content key has \(contentKey.count) bytes, \(encryption.rawValue) takes \(encryption.keyLength)")
        }
        let content: [UInt8]?
        do {
            content = try encryption.open(ciphertext, tag: tag, key: contentKey, iv: iv, additionalData: additionalData)
        } catch {
            throw TokenError("JWE: ciphertext is not padded as \(encryption.rawValue) asks")
        }
        guard let content else {
            throw TokenError("JWE: authentication tag does not fit: header, vector, ciphertext or tag was changed")
        }
        return content
    }

    /// Encrypts for the holder of the private half of `key`. The header is `alg`, `enc`, `kid` where the key has one, and `cty` where there is a content type:
    /// `JWT` for a nested token (RFC 7519 §5.2). Content key, vector and OAEP padding are drawn by the crypto library.
    ///
    /// - Throws: where the crypto library fails to encrypt.
    public static func encrypt(
        _ plaintext: [UInt8], to key: EncryptionKey, algorithm: EncryptionAlgorithm = .rsaOAEP256,
        encryption: ContentEncryption = .a128CBCHS256, contentType: String? = nil
    ) throws(TokenError) -> String {
        let header = JSON.members([
            "alg": .string(algorithm.rawValue), "enc": .string(encryption.rawValue), "kid": key.kid.map(JSON.string),
            "cty": contentType.map(JSON.string),
        ])
        let additionalData = Base64URL.encode(header.bytes)
        let contentKey = random(encryption.keyLength)
        let iv = random(encryption.ivLength)
        do {
            let encryptedKey = try key.encrypt(contentKey, with: algorithm)
            let sealed = try encryption.seal(plaintext, key: contentKey, iv: iv, additionalData: Array(additionalData.utf8))
            let parts = [encryptedKey, iv, sealed.ciphertext, sealed.tag].map { Base64URL.encode($0) }
            return ([additionalData] + parts).joined(separator: ".")
        } catch {
            throw TokenError("JWE: encryption failed: \(error)")
        }
    }

    private static func random(_ count: Int) -> [UInt8] {
        SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Array($0) }
    }
}
