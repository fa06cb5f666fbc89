/// What a frame that goes out on a socket answers. A WebSocket's client gets it all the same; one that polls gets it with the right response.
package enum SocketReply: Sendable {
    /// Nothing: it is sent unprompted.
    case none
    /// A message, which this poll brought; nil: a WebSocket did.
    case message(poll: Int?)
    /// The message that was held (`Decision.later`).
    case held
}
