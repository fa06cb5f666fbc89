package import SparringJournal

/// A message that a client sent on a socket.
package struct SocketMessage: Sendable {
    package var bytes: [UInt8]
    package var isBinary: Bool
    /// When it came, however long it waits for those before it.
    package let arrival = Arrival.now
    /// The poll that brought it and takes its answer along; nil on a WebSocket.
    package var poll: Int?
    /// The work of taking it, which an advance of the clock waits for, of a message that waited for another one.
    package var work: SandboxClock.Work?

    package init(_ bytes: [UInt8], isBinary: Bool = false, poll: Int? = nil) {
        self.bytes = bytes
        self.isBinary = isBinary
        self.poll = poll
    }
}
