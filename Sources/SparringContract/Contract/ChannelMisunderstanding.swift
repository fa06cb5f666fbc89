/// What a client gets for a message that is none of its channel's (`x-misunderstood`).
public enum ChannelMisunderstanding: Sendable {
    /// The socket is closed with this code (RFC 6455 §7.4).
    case close(UInt16)
    /// This message is sent, and the socket stays open.
    case answer(DeclaredAnswer)
    /// Nothing.
    case ignore

    /// RFC 6455 §7.4.1: data of a type that cannot be accepted.
    static let usual = ChannelMisunderstanding.close(1003)
}
