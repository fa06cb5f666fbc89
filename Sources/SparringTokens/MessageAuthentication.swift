import Crypto
import Foundation

/// A keyed hash over a message (HMAC, RFC 2104).
public enum MessageAuthentication: String, Decodable, Sendable {
    case sha1, sha256

    public func code(of message: [UInt8], key: String) -> [UInt8] {
        let key = SymmetricKey(data: Data(key.utf8))
        switch self {
        case .sha1: return Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
        case .sha256: return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        }
    }
}
