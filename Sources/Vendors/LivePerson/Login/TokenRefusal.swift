import SparringVendorKit

/// Why a token does not open a socket.
enum TokenRefusal: Error, Equatable {
    case invalid(String)
    /// The token is another account's.
    case foreign(String)
    case expired(String, isAnonymous: Bool)
    case signedOut(String, isAnonymous: Bool)

    init(_ defect: LivePersonToken.Defect) {
        switch defect {
        case .malformed(let reason): self = .invalid("the token is malformed: \(reason)")
        case .notSigned: self = .invalid("the token was not signed by LivePerson")
        case .audience(let found, let expected): self = .foreign("the token is for \(found?.text ?? "nobody"), not for \(expected)")
        case .incomplete: self = .invalid("the token lacks sub or exp")
        }
    }

    var cause: String {
        switch self {
        case .invalid(let cause), .foreign(let cause), .expired(let cause, _), .signedOut(let cause, _): cause
        }
    }

    /// With a code where the token has expired: rules about a client's next token are not about a user who was signed out from outside.
    var asCause: Cause {
        if case .expired = self { Cause(cause, code: "token-expired") } else { Cause(cause) }
    }

    /// LivePerson reference 5.3: 4407 where an anonymous identity is to be extended, and for another account's token (section 13); else 4401: a fresh
    /// token is needed.
    var closeCode: UInt16 {
        switch self {
        case .foreign, .expired(_, isAnonymous: true), .signedOut(_, isAnonymous: true): 4407
        default: 4401
        }
    }
}
