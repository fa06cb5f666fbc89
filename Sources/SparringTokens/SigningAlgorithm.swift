import Crypto
import SparringJSON

/// How a JWS is signed (RFC 7518 §3.1). Each algorithm has one kind of key, and each key one algorithm: so a token cannot make a
/// public key be taken for a shared secret.
public enum SigningAlgorithm: String, Sendable, CaseIterable, Decodable {
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256 (RFC 7518 §3.4).
    case es256 = "ES256"
    /// HMAC with SHA-256 (RFC 7518 §3.2).
    case hs256 = "HS256"

    /// The left half of a credential's hash, by which an ID token that this algorithm signs is bound to the credential: `at_hash` of an access
    /// token (OpenID Connect Core §3.1.3.6 and §3.2.2.10).
    public func halfHash(of credential: String) -> String {
        // All of them hash with SHA-256.
        Base64URL.encode(SHA256.hash(data: Array(credential.utf8)).prefix(SHA256Digest.byteCount / 2))
    }
}
