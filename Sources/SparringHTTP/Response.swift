public import HTTPTypes

/// An answer as it goes on the wire; its length or its chunking is put in by libmicrohttpd.
public struct Response: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Sent chunked, as it is produced (RFC 9112 §7.1).
        case stream(ResponseStream)
    }

    public var status: Int
    public var headers: HTTPFields
    public var body: Body

    public init(status: Int, headers: HTTPFields = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// How an exchange ends on the wire.
public enum Delivery: Sendable {
    case answer(Response)
    /// 101, and from then on RFC 6455. A request that is no sound handshake gets ``WebSocketHandshake/refusal(of:)`` instead.
    case upgrade(WebSocketUpgrade)
    /// The connection is reset: the client reads `ECONNRESET`, and no FIN before it.
    case reset
    /// The connection is closed without a byte of an answer.
    case empty
}

/// How an exchange did end, as libmicrohttpd tells it.
public enum Completion: Sendable {
    /// Every byte was handed to the socket.
    case sent
    /// The client went away, the connection broke or was cut on purpose.
    case broken(reason: String)
}
