/// What can be done to a client at the other end of a WebSocket: ``WebSocket`` over a connection; tests have one without. All methods may be
/// called from any thread; what one thread sends keeps its order.
public protocol WebSocketWire: Sendable {
    /// The number of the connection, as in ``RequestHead/connection``.
    var connection: Int { get }
    var isTLS: Bool { get }

    /// Sends one text message, which must be UTF-8. Dropped silently once the socket is closing.
    func send(text: [UInt8])
    /// Sends one binary message. Dropped silently once the socket is closing.
    func send(binary: [UInt8])
    /// - Parameter data: at most 125 bytes; what is over is cut off.
    func ping(_ data: [UInt8])
    /// Begins the close handshake (RFC 6455 §7.1.2).
    func close(_ code: UInt16, _ reason: String)
    /// Ends TCP without a close frame: the client sees 1006.
    func abort()
    /// Ends TCP with an RST.
    func reset()
    /// From now on nothing is read, answered or sent, but TCP stays up.
    func freeze()
    /// Bytes of messages that the kernel has not taken yet.
    var unsent: Int { get }
}
