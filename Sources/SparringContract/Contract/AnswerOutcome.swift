/// The meaning of an answer for the client that gets it (`x-outcome`). Vendors' numbers and names do not show it: a `bad-signature` that
/// comes as 500 is a failure of authentication, and an error may come as 200.
public enum AnswerOutcome: String, Sendable, CaseIterable {
    /// The client gets what it asked for.
    case ok
    /// The same request would be refused again.
    case refused
    /// The client has to authenticate again.
    case authentication
    /// The server is overrun or down, and may be well later.
    case unavailable
    /// Another server that this one asked failed it, which the client cannot tell from a refusal: both fresh credentials at once and a wait are in order.
    case upstream

    /// The meaning of a status by itself (RFC 9110 §15, RFC 6585 §4); nil where the contract has to state it.
    package init?(status: Int) {
        switch status {
        case ..<400: self = .ok
        case 401: self = .authentication
        case 403, 404: self = .refused
        case 429, 503: self = .unavailable
        default: return nil
        }
    }
}
