package import HTTPTypes

/// The answer to a request that becomes a WebSocket (RFC 6455 §4.2.2).
package struct WebSocketUpgrade: Sendable {
    /// Further fields of the 101 answer. `Upgrade`, `Connection` and `Sec-WebSocket-Accept` are set already.
    package var headers: HTTPFields
    package var limits: WebSocketLimits
    /// Called once, on the loop, before anything is read from the socket.
    package var opened: @Sendable (any WebSocketWire) -> any WebSocketHandler
    /// Called instead of ``opened``, with the reason: the client left meanwhile, or its request is no handshake.
    package var failed: @Sendable (String) -> Void

    package init(
        headers: HTTPFields = [:], limits: WebSocketLimits = WebSocketLimits(),
        opened: @escaping @Sendable (any WebSocketWire) -> any WebSocketHandler, failed: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.headers = headers
        self.limits = limits
        self.opened = opened
        self.failed = failed
    }
}

/// The limits of what a socket may take up.
package struct WebSocketLimits: Sendable {
    /// Bytes of one message, over all of its fragments; a client that sends more is closed with 1009.
    package var message = 1 << 20
    /// Bytes that may wait for the kernel to take them, ``frameOverhead`` with each frame; above it the socket is aborted, as its client does not
    /// read. Above a quarter of it, the server stops reading from the client until it has taken some.
    package var unsent = 16 << 20
    /// Bytes that a waiting frame is taken to cost beside its payload, so that empty ones count too.
    static let frameOverhead = 256
    /// How long a client may take to answer a close frame; wall time.
    package var closing: Duration = .seconds(10)
    /// How long a connection whose last frame is out waits for the client to end it, so that what the client was still sending does not
    /// make the kernel reset it before the client has read that frame; wall time.
    package var lingering: Duration = .seconds(2)

    package init() {}
}
