/// How an exchange ends on the wire.
package enum Delivery: Sendable {
    case answer(Response)
    /// An answer that is disturbed on its way out. Its body is one of bytes: a ``ResponseStream`` is sent undisturbed.
    case disturbed(Response, Transmission)
    /// An answer whose head and framing are written past libmicrohttpd; then the connection is closed. Its body is one of bytes.
    case formed(Response, AnswerForm)
    /// 101, and from then on RFC 6455. A request that is no sound handshake gets ``WebSocketHandshake/refusal(of:)`` instead.
    case upgrade(WebSocketUpgrade)
    /// The connection is reset: the client reads `ECONNRESET`, and no FIN before it.
    case reset
    /// The connection is closed without a byte of an answer.
    case empty
    /// These bytes as they are, under TLS within its session, then the connection is closed: what is no HTTP at all.
    case raw([UInt8])
    /// Nothing is ever sent; the connection stays up until the client leaves or the server stops.
    case stall

    /// Whether it can be performed before the request has been read to its end: libmicrohttpd takes no answer then.
    var isPossibleWhileHeld: Bool {
        switch self {
        case .reset, .empty, .raw, .stall: true
        case .answer, .disturbed, .formed, .upgrade: false
        }
    }
}

/// How an exchange did end.
package enum Completion: Sendable, Equatable {
    /// Every byte was handed to the socket, and the connection ended as HTTP prescribes.
    case sent
    /// The client went away, the connection broke or was cut on purpose.
    case broken(reason: String)
    /// The answer could not be sent; the client got one that says so instead, if anything.
    case replaced(reason: String)
}
