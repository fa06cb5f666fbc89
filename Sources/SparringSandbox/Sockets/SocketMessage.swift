/// A message that a client sent on a socket.
package struct SocketMessage: Sendable {
    package var bytes: [UInt8]
    package var isBinary: Bool

    package init(_ bytes: [UInt8], isBinary: Bool = false) {
        self.bytes = bytes
        self.isBinary = isBinary
    }
}
