/// Why a client must not go on with a server that shows such a certificate (RFC 5280 §6, RFC 9525 §6).
package enum CertificateDefect: String, CaseIterable, Sendable {
    /// Its validity ended yesterday.
    case expired
    /// Its validity begins in a month.
    case notYetValid = "not-yet-valid"
    /// It is for a name that no machine has (RFC 6761 §6.4).
    case wrongHost = "wrong-host"
    /// It comes from an unknown authority, made for it alone.
    case untrustedIssuer = "untrusted-issuer"
    /// It has been signed with its own key.
    case selfSigned = "self-signed"

    /// The code of the finding about a client that goes on despite the defect.
    package static let finding = "certificate-accepted"

    /// The defect in words that follow "a certificate that".
    package var words: String {
        switch self {
        case .expired: "has expired"
        case .notYetValid: "is not valid yet"
        case .wrongHost: "is for another host"
        case .untrustedIssuer: "comes from an unknown authority"
        case .selfSigned: "is signed with its own key"
        }
    }
}
