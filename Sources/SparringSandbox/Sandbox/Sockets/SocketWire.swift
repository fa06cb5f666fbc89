package import SparringVariation

/// A socket's connection, as far as the sandbox uses it.
package protocol SocketWire: Sendable {
    /// - Parameters:
    ///   - reply: what this answers; it matters only where the client polls.
    ///   - frames: in which frames it goes out; nil: in one.
    func send(text: [UInt8], _ reply: SocketReply, as frames: FrameVariation?)
    /// Begins the closing handshake (RFC 6455 §7.1.2).
    func close(_ code: UInt16, _ reason: String)
    /// Ends TCP without a close frame.
    func abort()
    /// Ends TCP with a reset.
    func reset()
    /// Reads, answers and sends nothing any more, and lets TCP stay up.
    func freeze()
    /// Something waits for the client's next poll.
    var hasWaiting: Bool { get }
    /// Whether more is read from the client.
    func setReading(_ isOn: Bool)
}
