/// The recipient of a WebSocket's messages. Called on the loop, one call at a time and in order; must return at once.
package protocol WebSocketHandler: Sendable {
    /// A whole message; the text is valid UTF-8.
    func received(text: [UInt8], on socket: any WebSocketWire)
    func received(binary: [UInt8], on socket: any WebSocketWire)
    /// A ping, which has been answered already, or a pong came: traffic to those who measure idleness.
    func receivedControl(on socket: any WebSocketWire)
    /// The last call, made exactly once.
    func closed(_ end: WebSocketEnd, on socket: any WebSocketWire)
}

/// How a WebSocket ended.
package struct WebSocketEnd: Sendable, Hashable {
    package enum By: String, Sendable {
        /// The client sent its close frame first, or closed TCP without one.
        case client
        /// We did: ``WebSocket/close(_:_:)``, ``WebSocket/abort()``, ``WebSocket/reset()``.
        case server
        /// The client broke the protocol, and we closed with 1002, 1007 or 1009; or TCP broke.
        case failure
    }

    package var by: By
    /// The code of the close frame that began the end: received where the client began it (1005 if it held none, RFC 6455 §7.1.5), else
    /// sent. Nil: there was none, so that the other side calls it 1006.
    package var code: UInt16?
    /// The close frame's reason; without a frame, what happened in words.
    package var reason: String
    /// Both sides have sent a close frame (RFC 6455 §7.1.4).
    package var isClean: Bool

    package init(by: By, code: UInt16?, reason: String, isClean: Bool = false) {
        self.by = by
        self.code = code
        self.reason = reason
        self.isClean = isClean
    }
}
