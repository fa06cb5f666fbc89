import Crypto
import SparringJSON

/// Proof key for code exchange (RFC 7636).
public enum PKCE {
    /// `code_challenge_method` (RFC 7636 §4.3). A request without one means `plain`.
    public enum Method: String, Sendable, CaseIterable {
        case plain
        case s256 = "S256"
    }

    /// The `code_challenge` that belongs to a `code_verifier` (RFC 7636 §4.2). The syntax of the verifier is not checked.
    public static func challenge(for verifier: String, method: Method) -> String {
        switch method {
        case .plain: verifier
        case .s256: Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
        }
    }

    /// Whether a `code_verifier` is the one that a `code_challenge` was made of (RFC 7636 §4.6).
    public static func fits(_ verifier: String, _ challenge: String, method: Method) -> Bool {
        self.challenge(for: verifier, method: method).isSame(as: challenge)
    }

    /// Whether a text is a `code_verifier`: 43 to 128 characters of `A-Z a-z 0-9 - . _ ~` (RFC 7636 §4.1).
    public static func isVerifier(_ text: String) -> Bool {
        43...128 ~= text.utf8.count && text.utf8.allSatisfy(\.isUnreserved)
    }
}
