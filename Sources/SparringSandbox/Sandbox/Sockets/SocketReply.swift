/// The message that a frame on a socket answers. A WebSocket's client gets the frame in any case, one that polls with the right response.
package enum SocketReply: Sendable {
    /// Nothing: it is sent unprompted.
    case none
    /// A message, which this poll brought; nil: a WebSocket did.
    case message(poll: Int?)
    /// The message that was held (`Decision.later`).
    case held
}
