import CryptoExtras

/// How the content key of a JWE is encrypted for its recipient (`alg`, RFC 7518 §4.3).
public enum EncryptionAlgorithm: String, Sendable, CaseIterable, Decodable {
    /// RSAES OAEP with SHA-256 and MGF1 with SHA-256.
    case rsaOAEP256 = "RSA-OAEP-256"
    /// RSAES OAEP with its default parameters, SHA-1 and MGF1 with SHA-1.
    case rsaOAEP = "RSA-OAEP"

    var padding: _RSA.Encryption.Padding {
        switch self {
        case .rsaOAEP256: .PKCS1_OAEP_SHA256
        case .rsaOAEP: .PKCS1_OAEP
        }
    }
}
