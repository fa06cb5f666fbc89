/// How the content of a JWE is encrypted and authenticated (`enc`, RFC 7518 §5.1).
public enum ContentEncryption: String, Sendable, CaseIterable, Decodable {
    case a128CBCHS256 = "A128CBC-HS256"
    case a192CBCHS384 = "A192CBC-HS384"
    case a256CBCHS512 = "A256CBC-HS512"
    case a128GCM = "A128GCM"
    case a192GCM = "A192GCM"
    case a256GCM = "A256GCM"

    /// Bytes of the content key; with CBC the first half is for HMAC, the second for AES.
    var keyLength: Int {
        switch self {
        case .a128GCM: 16
        case .a192GCM: 24
        case .a256GCM, .a128CBCHS256: 32
        case .a192CBCHS384: 48
        case .a256CBCHS512: 64
        }
    }

    /// Bytes of the initialization vector.
    var ivLength: Int { isGCM ? 12 : 16 }

    /// Bytes of the authentication tag; with CBC half of what the hash gives.
    var tagLength: Int { isGCM ? 16 : keyLength / 2 }

    private var isGCM: Bool {
        switch self {
        case .a128GCM, .a192GCM, .a256GCM: true
        case .a128CBCHS256, .a192CBCHS384, .a256CBCHS512: false
        }
    }
}
