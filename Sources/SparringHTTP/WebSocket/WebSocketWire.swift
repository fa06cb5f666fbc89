/// The way to act on a client at the other end of a WebSocket: ``WebSocket`` over a connection; tests have one without. All methods may be
/// called from any thread; what one thread sends keeps its order.
package protocol WebSocketWire: Sendable {
    /// The number of the connection, as in ``RequestHead/connection``.
    var connection: Int { get }
    var isTLS: Bool { get }

    /// Sends one text message, which must be UTF-8. Dropped silently once the socket is closing.
    func send(text: [UInt8])
    /// The same in fragments of a length (RFC 6455 §5.4), with pings between if that is wanted; without a length in one frame, after a ping.
    func send(text: [UInt8], fragments length: Int?, pings: Bool)
    /// Sends one binary message. Dropped silently once the socket is closing.
    func send(binary: [UInt8])
    /// Begins the close handshake (RFC 6455 §7.1.2). TCP ends when the client has answered, or after ``WebSocketLimits/closing``.
    ///
    /// - Parameters:
    ///   - code: sent as it is; 1005 stands for a close frame without one.
    ///   - reason: cut to what a control frame has room for.
    func close(_ code: UInt16, _ reason: String)
    /// Ends TCP without a close frame: the client sees 1006.
    func abort()
    /// Ends TCP with an RST.
    func reset()
    /// From now on nothing is read, answered or sent, but TCP stays up: what a client sees of a peer that is cut off. The socket ends when the
    /// client does, or by ``abort()`` and ``reset()``.
    func freeze()
    /// Stops reading from the client, whom TCP then holds back, or goes on with it. What has been read already is still handed over, and what the kernel
    /// holds of a client that leaves meanwhile. Once the socket is closing it is read on in any case, since the client's close frame must be seen;
    /// a frozen one is not.
    func setReading(_ isOn: Bool)
    /// Bytes of messages that the kernel has not taken yet, ``WebSocketLimits/frameOverhead`` with each.
    var unsent: Int { get }
}
